"""Languages of plug-ins: an installed package of data adds a language to the site, to `ftk` and to the viewer."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from allauth.account.models import EmailAddress
from babel import UnknownLocaleError
from django.contrib.auth.models import User
from django.core import mail
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone, translation

from deploy.i18n.language_package import list_package_catalogues, update_package
from foundation.response_language import CODES
from frontend.drawing.svg_charts import make_chart, make_sparkline
from frontend.templatetags.date_formats import find_format
from ftk_core.i18n import pick_text
from ftk_core.kit.commands.html_match_export import _describe_language
from ftk_core.kit.commands.watch import MatchViewer
from ftk_core.kit.viewer_translations import list_viewer_languages
from notices import tasks
from notices.notice_preferences import NoticeContent, notify
from people.models import PersonLanguage
from people.person_languages import read_language, use_language_of
from tests.support.factories import AuthorFactory
from tests.support.language_packages import install_german, write_installed_german
from tests.support.plugin_packages import installed

HELP = "from ftk_core.kit.cli import app; app()"
SENTENCES = """
import msgspec
from deploy.formats import SETTINGS
from ftk_core.games import list_games
from ftk_core.games.pig.rules import DieRolled
from ftk_core.views.replay_frame_messages import SpectatorFramesRequest
watch = msgspec.json.decode(b'{"type": "watch", "language": "de"}', type=SpectatorFramesRequest)
print(list_games()["pig"].say(DieRolled(0, 3), ["Ada"], watch.language))
print(SETTINGS["LANGUAGES"][-1], SETTINGS["LOCALE_PATHS"][-1].parent.name)
"""
IMPORTED = """
import os, sys
from ftk_core.kit.i18n.locale import choose_language
print(choose_language(os.environ).tag, "importlib.metadata" in sys.modules)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed package of German, in which few messages are translated."""
    return write_installed_german(tmp_path_factory.mktemp("language") / "site")


@pytest.fixture
def german_site(folder: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """A client of the site with German installed."""
    with installed(folder):
        settings.LANGUAGES = [*settings.LANGUAGES, ("de", "Deutsch")]
        settings.LOCALE_PATHS = [*settings.LOCALE_PATHS, folder / "ftk_german/locale"]
        monkeypatch.setitem(CODES, "de", "de")
        yield Client()


def run(folder: Path | None, *words: str, **environment: str) -> str:
    """Run Python with or without the plug-in, and return its output."""
    kept = {name: value for name, value in os.environ.items() if name not in ("LANGUAGE", "LC_ALL", "LC_MESSAGES")}
    done = subprocess.run(
        [sys.executable, *words], env=kept | {"PYTHONPATH": str(folder or ""), "COLUMNS": "200"} | environment,
        capture_output=True, text=True, check=True, timeout=100,
    )  # fmt: skip
    return done.stdout


@pytest.mark.nightly
def test_a_plugin_with_only_data_files_adds_a_language_of_the_site(tmp_path: Path) -> None:
    site = install_german(tmp_path)
    assert {path.suffix for path in (site / "ftk_german").rglob("*") if path.is_file()} == {".json", ".mo"}
    assert run(site, "-c", SENTENCES).splitlines()[0] == "de~Ada rolls a 3."
    assert "de~Options" in run(site, "-c", HELP, "--help", LANG="de_DE.UTF-8")


@pytest.mark.slow
def test_match_sentences_and_site_settings_support_the_language_of_an_installed_plugin(folder: Path) -> None:
    assert run(folder, "-c", SENTENCES).splitlines() == ["de~Ada rolls a 3.", "('de', 'Deutsch') ftk_german"]


@pytest.mark.slow
def test_the_ftk_command_prints_its_help_in_the_language_of_a_plugin(folder: Path) -> None:
    assert "de~List the games" in run(folder, "-c", HELP, "--help", LANG="de_AT.UTF-8")
    assert "de~List the games" in run(folder, "-c", HELP, "--help", LANGUAGE="tlh:de:en")
    assert "de~" not in run(folder, "-c", HELP, "--help", LANG="en_GB.UTF-8")
    assert "de~" not in run(None, "-c", HELP, "--help", LANG="de_DE.UTF-8")


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["en_GB.UTF-8", "C.UTF-8", "zh_TW.UTF-8", ""])
def test_a_built_in_language_is_chosen_without_reading_plugins(folder: Path, locale: str) -> None:
    assert run(folder, "-c", IMPORTED, LANG=locale).split()[1] == "False"
    assert run(folder, "-c", IMPORTED, LANG="de_DE.UTF-8").split() == ["de", "True"]


@pytest.mark.slow
@pytest.mark.django_db
def test_a_page_can_be_read_in_the_language_of_a_plugin_and_links_to_that_language(german_site: Client) -> None:
    page = german_site.get("/leagues/", {"lang": "de"}).content.decode()
    assert '<html lang="de" data-language="de"' in page
    assert "de~Leagues" in page
    assert '<html lang="de"' in german_site.get("/leagues/").content.decode(), "the cookie keeps the choice"
    english = german_site.get("/leagues/", {"lang": "en"}).content.decode()
    assert 'hreflang="de"' in english
    assert 'aria-label="DE: Deutsch" title="de~Read in English">DE</a>' in english, "one of the two is translated"
    assert german_site.get("/api/v1/bots/x/", headers={"Accept-Language": "de-AT"})["Content-Language"] == "de"


@pytest.mark.django_db
def test_a_page_links_to_the_replay_viewer_translations_of_a_language_plugin(german_site: Client) -> None:
    page = german_site.get("/leagues/").content.decode()
    element = page.partition('<meta name="viewer-language" content="')[2].partition(">")[0]
    address, _, attributes = element.partition('"')
    assert attributes == r' data-tag="de" data-name="Deutsch" data-short="DE" data-locales="^de\b"'
    answer = german_site.get(address)
    assert answer.json()["viewer"] == {"help": "Tasten"}
    assert (answer["Content-Type"], answer["Cache-Control"]) == (
        "application/json",
        "public, max-age=31536000, immutable",
    )
    for other in (address.replace("/de/", "/en/"), "/words/de/0123456789abcdef.json", "/words/tlh/x.json"):
        assert german_site.get(other).status_code == 404


def test_the_local_viewer_serves_the_translations_of_an_installed_language_plugin(folder: Path, tmp_path: Path) -> None:
    viewer = MatchViewer.__new__(MatchViewer)
    viewer.viewer = tmp_path
    with installed(folder):
        assert viewer._find_file("/words/de.json") == folder / "ftk_german/viewer.json"
        assert viewer._find_file("/words/zh-Hant.json") is None
    assert viewer._find_file("/words/de.json") is None


def test_an_exported_match_page_contains_the_viewer_texts_of_a_plugin_language(folder: Path) -> None:
    with installed(folder):
        described = [_describe_language(added) for added in list_viewer_languages().values()]
    words = {"viewer": {"help": "Tasten"}}
    assert json.loads(msgspec.json.encode(described)) == [
        {"tag": "de", "name": "Deutsch", "short": "DE", "locales": r"^de\b", "words": words}
    ]


@pytest.mark.django_db(transaction=True)
def test_mails_use_the_language_of_the_account_and_english_once_the_plugin_is_missing(
    german_site: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = make_person_with_mail()
    german_site.force_login(person)
    german_site.get("/account/", {"lang": "de"})
    assert send_notice(person) == "The Court: de~ada 1 was refused: it is late."
    other = make_person_with_mail()
    PersonLanguage.objects.create(person=other, language="de")
    monkeypatch.delitem(CODES, "de")
    assert read_language(other) == ""
    assert send_notice(other) == "The Court: ada 1 was refused: it is late."


def make_person_with_mail() -> User:
    person: User = AuthorFactory.create()
    EmailAddress.objects.create(user=person, email=f"{person}@example.com", verified=True, primary=True)
    return person


def send_notice(person: User) -> str:
    """Mail a notice to a person, and return the subject."""
    words = {"bot": "ada", "number": 1, "reason": ("it is late", {})}
    pattern = "%(bot)s %(number)s was refused: %(reason)s."
    notify([person.pk], NoticeContent(kind="trial", key="1", pattern=pattern, link="/", words=words), timezone.now())
    assert tasks.mail() == 1
    return str(mail.outbox[-1].subject)


def test_the_coordinates_in_charts_have_a_decimal_point_in_every_language() -> None:
    chart = make_chart([1000.0, 1010.5, 1003.0], [(0, "v1"), (1, "v2")])
    line = make_sparkline([1000.0, 1010.5, 1003.0])
    with translation.override("de"):
        drawn = render_to_string("frontend/parts/rating_chart.html", {"chart": chart, "standing": {"points": []}})
        drawn += render_to_string("frontend/parts/spark.html", {"line": line})
    assert not re.search(r' (c?x|c?y|[xy]\d)="\d+,', drawn)
    assert re.search(r' cx="\d+\.\d', drawn)


@pytest.mark.django_db
def test_an_account_whose_language_is_not_installed_gets_english(client: Client) -> None:
    person: User = AuthorFactory.create()
    PersonLanguage.objects.create(person=person, language="de")
    with use_language_of(person):
        assert translation.get_language() == "en"
    client.force_login(person)
    client.cookies["language"] = "de"
    page = client.get("/account/profile/").content.decode()
    assert '<html lang="en"' in page
    assert '<option value="en" lang="en" selected>' in page
    assert pick_text({"en": "Roll", "zh-Hant": "擲骰"}, "de") == "Roll"


@pytest.mark.usefixtures("german_site")
def test_dates_in_a_plugin_language_use_the_date_formats_of_django() -> None:
    assert find_format("LONG_DATETIME_FORMAT", "de") == "j. F Y H:i"
    assert find_format("EXACT_DATETIME_FORMAT", "de") == "j. F Y H:i:s"
    assert find_format("EXACT_DATETIME_FORMAT", "en") == "j M Y, H:i:s"


@pytest.mark.nightly
def test_updating_a_language_package_compiles_only_translations_with_valid_placeholders(tmp_path: Path) -> None:
    missing = list(update_package(tmp_path, "pt-BR"))
    assert json.loads((tmp_path / "language.json").read_text())["name"] == "Português (Brasil)"
    pig = next(one for one in list_package_catalogues(tmp_path) if one.domain == "pig")
    path = pig.path("pt_BR")
    text = path.read_text().replace("FULL NAME <EMAIL@ADDRESS>", "Ana <ana@example.com>")
    for english, translated in (
        ("{seat} rolls a {face}.", "{seat} tira {face}."),
        ("{count} points", "{pontos} pontos"),
    ):
        assert f'msgid "{english}"\nmsgstr ""' in text
        text = text.replace(f'msgid "{english}"\nmsgstr ""', f'msgid "{english}"\nmsgstr "{translated}"')
    hold = 'msgid "{seat} holds and banks {points}."\nmsgstr "'
    assert hold in text
    path.write_text(text.replace(hold, f"# ask Ana\n#, fuzzy\n{hold}{{seat}} segura {{points}}?"))
    lines = list(update_package(tmp_path, "pt-BR"))
    assert len(lines) == len(missing) - 1
    assert any(line.endswith("'{seat} holds and banks {points}.'") for line in lines)
    assert ("# ask Ana" in path.read_text(), "fuzzy" in path.read_text()) == (True, True)
    assert b"segura" not in path.with_suffix(".mo").read_bytes()
    assert any("{count} points: other fields ['count', 'pontos']" in line for line in lines)
    compiled = path.with_suffix(".mo").read_bytes()
    assert b"{seat} tira {face}." in compiled
    assert b"pontos" not in compiled
    assert "Last-Translator: Ana" in path.read_text()
    with pytest.raises(UnknownLocaleError):
        list(update_package(tmp_path, "xx"))
