"""`ftk` in Chinese: the wheel contains the catalogue, and the locale selects it."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import typer

from bots.access.api_tokens import create_token
from deploy.i18n import command_line_catalogue
from ftk_core.kit.i18n.locale import choose_language, translate_line
from tests.support.factories import AuthorFactory, BotFactory

FTK = Path(sys.executable).with_name("ftk")
ROOT = Path(__file__).resolve().parent.parent.parent
LOOKED_UP = {"gettext", "ngettext", "pgettext", "npgettext", "gettext_lazy", "_", "N_"}
CRASHES = "import sys\nsys.exit(1)\n"
TALKS = "while True: print(input() and 'roll', flush=True)\n"
MISCOUNTS = "from ftk_core.kit.bot import run\nrun(lambda ask: len(ask.menu))\n"


def ftk(*words: str, **locale: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("LANGUAGE", "LANG", "LC_ALL")}
    return subprocess.run([FTK, *words], env=kept | locale, capture_output=True, text=True, check=False, timeout=100)


def test_the_command_line_parser_messages_in_the_catalogue_exist_in_typer() -> None:
    sources = "".join(file.read_text() for file in Path(str(files(typer))).glob("*.py"))
    assert [text for text in command_line_catalogue.PARSER_MESSAGES if f'_("{text}")' not in sources] == []


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "zh_TW.UTF-8"}, "zh-Hant"),
        ({"LC_ALL": "zh_HK"}, "zh-Hant"),
        ({"LANGUAGE": "zh_Hant_TW:en"}, "zh-Hant"),
        ({"LANGUAGE": "en:zh_TW", "LANG": "zh_TW.UTF-8"}, "en"),
        ({"LC_ALL": "C", "LANG": "zh_TW.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_locale_environment_variables_select_the_language_of_the_ftk_command(
    environment: dict[str, str], language: str
) -> None:
    assert choose_language(environment).tag == language


@pytest.mark.slow
def test_help_texts_are_in_the_language_of_the_locale() -> None:
    chinese = ftk("--help", LANG="zh_TW.UTF-8").stdout
    assert "列出各遊戲與其內建機器人" in chinese
    assert "選項" in chinese
    assert "List the games" not in chinese
    assert "列出遊戲與內建機器人。" in ftk("games", "--help", LANG="zh_TW.UTF-8").stdout
    assert "顯示這則說明並結束。" in ftk("games", "--help", LC_ALL="zh_HK.UTF-8").stdout
    assert "List the games and their built-in bots" in ftk("--help", LANG="de_DE.UTF-8").stdout


@pytest.mark.slow
def test_a_broken_bot_is_refused_in_chinese_while_the_json_report_is_the_same_in_every_language(tmp_path: Path) -> None:
    bot = tmp_path / "broken.py"
    bot.write_text(CRASHES)
    words = ("check", "pig", str(bot), "--sandbox", "none")
    done = ftk(*words, LANG="zh_TW.UTF-8")
    assert done.returncode == 1
    assert "broken.py 會遭退回：" in done.stderr
    assert "這台機器能建置並執行" in done.stdout
    assert ftk(*words, "--json", LANG="zh_TW.UTF-8").stdout == ftk(*words, "--json", LANG="C.UTF-8").stdout


def test_an_unknown_command_is_refused_in_chinese() -> None:
    done = ftk("chek", LANG="zh_TW.UTF-8")
    assert done.returncode == 2
    assert "沒有 'chek' 這個指令。" in done.stderr


def run_in_chinese(*words: str | Path) -> str:
    done = ftk(*map(str, words), LANG="zh_TW.UTF-8", COLUMNS="200", FTK_TOKEN="")
    return done.stdout + done.stderr


@pytest.mark.slow
def test_unknown_bots_unknown_files_and_unknown_games_are_reported_in_chinese(tmp_path: Path) -> None:
    assert "既不是檔案，也不是 pig 的本站機器人" in run_in_chinese("check", "pig", tmp_path / "nobody.py")
    assert run_in_chinese("verify", tmp_path / "none").endswith("沒有這個檔案或資料夾\n")
    assert "沒有遊戲 'chess'；已知的遊戲：" in run_in_chinese("play", "chess", "random")


def test_the_trial_report_is_in_chinese_but_quotes_the_output_of_the_bot_unchanged(tmp_path: Path) -> None:
    bot = tmp_path / "broken.py"
    bot.write_text("import sys\nsys.exit('it does not compile')\n")
    lines = run_in_chinese("check", "pig", bot, "--sandbox", "none").splitlines()
    assert "在第 1 題當掉" in lines
    assert "沒有沙盒：機器人以您的權限執行（--sandbox none）" in lines
    assert "第 1 個問題：crashed: it does not compile" in lines
    assert not any("無法編譯" in line for line in lines)
    assert lines[-1].endswith("broken.py 會遭退回：在第 1 題當掉")


@pytest.mark.parametrize(("source", "kind"), [(TALKS, "malformed"), (MISCOUNTS, "refused")])
def test_the_kind_of_a_fault_is_the_same_word_in_every_language(source: str, kind: str, tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    bot.write_text(source)
    said = run_in_chinese("check", "pig", bot, "--sandbox", "none")
    assert f"第 1 個問題：{kind}: " in said
    assert said.splitlines()[-1].endswith(f"第一次在第 1 題：{kind}")
    assert ("標準輸出只能寫回答" in said) == (kind == "malformed")


@pytest.mark.slow
def test_the_results_of_a_series_of_matches_are_printed_in_chinese(tmp_path: Path) -> None:
    played = run_in_chinese("play", "pig", "random", "hold20", "--games", "2", "--log", tmp_path / "two.jsonl")
    for said in (
        "共 2 場對局",
        "第 1 場對局（共 2 場）：還剩 1 場對局",
        "機器人",
        "等級分",
        "名次",
        "勝場",
        "種子 1",
        "已寫入：",
    ):
        assert said in played
    assert "points" not in played


@pytest.mark.slow
def test_ftk_review_prints_a_match_review_in_chinese(tmp_path: Path) -> None:
    log = tmp_path / "one.jsonl"
    run_in_chinese("play", "pig", "random", "hold20", "--log", log)
    reviewed = run_in_chinese("review", log, "--playouts", "2")
    assert "份額（領先對手的比例）= 0.5 + 座位" in reviewed
    assert "續下 2 次" in reviewed
    assert "因座位 0" in reviewed
    assert not re.search(r"Not sure|by \d", reviewed)
    assert "沒有 --bots 這個選項" in run_in_chinese("review", log, "--bots")


@pytest.mark.slow
def test_ftk_compare_and_ftk_whatif_print_progress_and_results_in_chinese(tmp_path: Path) -> None:
    log = tmp_path / "one.jsonl"
    compared = run_in_chinese("compare", "pig", "random", "random", "--against", "hold20", "--max-blocks", "2")
    assert "尚無定論：" in compared
    assert "最多 2 組，每組 " in compared
    assert "第 1 組：" in compared
    assert not re.search(r"open：|block |usually|at most", compared)
    run_in_chinese("play", "pig", "random", "hold20", "--log", log)
    entry = next(line["seq"] for line in map(json.loads, log.read_text().splitlines()) if line.get("kind") == "chose")
    tried = run_in_chinese("whatif", log, "--at", str(entry), "-n", "2")
    assert "（實際所選）" in tried
    assert not re.search(r"as it|chosen|playouts", tried)


def test_the_report_of_ftk_doctor_is_in_chinese_if_the_users_language_is_chinese() -> None:
    found = run_in_chinese("doctor", "--server", "http://127.0.0.1:9")
    for said in ("該怎麼做", "一場對局", "沒有保存 http://127.0.0.1:9 的權杖", "較少"):
        assert said in found


@pytest.mark.slow
def test_the_error_of_a_rejected_league_command_is_shown_in_the_language_of_the_terminal() -> None:
    assert any(text.startswith("TRF can only state wins") for _, text in command_line_catalogue.list_messages())
    source = """
