"""Impossible states of For the King are refused by the native rules, and native matches can be copied."""

from __future__ import annotations

import json
from copy import copy, deepcopy

import pytest

from ftk_core.facts import encode
from ftk_core.native.native_match import NativeHiddenStateSampler, NativeMatch
from ftk_core.native.shared_rules_library import NativeError
from ftk_core.random_streams import seed_of
from tests.support.laws.tables import play_random_match

pytestmark = pytest.mark.usefixtures("native_library")


def change_auction(**changes: object) -> bytes:
    """Return a state of the auction of a card that gold pays for, with some changed fields."""
    states = (moment.state for moment in play_random_match("for_the_king", 2, 0).moments)
    state = next(state for state in states if state.bid and not state.lot.startswith("GOLD"))
    return json.dumps(json.loads(encode(state)) | changes, separators=(",", ":")).encode()


def test_an_unchanged_state_of_an_auction_is_accepted() -> None:
    NativeMatch("for_the_king", 2).set_state(change_auction())


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"bid": -1}, "no such bid"),
        ({"bid": 500_000_000}, "no such bid"),
        ({"paying": False, "paid": ["GOV-DIPLOMACY-H"]}, "nobody pays"),
        ({"paying": True, "paid": ["GOV-DIPLOMACY-H"]}, "gold is paid with another card"),
    ],
)
def test_a_state_with_an_impossible_bid_or_payment_is_refused(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(NativeError, match=reason):
        NativeMatch("for_the_king", 2).set_state(change_auction(**changes))


def test_a_copy_of_a_native_match_by_the_copy_module_is_independent() -> None:
    match = NativeMatch("pig", 2)
    match.seed(seed_of("copies"))
    match.next_question()
    before = match.state()
    for copied in (copy(match), deepcopy(match)):
        assert copied.handle != match.handle
        copied.choose(0)
    assert match.state() == before
    with pytest.raises(TypeError, match="cannot be copied"):
        copy(NativeHiddenStateSampler(match, 0))
