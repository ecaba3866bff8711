"""`ftk new` creates a bot that passes the trial at once, in every language and game, or writes nothing."""

from __future__ import annotations

import io
import json
import os
import re
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
from ftk_core.kit.commands.new_bot import (
    TEMPLATE_LANGUAGES,
    NewBotError,
    create_bot_folder,
    create_game_folder,
    list_starters,
    write_templates,
)
from ftk_core.kit.pre_upload_bot_check import check_bot
from ftk_core.kit.uploads.bot_compilation import CompileError
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from tests.support.local import measure_points
from tests.support.sandbox.languages import STARTER_LANGUAGES


@pytest.mark.nightly
@pytest.mark.parametrize("language", STARTER_LANGUAGES)
@pytest.mark.parametrize("game", list_games())
def test_a_bot_created_by_ftk_new_passes_the_trial_unchanged(language: str, game: str, tmp_path: Path) -> None:
    folder = create_bot_folder("mine", game, language, tmp_path)
    checked = check_bot(game, str(folder), 0, AUTO)
    assert checked.trial.passed, checked.trial


@pytest.mark.slow
@pytest.mark.parametrize("game", [game for game in list_games() if list_starters(game)])
def test_the_python_bot_template_of_a_game_wins_most_matches_against_random_bots(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = create_bot_folder("mine", game, "python", tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO())  # importing the file calls run(choose)
    table = [str(folder / "bot.py"), *["random"] * (list_games()[game].seats[0] - 1)]
    assert measure_points(game, table, 20)[0] > 0.8


JSON_TEXTS = {
    r'{"t":"caf\u00e9 \ud83d\ude00 \"x\"\n\/","n":-1.5e2,"l":[[],{},null,true]}': 'café 😀 "x"/|-150|4',
    '  { "l" : [ 1 , "a]}" ] , "t" : "é" }  ': "é|0|2",
    '{"t":"","n":0}': "|0|0",
    '{"t":"x"': "wrong",
    '{"t":"x"} y': "wrong",
    "[1,]": "wrong",
    "": "wrong",
}
JSON_DRIVERS = {
    "rust": """
mod json;
fn main() {
    for line in std::io::stdin().lines() {
        match json::Json::read(&line.unwrap()) {
            Some(it) => {
                let text = it.get("t").text().replace('\\n', "");
                println!("{}|{}|{}", text, it.get("n").number(), it.get("l").items().len());
            }
            None => println!("wrong"),
        }
    }
}
""",
    "java": """
import java.util.*;
public class Main {
    public static void main(String[] words) throws Exception {
        System.setOut(new java.io.PrintStream(System.out, true, "UTF-8"));
        for (var lines = new Scanner(System.in, "UTF-8"); lines.hasNextLine(); ) {
            try {
                var it = (Map<?, ?>) Json.read(lines.nextLine());
                Object number = it.get("n"), list = it.get("l");
                String text = String.valueOf(it.get("t")).replace("\\n", "");
                int length = list == null ? 0 : ((List<?>) list).size();
                System.out.println(text + "|" + (number == null ? 0 : ((Double) number).intValue()) + "|" + length);
            } catch (IllegalArgumentException error) {
                System.out.println("wrong");
            }
        }
    }
}
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("language", JSON_DRIVERS)
def test_the_json_parsers_in_the_rust_and_java_bot_templates_accept_json_and_refuse_other_text(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = create_bot_folder("mine", "pig", language, tmp_path)
    (folder / f"{'main' if language == 'rust' else 'Main'}{LANGUAGES[language].suffix}").write_text(
        JSON_DRIVERS[language]
    )
    _, program = find_command("pig", str(folder))
    command = [*LANGUAGES[language].runner, program]
    texts = "\n".join(JSON_TEXTS) + "\n"
    done = subprocess.run(command, input=texts, capture_output=True, text=True, encoding="utf-8", check=True)
    assert done.stdout.splitlines() == list(JSON_TEXTS.values())


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
@pytest.mark.parametrize("language", STARTER_LANGUAGES)
def test_a_bot_created_by_ftk_new_can_be_played_from_its_own_folder(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = create_bot_folder("mine", "pig", language, tmp_path)
    done = CliRunner().invoke(app, ["play", "pig", "random", str(folder), "--games", "4", "--jobs", "2", "--json"])
    assert done.exit_code == 0, done.output
    rows = {row["bot"]: row for row in json.loads(done.stdout)["bots"]}
    assert (rows["mine"]["games"], rows["mine"]["faults"]) == (4, 0)


def test_a_compile_error_of_a_c_bot_is_reported_and_the_corrected_bot_compiles(
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
    with pytest.raises(InvalidUploadError, match=r"'c' runs a \.c file of the archive, and 'other\.c' is none"):
        find_command("pig", str(source.parent))


@pytest.mark.parametrize("language", TEMPLATE_LANGUAGES)
def test_every_file_created_by_ftk_new_contains_the_name_of_the_bot_and_no_unfilled_placeholder(
    language: str, tmp_path: Path
) -> None:
    folder = create_bot_folder("my-own-bot", "kings_court", language, tmp_path)
    texts = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}
    workflow = yaml.safe_load(texts[".github/workflows/bot.yml"])
    upload = "ftk upload kings_court . --bot my-own-bot --server"
    assert workflow["jobs"]["check"]["steps"][-1]["run"].startswith(upload)
    gitlab = yaml.safe_load(texts[".gitlab-ci.yml"])["upload"]
    assert gitlab["needs"] == ["check"]
    assert gitlab["script"][-1].startswith(upload)
    assert texts["README.md"].startswith("# my-own-bot\n")
    assert upload in texts["README.md"]
    title = list_games()["kings_court"].title
    assert sum(f"my-own-bot plays {title}; " in text.splitlines()[0] for text in texts.values()) == 1, "the program"
    assert "${{ secrets.FTK_TOKEN }}" in texts[".github/workflows/bot.yml"]
    assert f"in {LANGUAGES[language].title}." in texts["README.md"]
    assert not any(re.search(r"\$[a-z_]", text) for text in texts.values())


@pytest.mark.parametrize("language", sorted({*TEMPLATE_LANGUAGES} - {"python"}))
def test_the_workflows_created_by_ftk_new_install_the_compiler_and_interpreter_before_they_check_the_bot(
    language: str, tmp_path: Path
) -> None:
    folder, row = create_bot_folder("mine", "pig", language, tmp_path), LANGUAGES[language]
    packages = f"{row.package} {row.compiler.package if row.compiler else ''}".split()
    steps = yaml.safe_load((folder / ".github/workflows/bot.yml").read_text())["jobs"]["check"]["steps"]
    commands = [step.get("run", "") for step in steps]
    before = commands[: commands.index("python -m unittest")]
    for lines in (before, yaml.safe_load((folder / ".gitlab-ci.yml").read_text())["before_script"]):
        assert set(packages) <= set(lines[-1].split()), lines


def test_a_bot_template_of_a_game_plugin_may_contain_dollar_signs(tmp_path: Path) -> None:
    template = "console.log(`${name} plays $title`, $$menu, $) // $unknown"
    folder = write_templates(tmp_path / "mine", {"main.js": template}, {"title": "Pig"})
    assert (folder / "main.js").read_text() == "console.log(`${name} plays Pig`, $menu, $) // $unknown"


@pytest.mark.parametrize(("name", "package"), [("core", "ftk_core"), ("arena", "ftk_arena")])
def test_ftk_new_game_refuses_a_name_whose_package_would_replace_the_kit(
    name: str, package: str, tmp_path: Path
) -> None:
    with pytest.raises(NewBotError, match=f"the package {package} exists already; choose another name"):
        create_game_folder(name, "", tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["Mine!"], "a bot's name has 1 to 40 of a-z"),
        (
            ["mine", "--lang", "cobol"],
            "--lang cobol: there are templates for python, node, typescript, c, cpp,",
        ),
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
    assert list(tmp_path.rglob("*")) == [tmp_path / "taken"]
