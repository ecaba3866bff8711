"""Questions to Python bots: `Ask` and the state that it requests from the arena."""

from __future__ import annotations

from typing import Any

import pytest

from ftk_core.kit.bot import Ask

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
