"""A further language needs a row in the registry, catalogues, and few code files."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from deploy.i18n.update import list_catalogues
from ftk_core.i18n import BUILT_IN_LANGUAGES, TRANSLATED_LANGUAGES
from tests.support.language_packages import translate_to_german

ROOT = Path(__file__).resolve().parents[2]
CODE_FOLDERS = (
    *("bots", "deploy", "foundation", "frontend/pages", "frontend/templates", "frontend/templatetags"),
    *("frontend/ui/src", "ftk_core", "notices", "people", "replays", "tools", "tournaments"),
)
CODE_SUFFIXES = {".py", ".ts", ".svelte", ".html", ".css", ".txt"}
FILES_FOR_A_LANGUAGE = {
    ".importlinter",
    "deploy/formats/{folder}/__init__.py",
    "deploy/formats/{folder}/formats.py",
    "frontend/templates/500.html",
}
GERMAN = {"tag": "de", "name": "Deutsch", "short": "DE", "locales": r"^de\b"}
PROGRAM = """
from deploy.formats import SETTINGS
from ftk_core.games import list_games
from ftk_core.games.pig.rules import DieRolled
from ftk_core.kit.i18n.locale import choose_language
from ftk_core.views.replay_frame_messages import SpectatorFramesRequest
import msgspec
pig = list_games()["pig"]
watch = msgspec.json.decode(b'{"type": "watch", "language": "de"}', type=SpectatorFramesRequest)
print(pig.say(DieRolled(0, 3), ["Ada"], watch.language))
print(pig.labels("de")["Die: #"], pig.about("de")["die"][:7], pig.by_hand.guide("de")["roll"][:4])
print(choose_language({"LANG": "de_AT.UTF-8"}).name, SETTINGS["LANGUAGES"][-1])
"""


def code_files() -> Iterator[Path]:
    yield from (ROOT / name for name in (".importlinter", "Makefile", "pyproject.toml", "frontend/ui/vite.config.ts"))
    for folder in CODE_FOLDERS:
        yield from (file for file in (ROOT / folder).rglob("*") if file.suffix in CODE_SUFFIXES)


@pytest.mark.slow
def test_a_user_interface_language_is_named_in_at_most_six_source_files() -> None:
    assert len(FILES_FOR_A_LANGUAGE) <= 6
    for language in TRANSLATED_LANGUAGES:
        named = re.compile(rf"\b({language.tag}|{language.folder}|{language.code})\b|{language.name}")
        paths = {str(file.relative_to(ROOT)): file for file in code_files()}
        naming = {path for path, file in paths.items() if named.search(path) or named.search(file.read_text("utf-8"))}
        assert naming == {path.format(folder=language.folder) for path in FILES_FOR_A_LANGUAGE}


@pytest.fixture(scope="module")
def copied_core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a copy of the core to which German was added as data alone."""
    folder = tmp_path_factory.mktemp("german")
    shutil.copytree(ROOT / "ftk_core", folder / "ftk_core", ignore=shutil.ignore_patterns("__pycache__"))
    rows = json.loads((ROOT / "ftk_core/languages.json").read_text("utf-8"))
    (folder / "ftk_core/languages.json").write_text(json.dumps([*rows, GERMAN]), "utf-8")
    for catalogue in list_catalogues():
        if catalogue.folder.is_relative_to(ROOT / "ftk_core"):
            copied = replace(catalogue, folder=folder / catalogue.folder.relative_to(ROOT))
            copied.update("de")
            translate_to_german(copied)
    return folder


def run(folder: Path, *words: str, **environment: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name not in ("LANGUAGE", "LC_ALL")}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder, env=kept | environment | {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"},
        capture_output=True, text=True, check=True, timeout=100,
    )  # fmt: skip
    return done.stdout


@pytest.mark.slow
def test_a_language_can_be_added_with_only_message_catalogues_and_one_registry_entry(copied_core: Path) -> None:
    assert run(copied_core, "-c", PROGRAM).splitlines() == [
        "de~Ada rolls a 3.",
        "de~Die: # de~The  de~A",
        "Deutsch ('de', 'Deutsch')",
    ]


@pytest.mark.slow
def test_the_ftk_command_prints_its_help_in_a_newly_added_language(copied_core: Path) -> None:
    command = "from ftk_core.kit.cli import app; app()"
    assert "de~List the games" in run(copied_core, "-c", command, "--help", LANG="de_DE.UTF-8", COLUMNS="200")
    assert "de~" not in run(copied_core, "-c", command, "--help", LANG="C.UTF-8", COLUMNS="200")


def test_the_tag_of_each_built_in_language_matches_no_other_built_in_language() -> None:
    for language in BUILT_IN_LANGUAGES.values():
        assert [one.tag for one in BUILT_IN_LANGUAGES.values() if one.matches(language.tag)] == [language.tag]
