"""Languages that plug-ins bring: their registry, and the refusal of wrong packages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ftk_core.i18n import BUILT_IN_LANGUAGES, list_languages, select_language
from ftk_core.kit.viewer_translations import list_viewer_languages
from ftk_core.plugins import PluginError
from tests.support.language_packages import write_installed_german
from tests.support.plugin_packages import installed


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed package of German."""
    return write_installed_german(tmp_path_factory.mktemp("language") / "site")


@pytest.mark.parametrize(
    ("line", "file", "contents", "message"),
    [
        ("en = ftk_german", "", "", "the plug-in ftk_german-1.0 brings the language 'en', which is built in"),
        ("zh-Hant = ftk_german", "", "", "brings the language 'zh-Hant', which is built in; uninstall it"),
        ("DE = ftk_german", "", "", "'DE', which is not a tag .* rename its entry point"),
        ("zh-Hant-TW = ftk_german", "", "", "'zh-Hant-TW', which is not a tag"),
        ("de = ftk_missing", "", "", "names 'ftk_missing', which is not an installed package; repair or uninstall it"),
        ("de = ftk_missing.inner", "", "", "names 'ftk_missing.inner', which is not an installed package"),
        (
            "de = ftk_german",
            "language.json",
            "",
            "brings a wrong language 'de': language.json is missing; repair or uninstall it",
        ),
        ("de = ftk_german", "language.json", "{", "language.json: Input data was truncated"),
        ("de = ftk_german", "language.json", '{"name": "Deutsch", "short": "DE"}', "missing required field `locales`"),
        ("de = ftk_german", "language.json", '{"name": "D", "short": "D", "locales": "("}', "not a regular expression"),
        ("de = ftk_german", "language.json", '{"name": "D", "short": "D", "locales": "^fr"}', "does not match 'de'"),
        ("de = ftk_german", "viewer.json", '{"viewer": ["Tasten"]}', "viewer.json: Expected `object`"),
        ("de = ftk_german", "locale/de/LC_MESSAGES/django.mo", "", "locale/de/LC_MESSAGES/django.mo is missing"),
    ],
)
def test_the_error_for_an_invalid_language_plugin_says_what_is_wrong_with_the_plugin(
    folder: Path, tmp_path: Path, line: str, file: str, contents: str, message: str
) -> None:
    site = shutil.copytree(folder, tmp_path / "site")
    (entry_points,) = site.glob("ftk_german-1.0.dist-info/entry_points.txt")
    entry_points.write_text(f"[ftk.languages]\n{line}\n")
    if file and contents:
        (site / "ftk_german" / file).write_text(contents)
    elif file:
        (site / "ftk_german" / file).unlink()
    with installed(site), pytest.raises(PluginError, match=message):
        list_languages()


def test_an_invalid_language_plugin_ends_a_command_with_one_line_that_names_it(folder: Path, tmp_path: Path) -> None:
    site = shutil.copytree(folder, tmp_path / "site")
    (entry_points,) = site.glob("ftk_german-1.0.dist-info/entry_points.txt")
    entry_points.write_text("[ftk.languages]\nde = ftk_missing\n")
    env = os.environ | {"PYTHONPATH": f"{site}", "LANG": "de_DE.UTF-8"}
    command = [sys.executable, "-c", "from ftk_core.kit.cli import app; app()", "games"]
    run = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr.startswith("ftk: ")
    assert "ftk_missing" in run.stderr
    assert run.stderr.count("\n") == 1


def test_the_viewer_falls_back_to_english_if_a_language_plugin_has_no_viewer_translation(
    folder: Path, tmp_path: Path
) -> None:
    site = shutil.copytree(folder, tmp_path / "site")
    (site / "ftk_german/viewer.json").unlink()
    with installed(site):
        assert list_viewer_languages()["de"].file is None


def test_languages_of_plugins_are_listed_only_while_they_are_installed(folder: Path) -> None:
    with installed(folder):
        assert list(list_languages()) == [*BUILT_IN_LANGUAGES, "de"]
    assert list(list_languages()) == list(BUILT_IN_LANGUAGES)


def test_two_plugins_with_the_same_language_are_refused(folder: Path, tmp_path: Path) -> None:
    site = shutil.copytree(folder, tmp_path / "site")
    shutil.copytree(site / "ftk_german-1.0.dist-info", site / "other-1.0.dist-info")
    (site / "other-1.0.dist-info/METADATA").write_text("Name: other\nVersion: 1.0\n")
    with installed(site), pytest.raises(PluginError, match="'de' comes from two plug-ins"):
        list_languages()


def test_a_built_in_language_takes_precedence_over_a_plugin_that_matches_the_same_locale(
    folder: Path, tmp_path: Path
) -> None:
    site = shutil.copytree(folder, tmp_path / "site")
    (site / "ftk_german/language.json").write_text('{"name": "Deutsch", "short": "DE", "locales": "."}')
    with installed(site):
        selected = [select_language(locale) for locale in ("en_GB.UTF-8", "zh_TW.UTF-8", "fr_FR.UTF-8")]
    assert [language.tag for language in selected if language] == ["en", "zh-Hant", "de"]