import typer.main
from ftk_core.i18n import Message
from ftk_core.kit import cli, terminal_output
from ftk_core.kit.i18n.locale import translate_command
from ftk_core.league.league_state import CommandRejected
translate_command(typer.main.get_command(cli.app))
terminal_output.fail(CommandRejected("night: %(reason)s", reason=Message("File exists")))
"""
    environment = os.environ | {"LANGUAGE": "zh_TW", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", source]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=100)
    assert "night: 檔案已經存在" in done.stderr


@pytest.mark.slow
def test_a_mistyped_command_is_reported_in_chinese() -> None:
    assert "沒有 --foo 這個選項" in run_in_chinese("play", "--foo")
    assert "缺少引數 'GAME'。" in run_in_chinese("play")
    assert "沒有 'chek' 這個指令。您是不是要輸入 'check'" in run_in_chinese("chek")
    assert "'--games' 的值無效：必須是有效的整數" in run_in_chinese("play", "pig", "--games", "x")


@pytest.mark.slow
def test_the_ftk_command_prints_english_messages_without_a_message_catalogue() -> None:
    line = "question 3: crashed: the process ended without a word"
    assert translate_line(line) is line
    assert ftk("verify", "none", LC_ALL="C").stderr == "none: No such file or directory\n"
    assert ftk("play", "--foo", LC_ALL="C").stderr.startswith(
        "ftk play: No such option: --foo (Possible options: --log)"
    )


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_an_error_returned_by_the_server_is_shown_in_the_language_of_the_terminal(
    live_server: Any, tmp_path: Path
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(CRASHES)
    BotFactory.create(slug="taken")
    token = create_token(AuthorFactory.create())
    words = ("upload", "pig", str(bot), "--bot", "taken", "--server", live_server.url, "--token", token)
    chinese, english = (ftk(*words, LANG=locale) for locale in ("zh_TW.UTF-8", "C.UTF-8"))
    assert (chinese.returncode, english.returncode) == (2, 2)
    assert "名字 'taken' 屬於別人；請改用別的" in chinese.stderr
    assert "the name 'taken' belongs to somebody else; choose another" in english.stderr


def unseen_in(source: str) -> Iterator[int]:
    """Yield the lines on which gettext gets a text that is composed at run time."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in LOOKED_UP:
            whole = [text for text in node.args if isinstance(text, ast.JoinedStr | ast.BinOp)]
            formatted = [
                text for text in node.args if isinstance(text, ast.Call) and "format" in ast.unparse(text.func)
            ]
            yield from (text.lineno for text in (*whole, *formatted))


@pytest.mark.slow
@pytest.mark.parametrize("package", ["ftk_core", "deploy"])
def test_no_message_is_formatted_before_it_is_passed_to_gettext(package: str) -> None:
    files = sorted((ROOT / package).rglob("*.py"))
    assert [f"{file.relative_to(ROOT)}:{line}" for file in files for line in unseen_in(file.read_text("utf-8"))] == []


def test_the_gettext_check_detects_a_message_that_is_formatted_before_it_is_translated() -> None:
    given = """
_(f"{bot} is refused")
gettext.gettext("%s is refused" % bot)
gettext("{} is refused".format(bot))
_("{bot} is refused").format(bot=bot)
translate_line(f"{bot} is refused")
"""
    assert list(unseen_in(given)) == [2, 3, 4]
