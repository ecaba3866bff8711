"""What an arena can build is what its workers say, on the page, over REST and to `ftk check`; the rest is refused."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from django.test import Client
from typer.testing import CliRunner

from bots import services, trials
from bots.models import BotVersion, CageReport
from ftk_core.kit.cli import app
from ftk_core.kit.languages import LANGUAGES
from tests.support.factories import AuthorFactory
from tests.support.machine import have
from tests.support.migrating import migrated_back
from tests.support.uploads import client_of, upload

pytestmark = pytest.mark.django_db


def in_go() -> bytes:
    """An upload in Go."""
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        archive.writestr("bot.toml", 'command = "go main.go"')
        archive.writestr("main.go", "package main\nfunc main() {}\n")
    return body.getvalue()


def worker(name: str, **languages: str) -> CageReport:
    return CageReport.objects.create(worker=name, tier="bwrap", held=True, languages=languages)


def said_of(name: str) -> dict[str, Any]:
    rows = Client().get("/api/v1/languages/").json()["languages"]
    return next(row for row in rows if row["name"] == name)


def test_a_worker_says_what_it_can_when_it_tries_its_cage() -> None:
    assert services.try_cage("matches@here").held
    languages = CageReport.objects.get(worker="matches@here").languages
    assert languages["python"].startswith("Python 3")
    assert set(languages) <= set(LANGUAGES)
    if have("bwrap", "cc"):
        assert "cc" in languages["c"]


def test_an_arena_says_what_its_workers_can_build_and_by_what() -> None:
    worker("one", python="Python 3.11.2", go="go version go1.19.8")
    worker("two", python="Python 3.13.1")
    assert (said_of("go")["workers"], said_of("go")["versions"]) == (1, ["go version go1.19.8"])
    assert said_of("python")["versions"] == ["Python 3.11.2", "Python 3.13.1"]
    assert (said_of("rust")["workers"], said_of("rust")["command"]) == (0, "rust main.rs")
    page = Client().get("/write-a-bot/").content.decode()
    assert "go version go1.19.8" in page
    assert page.count("not on any worker now") == len(LANGUAGES) - 3
    assert "not allowed here" in page


def test_a_worker_whose_cage_does_not_hold_builds_nothing() -> None:
    CageReport.objects.create(worker="one", tier="bwrap", held=False, languages={"go": "go"})
    assert said_of("go")["workers"] == 0


def test_an_upload_in_a_language_that_no_worker_has_is_refused_with_those_there_are() -> None:
    worker("one", python="Python 3.11.2", c="cc 12")
    answer = upload(client_of(AuthorFactory.create()), in_go(), "bot.zip")
    assert (answer.status_code, answer.data["code"]) == (400, "wrong_language")
    assert (
        "no worker of this arena can build Go: write the bot in python, c, or ask the organiser"
        in answer.data["detail"]
    )
    assert not BotVersion.objects.exists(), "nothing is half stored"


def test_where_no_worker_has_said_yet_a_bot_is_taken_and_waits_for_one_that_can() -> None:
    worker("of before")
    answer = upload(client_of(AuthorFactory.create()), in_go(), "bot.zip")
    assert answer.status_code == 201, answer.data
    assert trials.claim_next(["python", "c"]) is None, "it is left to another worker"
    assert trials.claim_next(["python", "go"]) == answer.data["id"]


def test_a_check_says_what_this_machine_can_and_what_the_arena_can(live_server: Any) -> None:
    worker("one", python="Python 3.11.2", go="go version go1.19.8")
    words = ["check", "pig", "random", "--cage", "none", "--server", live_server.url]
    said = CliRunner().invoke(app, words).output
    assert "this machine builds and plays python" in said
    assert f"{live_server.url} builds and plays python, go\n" in said
    gone = CliRunner().invoke(app, [*words[:-1], "http://127.0.0.1:9"])
    assert gone.exit_code == 0, "the bot is what is checked"
    assert "what http://127.0.0.1:9 can build is not known: no arena answers" in gone.output


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_reports_of_before_say_nothing_of_languages() -> None:
    with migrated_back(("bots", "0013_quotas")) as then:
        then.get_model("bots", "CageReport").objects.create(worker="old", tier="bwrap", held=True)
    assert CageReport.objects.get(worker="old").languages == {}
