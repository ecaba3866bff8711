"""`ftk protocol` finds what a bot does wrong in the dialogue, each fault by its own check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ftk_core.games import shelf
from ftk_core.kit import dialogue
from ftk_core.kit.beginning import BEGUN, begin
from ftk_core.kit.cli import app
from ftk_core.kit.dialogue import NEXT, Dialogue, Unasked, drawn
from ftk_core.kit.house import started
from ftk_core.kit.protocol import TRIED, conformance

BOT = """
import itertools, json, sys
count = itertools.count(1)
{begins}
while text := sys.stdin.readline({bytes}):
    line = json.loads(text)
    {minds}
    if line["type"] == "ask":
        print(json.dumps({{"id": {id}, "choose": {choose}}}), flush=True)
"""
GOOD = {"begins": "", "bytes": -1, "minds": "", "id": "line['id']", "choose": 0}
FAULTY: dict[str, tuple[dict[str, object], str]] = {
    "is greeted": ({"minds": "assert line['type'] == 'hello'"}, "it has ended"),
    "answers each question of a match": ({"choose": "len(line['menu'])"}, "count from 0"),
    "passes over fields": ({"minds": "assert 'since' not in line"}, "it has ended"),
    "takes a question of a mebibyte": ({"bytes": 1 << 16}, "read each line whole"),
    "answers by the id": ({"id": "next(count)"}, "give the question's id back"),
    "writes nothing before": ({"begins": "print('ready', flush=True)"}, "nobody had asked for"),
}
"""Bots with one fault each, by the first words of the check that finds it, and what is told of it."""


@pytest.mark.slow
@pytest.mark.parametrize("game", shelf())
def test_a_bot_of_the_house_keeps_to_the_protocol_of_each_game(game: str) -> None:
    found = conformance(game, "random")
    assert [row for row in found.checks if not row.passed] == []
    assert len(found.checks) == len(TRIED)


@pytest.mark.slow
@pytest.mark.parametrize("language", BEGUN)
def test_what_is_begun_keeps_to_it(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = conformance("pig", str(begin("mine", "pig", language, tmp_path)))
    assert [row for row in found.checks if not row.passed] == []


@pytest.mark.parametrize("check", FAULTY)
def test_each_fault_is_found_by_its_check_and_told_with_a_remedy(check: str, tmp_path: Path) -> None:
    changed, told = FAULTY[check]
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(**{**GOOD, **changed}))
    row = next(row for row in conformance("pig", str(bot)).checks if row.name.startswith(check))
    assert not row.passed
    assert told in row.told


@pytest.mark.slow
def test_a_bot_that_does_not_flush_or_does_not_leave_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialogue, "SECONDS", 0.5)
    bot = tmp_path / "bot.py"
    bot.write_text("import signal\nsignal.pause()\n")
    found = {row.name.partition(",")[0]: row.told for row in conformance("pig", str(bot)).checks}
    assert "flush each line" in found["is greeted"]
    assert "leave when reading gives nothing more" in found["writes nothing before it is asked"]


@pytest.mark.slow
def test_the_command_prints_a_row_for_each_check_or_one_document(tmp_path: Path) -> None:
    said = CliRunner().invoke(app, ["protocol", "random"])
    assert said.exit_code == 0, said.output
    assert said.stdout.count("ok  ") == len(TRIED)
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(**{**GOOD, "id": "next(count)"}))
    done = CliRunner().invoke(app, ["protocol", str(bot), "--json"])
    assert done.exit_code == 1
    document = json.loads(done.stdout)
    assert (document["schema"], document["passed"]) == ("ftk.protocol/1", False)


def test_the_document_draws_the_dialogue_that_the_code_has() -> None:
    assert f"```mermaid\n{drawn()}\n```" in Path("docs/bot-protocol.md").read_text()
    assert {state for state, _ in NEXT} | set(NEXT.values()) == {"started", "greeted", "asked", "finished", "ended"}


def test_a_step_that_the_dialogue_does_not_have_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import sys\nsys.stdin.read()\n")
    with Dialogue(started(("python", str(tmp_path / "bot.py")))) as bot, pytest.raises(Unasked, match="is started"):
        bot.tell({"type": "ask"})
