"""`ftk new` creates a bot that passes the trial at once, in every language and game, or writes nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from ftk_core.games import list_games
from ftk_core.kit.bot_sandboxing import AUTO
from ftk_core.kit.built_in_bots import find_command
from ftk_core.kit.cli import app
from ftk_core.kit.commands.check import check_bot
from ftk_core.kit.commands.new_bot import TEMPLATE_LANGUAGES, create_bot_folder
from ftk_core.kit.uploads.bot_compilation import CompileError
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError


@pytest.mark.slow
@pytest.mark.parametrize("language", TEMPLATE_LANGUAGES)
@pytest.mark.parametrize("game", list_games())
def test_a_bot_created_by_ftk_new_passes_the_trial_unchanged(language: str, game: str, tmp_path: Path) -> None:
    folder = create_bot_folder("mine", game, language, tmp_path)
    checked = check_bot(game, str(folder), 0, AUTO)
    assert checked.trial.passed, checked.trial


@pytest.mark.slow
def test_the_unit_test_created_by_ftk_new_passes_for_a_working_bot_and_fails_for_a_broken_one(tmp_path: Path) -> None:
    arena = {"FTK_SERVER": "https://arena.example/"}
    done = CliRunner().invoke(app, ["new", "mine", "--game", "pig", "--into", str(tmp_path)], env=arena)
    assert done.exit_code == 0, done.output
    assert "next: ftk check pig" in done.output
    assert "ftk login https://arena.example " in (tmp_path / "mine" / "README.md").read_text()
    folder = tmp_path / "mine"
    words = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    tried = [sys.executable, "-m", "unittest"]
    assert subprocess.run(tried, cwd=folder, env=words, check=False, capture_output=True).returncode == 0
    (folder / "bot.py").write_text("raise SystemExit('not today')\n")
    failed = subprocess.run(tried, cwd=folder, env=words, check=False, capture_output=True, text=True)
    assert failed.returncode == 1
    assert "not today" in failed.stderr


@pytest.mark.slow
@pytest.mark.parametrize("language", TEMPLATE_LANGUAGES)
def test_a_bot_created_by_ftk_new_can_be_played_from_its_own_folder(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = create_bot_folder("mine", "pig", language, tmp_path)
    done = CliRunner().invoke(app, ["play", "pig", "random", str(folder), "--games", "4", "--jobs", "2", "--json"])
    assert done.exit_code == 0, done.output
    rows = {row["bot"]: row for row in json.loads(done.stdout)["bots"]}
    assert (rows["mine"]["games"], rows["mine"]["faults"]) == (4, 0)


def test_a_c_compile_error_names_its_line_and_the_corrected_bot_is_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    source = create_bot_folder("mine", "pig", "c", tmp_path) / "main.c"
    whole = source.read_text()
    source.write_text(whole.replace("return 0;", "return nil;"))
    with pytest.raises(CompileError, match=r"main\.c:\d+:\d+: error: .*nil"):
        find_command("pig", str(source.parent))
    source.write_text(whole)
    program = Path(find_command("pig", str(source.parent))[1])
    assert os.access(program, os.X_OK)
    assert Path(find_command("pig", str(source))[1]) == program
    (source.parent / "bot.toml").write_text('command = "c other.c"\n')
    with pytest.raises(InvalidUploadError, match="the command must be one of"):
        find_command("pig", str(source.parent))


@pytest.mark.parametrize("language", TEMPLATE_LANGUAGES)
def test_every_file_created_by_ftk_new_contains_the_bots_name_and_no_unfilled_placeholder(
    language: str, tmp_path: Path
) -> None:
    folder = create_bot_folder("mine", "kings_court", language, tmp_path)
    texts = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}
    workflow = yaml.safe_load(texts[".github/workflows/bot.yml"])
    assert workflow["jobs"]["check"]["steps"][-1]["run"].startswith("ftk upload kings_court . --bot mine --server")
    assert yaml.safe_load(texts[".gitlab-ci.yml"])["upload"]["needs"] == ["check"]
    assert "${{ secrets.FTK_TOKEN }}" in texts[".github/workflows/bot.yml"]
    assert f"in {LANGUAGES[language].title}." in texts["README.md"]
    assert not any("$name" in text or "$game" in text for text in texts.values())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["Mine!"], "a bot's name has 1 to 40 of a-z"),
        (["mine", "--lang", "cobol"], "--lang cobol: bots are begun in python, node, c, cpp, rust, go, java"),
        (["mine", "--game", "ludo"], "ludo"),
        (["taken"], "is there already; choose another name"),
        (["mine", "--into", "nowhere"], "nowhere"),
    ],
)
def test_ftk_new_with_invalid_arguments_prints_the_reason_and_writes_nothing(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").mkdir()
    done = CliRunner().invoke(app, ["new", "--game", "pig", *words])
    assert done.exit_code == 2
    assert said in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
