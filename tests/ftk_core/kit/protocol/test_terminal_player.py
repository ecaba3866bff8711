"""Play at a terminal: the next question is shown as soon as an earlier one has expired."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import pytest

from ftk_core.kit.protocol.terminal_player import TerminalPlayer


@pytest.mark.parametrize("gone", ["over", "lost", "replaced"])
async def test_the_next_question_is_shown_without_an_answer_to_one_that_is_gone(
    monkeypatch: pytest.MonkeyPatch, gone: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    shown, sent = asyncio.Queue[str](), asyncio.Queue[tuple[str, Any]]()
    player = TerminalPlayer(lambda seat, line: sent.put_nowait((seat, line)), shown.put_nowait)

    async def read_until(text: str) -> None:
        while text not in await asyncio.wait_for(shown.get(), 20):
            pass

    player.hear("one/0", {"type": "ask", "id": 1, "menu": [0, 1]}, "the first question")
    await read_until("the first question")
    if gone == "over":
        player.hear("one/0", {"type": "over", "places": [2, 1]}, "")
    elif gone == "lost":
        player.end_other_seats(["two/0"])
    seat = "one/0" if gone == "replaced" else "two/0"
    player.hear(seat, {"type": "ask", "id": 2, "menu": [0, 1]}, "the second question")
    await read_until("the second question")
    player._typed.put_nowait("1")
    assert await asyncio.wait_for(sent.get(), 20) == (seat, {"id": 2, "choose": 1})
    await player.end()
