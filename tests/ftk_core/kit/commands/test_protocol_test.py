"""`ftk protocol` finds each protocol fault of a bot by a separate check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ftk_core.games import list_games
from ftk_core.kit.built_in_bots import list_search_bots, start_command
from ftk_core.kit.cli import app
from ftk_core.kit.commands.new_bot import create_bot_folder
from ftk_core.kit.commands.protocol_conformance import CONFORMANCE_CHECKS, run_conformance_checks
from ftk_core.kit.protocol import protocol_state_machine
from ftk_core.kit.protocol.protocol_state_machine import (
    TRANSITIONS,
    BotProtocolSession,
    InvalidProtocolTransitionError,
)
from tests.support.sandbox.languages import STARTER_LANGUAGES

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
REQUEST = "if line['type'] == 'ask': print(json.dumps({'id': line['id'], 'world': True}), flush=True)"
READ_STATE = "state = json.loads(sys.stdin.readline()) if line['type'] == 'ask' else {}"
LOOKS_AHEAD = f"{REQUEST}\n    {READ_STATE}\n    assert state.get('id') == line.get('id')"
FAULTY: dict[str, tuple[dict[str, object], str]] = {
    "is greeted": ({"minds": "assert line['type'] == 'hello'"}, "it has ended"),
    "answers each question of a match": ({"choose": "len(line['menu'])"}, "count from 0"),
    "ignores unknown fields": ({"minds": "assert 'since' not in line"}, "it has ended"),
    "reads a question of one mebibyte": ({"bytes": 1 << 16}, "read each line whole"),
    "answers with the id": ({"id": "next(count)"}, "give the question's id back"),
    "answers each question of a match once": ({"minds": f"{LOOKS_AHEAD}\n    {REQUEST}"}, "a second state"),
    "is greeted, and": ({"minds": REQUEST.replace("line['id']", "9")}, "give the question's id back"),
    "is greeted, and answers": ({"minds": REQUEST.replace("True", "1")}, "it wrote b'{"),
    "writes nothing before": ({"begins": "print('ready', flush=True)"}, "nobody had asked for"),
}
"""Beginning of a check's name -> (bot with one fault, part of the check's message)."""


@pytest.mark.slow
@pytest.mark.parametrize("game", list_games())
def test_a_built_in_bot_follows_the_protocol_of_each_game(game: str) -> None:
    found = run_conformance_checks(game, "random")
    assert [row for row in found.checks if not row.passed] == []
    assert len(found.checks) == len(CONFORMANCE_CHECKS)


@pytest.mark.slow
def test_a_bot_that_looks_ahead_follows_the_protocol(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(**{**GOOD, "minds": LOOKS_AHEAD}))
    found = run_conformance_checks("pig", str(bot))
    assert [row for row in found.checks if not row.passed] == []


@pytest.mark.slow
@pytest.mark.parametrize("game", [name for name in list_games() if list_search_bots(name)])
def test_a_search_bot_follows_the_protocol_of_its_game(game: str) -> None:
    found = run_conformance_checks(game, "gentle")
    assert [row for row in found.checks if not row.passed] == []


@pytest.mark.slow
@pytest.mark.parametrize("language", STARTER_LANGUAGES)
def test_a_bot_created_by_ftk_new_follows_the_protocol(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = run_conformance_checks("pig", str(create_bot_folder("mine", "pig", language, tmp_path)))
    assert [row for row in found.checks if not row.passed] == []


@pytest.mark.slow
@pytest.mark.parametrize("check", FAULTY)
def test_each_protocol_fault_of_a_bot_is_found_by_its_check_and_reported_with_a_remedy(
    check: str, tmp_path: Path
) -> None:
    changed, told = FAULTY[check]
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(**{**GOOD, **changed}))
    row = next(row for row in run_conformance_checks("pig", str(bot)).checks if row.name.startswith(check))
    assert not row.passed
    assert told in row.told


@pytest.mark.slow
def test_a_bot_that_does_not_flush_or_does_not_exit_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol_state_machine, "ANSWER_SECONDS", 0.5)
    bot = tmp_path / "bot.py"
    bot.write_text("import signal\nsignal.pause()\n")
    found = {row.name.partition(",")[0]: row.told for row in run_conformance_checks("pig", str(bot)).checks}
    assert "flush each line" in found["is greeted"]
    assert "exit at the end of the input" in found["writes nothing before it is asked"]


@pytest.mark.slow
def test_ftk_protocol_test_prints_one_line_for_each_check_or_one_json_document(tmp_path: Path) -> None:
    said = CliRunner().invoke(app, ["protocol", "random"])
    assert said.exit_code == 0, said.output
    assert said.stdout.count("ok  ") == len(CONFORMANCE_CHECKS)
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(**{**GOOD, "id": "next(count)"}))
    done = CliRunner().invoke(app, ["protocol", str(bot), "--json"])
    assert done.exit_code == 1
    document = json.loads(done.stdout)
    assert (document["schema"], document["passed"]) == ("ftk.protocol/1", False)


def draw_diagram() -> str:
    """Return a Mermaid diagram of the state machine, as in docs/bot-protocol.md."""
    transitions = [f"    {state} --> {then}: {event}" for (state, event), then in TRANSITIONS.items()]
    return "\n".join(["stateDiagram-v2", "    [*] --> started", *transitions, "    ended --> [*]"])


def test_the_state_diagram_on_the_protocol_page_is_the_one_drawn_from_the_code() -> None:
    assert f"```mermaid\n{draw_diagram()}\n```" in Path("docs/bot-protocol.md").read_text()
    assert {state for state, _ in TRANSITIONS} | set(TRANSITIONS.values()) == {
        "started",
        "greeted",
        "asked",
        "waiting",
        "informed",
        "finished",
        "ended",
    }


def test_an_undefined_transition_of_the_protocol_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import sys\nsys.stdin.read()\n")
    with (
        BotProtocolSession(start_command(("python", str(tmp_path / "bot.py")))) as bot,
        pytest.raises(InvalidProtocolTransitionError, match="in the state started"),
    ):
        bot.send_line({"type": "ask"})
