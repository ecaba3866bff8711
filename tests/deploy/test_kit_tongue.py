"""`ftk` in Chinese: its catalogue is whole, its wheel holds it, and whoever asks for it by their locale reads it."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import typer
from babel.messages.mofile import read_mo

from bots.tokens import new_token
from deploy import kit_tongue
from deploy.kit_patterns import patterns
from deploy.tongues import missing
from ftk_core.kit.tongue import asked, spoken
from tests.support.factories import AuthorFactory, BotFactory

FTK = Path(sys.executable).with_name("ftk")
ROOT = Path(__file__).resolve().parent.parent.parent
LOOKED_UP = {"gettext", "ngettext", "pgettext", "npgettext", "gettext_lazy", "_", "headed"}
CRASHES = "import sys\nsys.exit(1)\n"


def ftk(*words: str, **locale: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("LANGUAGE", "LANG", "LC_ALL")}
    return subprocess.run([FTK, *words], env=kept | locale, capture_output=True, text=True, check=False, timeout=100)


def test_the_kits_catalogue_has_what_the_kit_says_and_nothing_else_and_all_of_it_in_chinese() -> None:
    catalog = kit_tongue.read()
    assert {str(row.id) for row in catalog} == {str(row.id) for row in kit_tongue.gathered()}, (
        "make words, and translate"
    )
    assert missing(catalog) == []


def test_what_gettext_reads_is_made_of_the_catalogue_as_it_is_now() -> None:
    with kit_tongue.FILE.with_suffix(".mo").open("rb") as file:
        made = {str(row.id): row.string for row in read_mo(file) if row.id}
    assert made == {str(row.id): row.string for row in kit_tongue.read() if row.id}, "make words"


def test_the_placeholders_of_both_tongues_are_the_same() -> None:
    def named(text: str) -> list[str]:
        return sorted(part.split("}")[0] for part in text.split("{")[1:] if "}" in part)

    rows = [row for row in kit_tongue.read() if row.id]
    assert [row.id for row in rows if named(str(row.id)) != named(str(row.string))] == []


def test_the_parser_of_the_command_line_says_what_the_catalogue_says_that_it_does() -> None:
    sources = "".join(file.read_text() for file in Path(str(files(typer))).glob("*.py"))
    assert [text for text in kit_tongue.PARSERS if f'_("{text}")' not in sources] == []


@pytest.mark.parametrize(
    ("environment", "tongue"),
    [
        ({"LANG": "zh_TW.UTF-8"}, "zh_Hant"),
        ({"LC_ALL": "zh_HK"}, "zh_Hant"),
        ({"LANGUAGE": "zh_Hant_TW:en"}, "zh_Hant"),
        ({"LANGUAGE": "en:zh_TW", "LANG": "zh_TW.UTF-8"}, ""),
        ({"LC_ALL": "C", "LANG": "zh_TW.UTF-8"}, ""),
        ({"LANG": "zh_CN.UTF-8"}, ""),
        ({}, ""),
    ],
)
def test_the_locale_says_which_tongue(environment: dict[str, str], tongue: str) -> None:
    assert asked(environment) == tongue


@pytest.mark.slow
def test_helps_are_chinese_where_the_locale_is_and_english_elsewhere() -> None:
    chinese = ftk("--help", LANG="zh_TW.UTF-8").stdout
    assert "列出架上的遊戲與本站的機器人。" in chinese
    assert "選項" in chinese
    assert "List the games" not in chinese
    assert "顯示這則說明並結束。" in ftk("games", "--help", LC_ALL="zh_HK.UTF-8").stdout
    assert "List the games on the shelf" in ftk("--help", LANG="de_DE.UTF-8").stdout


@pytest.mark.slow
def test_a_broken_bot_is_refused_in_chinese_and_for_programs_in_the_same_json(tmp_path: Path) -> None:
    bot = tmp_path / "broken.py"
    bot.write_text(CRASHES)
    words = ("check", "pig", str(bot), "--cage", "none")
    told = ftk(*words, LANG="zh_TW.UTF-8")
    assert told.returncode == 1
    assert "broken.py 會遭退回：" in told.stderr
    assert "這台機器能建置並執行" in told.stdout
    assert ftk(*words, "--json", LANG="zh_TW.UTF-8").stdout == ftk(*words, "--json", LANG="C.UTF-8").stdout


def test_a_command_that_is_none_is_refused_in_chinese() -> None:
    told = ftk("chek", LANG="zh_TW.UTF-8")
    assert told.returncode == 2
    assert "沒有 'chek' 這個指令。" in told.stderr


def told(*words: str | Path) -> str:
    done = ftk(*map(str, words), LANG="zh_TW.UTF-8", COLUMNS="200", FTK_TOKEN="")
    return done.stdout + done.stderr


@pytest.mark.slow
def test_what_no_bot_can_be_is_said_in_chinese(tmp_path: Path) -> None:
    assert "既不是檔案，也不是 pig 的本站機器人" in told("check", "pig", tmp_path / "nobody.py")
    assert told("verify", tmp_path / "none").endswith("沒有這個檔案或資料夾\n")
    assert "沒有遊戲 'chess'；有 " in told("play", "chess", "random")


def test_the_trial_of_a_broken_bot_is_told_in_chinese_and_its_own_words_are_left(tmp_path: Path) -> None:
    bot = tmp_path / "broken.py"
    bot.write_text("import sys\nsys.exit('it does not compile')\n")
    lines = told("check", "pig", bot, "--cage", "none").splitlines()
    assert "在第 1 題當掉" in lines
    assert "沒有關進籠子：機器人以您的權限執行（--cage none）" in lines
    assert "第 1 個問題：crashed：it does not compile" in lines
    assert not any("無法編譯" in line for line in lines)
    assert lines[-1].endswith("broken.py 會遭退回：在第 1 題當掉")


@pytest.mark.slow
def test_a_series_and_its_table_are_told_in_chinese(tmp_path: Path) -> None:
    played = told("play", "pig", "random", "hold20", "--games", "2", "--log", tmp_path / "two.jsonl")
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
def test_a_review_is_told_in_chinese(tmp_path: Path) -> None:
    log = tmp_path / "one.jsonl"
    told("play", "pig", "random", "hold20", "--log", log)
    reviewed = told("review", log, "--playouts", "2")
    assert "勝過對手的份額從何而來" in reviewed
    assert "續下 2 次" in reviewed
    assert "沒有 --bots 這個選項" in told("review", log, "--bots")


def test_the_doctor_speaks_chinese() -> None:
    found = told("doctor", "--server", "http://127.0.0.1:9")
    for said in ("該怎麼做", "一場對局", "沒有保存 http://127.0.0.1:9 的權杖", "較少"):
        assert said in found


@pytest.mark.slow
def test_whoever_mistypes_a_command_is_answered_in_chinese() -> None:
    assert "沒有 --foo 這個選項" in told("play", "--foo")
    assert "缺少引數 'GAME'。" in told("play")
    assert "沒有 'chek' 這個指令。您是不是要輸入 'check'" in told("chek")
    assert "'--games' 的值無效：必須是有效的整數" in told("play", "pig", "--games", "x")


@pytest.mark.slow
def test_english_is_what_the_code_says_whatever_the_catalogue_has() -> None:
    line = "question 3: crashed: the process ended without a word"
    assert spoken(line) is line
    assert ftk("verify", "none", LC_ALL="C").stderr == "none: No such file or directory\n"
    assert ftk("play", "--foo", LC_ALL="C").stderr.startswith(
        "ftk play: No such option: --foo (Possible options: --log)"
    )


def test_a_new_sentence_is_gathered_wherever_it_is_shown(tmp_path: Path) -> None:
    new = tmp_path / "new.py"
    new.write_text(
        "REMEDY = 'ask for help'\n"
        "def shows(path, count):\n"
        "    many = f'{count:,} flaws in it' if count else 'no flaw at all'\n"
        "    out.print(f'{path.name}: {many}')\n"
        "    grid = Table('seat', title='Who sat there')\n"
        "    fail(_('said already'))\n"
        "    raise ValueError(f'{path!r} is lost; {REMEDY}')\n"
    )
    assert {text for _, text in patterns([new])} == {
        "{count} flaws in it", "no flaw at all", "seat", "Who sat there", "{path} is lost; {remedy}", "ask for help",
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_what_a_server_refuses_is_told_in_the_tongue_of_whoever_typed(live_server: Any, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(CRASHES)
    BotFactory.create(slug="taken")
    token = new_token(AuthorFactory.create())
    words = ("upload", "pig", str(bot), "--bot", "taken", "--server", live_server.url, "--token", token)
    chinese, english = (ftk(*words, LANG=locale) for locale in ("zh_TW.UTF-8", "C.UTF-8"))
    assert (chinese.returncode, english.returncode) == (2, 2)
    assert "名字 'taken' 屬於別人；請改用別的" in chinese.stderr
    assert "the name 'taken' belongs to somebody else; choose another" in english.stderr


def unseen_in(source: str) -> Iterator[int]:
    """Yield the lines on which gettext is given what no catalogue can hold: a text that is put together first."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in LOOKED_UP:
            whole = [text for text in node.args if isinstance(text, ast.JoinedStr | ast.BinOp)]
            formatted = [
                text for text in node.args if isinstance(text, ast.Call) and "format" in ast.unparse(text.func)
            ]
            yield from (text.lineno for text in (*whole, *formatted))


@pytest.mark.parametrize("package", ["ftk_core", "deploy"])
def test_gettext_is_given_whole_texts_whose_fields_are_filled_in_behind_it(package: str) -> None:
    files = sorted((ROOT / package).rglob("*.py"))
    assert [f"{file.relative_to(ROOT)}:{line}" for file in files for line in unseen_in(file.read_text("utf-8"))] == []


def test_a_text_that_is_put_together_before_it_is_looked_up_is_found() -> None:
    given = """
_(f"{bot} is refused")
gettext.gettext("%s is refused" % bot)
headed("{} is refused".format(bot))
_("{bot} is refused").format(bot=bot)
spoken(f"{bot} is refused")
"""
    assert list(unseen_in(given)) == [2, 3, 4], "what is spoken is found by its pattern"
