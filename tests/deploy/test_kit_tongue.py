"""`ftk` in Chinese: its catalogue is whole, its wheel holds it, and whoever asks for it by their locale reads it."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
import typer
from babel.messages.mofile import read_mo

from deploy import kit_tongue
from deploy.tongues import missing
from ftk_core.kit.tongue import asked

FTK = Path(sys.executable).with_name("ftk")
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


def test_helps_are_chinese_where_the_locale_is_and_english_elsewhere() -> None:
    chinese = ftk("--help", LANG="zh_TW.UTF-8").stdout
    assert "列出架上的遊戲與本站的機器人。" in chinese
    assert "選項" in chinese
    assert "List the games" not in chinese
    assert "顯示這則說明並結束。" in ftk("games", "--help", LC_ALL="zh_HK.UTF-8").stdout
    assert "List the games on the shelf" in ftk("--help", LANG="de_DE.UTF-8").stdout


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
