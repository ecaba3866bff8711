"""Questions to Python bots: `Ask` and the state that it requests from the arena."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from io import BytesIO, StringIO, TextIOWrapper
from typing import Any

import pytest

from ftk_core.kit.bot import Ask, run

HELLO = {"type": "hello", "seat": 0}
LINE = {"type": "ask", "id": 1, "view": {}, "news": [], "menu": [{"kind": "hold"}], "bank_ms": 0}


@pytest.mark.parametrize("state", [None, {"points": [1, 2]}])
def test_a_bot_that_asks_twice_for_the_game_state_sends_one_request_even_if_no_state_exists(state: Any) -> None:
    requests = []

    def request() -> Any:
        requests.append(1)
        return state

    ask = Ask(HELLO, LINE, request)
    assert [ask.world(), ask.world()] == [state, state]
    assert len(requests) == 1


def play(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines of a bot that looks ahead and then takes item 0, if the server sends `lines`."""
    answers = StringIO()
    run(lambda ask: 0 * bool(ask.world()), StringIO("".join(json.dumps(line) + "\n" for line in lines)), answers)
    return [json.loads(line) for line in answers.getvalue().splitlines()]


def test_a_request_for_the_game_state_that_comes_too_late_costs_a_bot_no_later_question() -> None:
    late, world = {**LINE, "id": 2}, {"type": "world", "id": 2, "state": {"points": [1, 2]}}
    assert play([HELLO, LINE, late, world]) == [
        {"id": 1, "world": True},
        {"id": 2, "world": True},
        {"id": 2, "choose": 0},
    ]


def test_a_bot_that_requests_the_game_state_after_the_end_of_the_match_ends() -> None:
    assert play([HELLO, LINE, {"type": "over", "places": [1]}, LINE]) == [{"id": 1, "world": True}]


def test_a_late_request_for_the_game_state_stops_a_bot_that_catches_every_exception() -> None:
    def choose(ask: Ask) -> int:
        with suppress(Exception):
            return len(ask.world())
        return 0

    answers = StringIO()
    run(choose, StringIO("".join(json.dumps(line) + "\n" for line in (HELLO, LINE, {"type": "over"}))), answers)
    assert json.loads(answers.getvalue()) == {"id": 1, "world": True}


def test_a_python_bot_reads_its_questions_as_utf_8_whatever_the_encoding_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in (HELLO, {**LINE, "view": {"card": "卡"}}))
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(lines.encode()), "cp1252"))
    answers = StringIO()
    run(lambda ask: int(ask.view["card"] == "卡"), sink=answers)
    assert json.loads(answers.getvalue()) == {"id": 1, "choose": 1}
