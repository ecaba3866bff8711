"""A fork continues a match from one choice, with the original or with fresh luck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from ftk_core import match_fork as forks
from ftk_core.analysis.playouts import RandomPlayoutPolicy
from ftk_core.analysis.position_estimates import FIRST_CHECK_PLAYOUTS
from ftk_core.analysis.what_if_analysis import compare_items
from ftk_core.facts import OMNISCIENT, PUBLIC, Action, encode
from ftk_core.games import game, list_games
from ftk_core.log_entries import ChoiceMade, MatchFinished, MatchOpened, read, write
from ftk_core.match_fork import (
    ForkWithSameSeed,
    MatchForkError,
    check_viewer_supported,
    fork_at,
    fork_with_new_deal,
    fork_with_same_luck,
)
from ftk_core.match_state_from_log import states
from ftk_core.random_streams import MatchRandomness, seed_of
from tests.support.finger_game import FINGERS
from tests.support.reviews import log_of, own_log_of, policy_for


def choices_in(lines: list[bytes]) -> list[int]:
    return [entry.seq for entry in map(read, lines) if isinstance(entry, ChoiceMade)]


def closed_in(lines: list[bytes]) -> MatchFinished:
    closed = read(lines[-1])
    assert isinstance(closed, MatchFinished)
    return closed


@pytest.mark.parametrize("name", ["for_the_king", "pig", "to_court_the_king"])
def test_a_fork_with_the_original_random_seed_and_the_same_choices_reaches_the_same_result(name: str) -> None:
    lines = own_log_of(name, game(name).seats.start)
    for entry in choices_in(lines)[::40]:
        way = fork_with_same_luck(lines, entry)
        choose = policy_for(name).start(game(name), 2, MatchRandomness(seed_of("any")).at("policy"))
        last = way.play(way.fork.chosen, choose)
        assert game(name).result(last).places == closed_in(lines).places


@pytest.mark.parametrize("name", list_games())
def test_a_fork_starts_from_the_game_state_in_which_the_choice_was_made(name: str) -> None:
    lines = log_of(name)
    folded = [state for _, state in states(game(name), lines)]
    for entry in choices_in(lines)[::7]:
        fork = fork_at(lines, entry)
        assert fork.state == folded[entry]
        assert fork.menu == tuple(game(name).legal(folded[entry], fork.seat))


def test_a_fork_of_a_match_keeps_choices_already_made_in_the_same_simultaneous_turn() -> None:
    lines, made, ways = own_log_of("kings_court", 8), dict[int, bytes](), list[ForkWithSameSeed]()
    for entry in map(read, lines):
        if not isinstance(entry, ChoiceMade):
            made = {}
            continue
        way = fork_with_same_luck(lines, entry.seq)
        assert {seat: encode(action) for seat, action in way.fork.given.items()} == made
        ways += [way] if made else []
        made[entry.seat] = bytes(entry.action)
    way = ways[-1]

    def choose(state: Any, seat: int, _menu: Sequence[Action]) -> int:
        assert state != way.fork.state or seat not in way.fork.given
        return 0

    assert way.play(way.fork.chosen, choose)


def test_an_unfinished_match_can_be_forked_with_new_random_seeds() -> None:
    lines = log_of("pig")[:30]
    way = fork_with_new_deal(lines, choices_in(lines)[0], OMNISCIENT)
    ends = {
        game("pig").result(way.play(0, RandomPlayoutPolicy().start(game("pig"), 2, chance.at("policy")), chance)).scores
        for chance in (MatchRandomness(seed_of("luck", number)) for number in range(8))
    }
    assert len(ends) > 1


def test_the_chosen_menu_item_has_a_gain_of_0_when_menu_items_are_compared_with_equal_random_seeds() -> None:
    lines = log_of("pig")
    way = fork_with_new_deal(lines, choices_in(lines)[3], OMNISCIENT)
    (_, chosen), (_, other) = compare_items(way, [0, 1], RandomPlayoutPolicy(), 20)
    assert (chosen.gain, chosen.gain_margin) == ("0", "0")
    assert sum(other.places) == other.playouts == 20


def test_all_menu_items_are_played_out_equally_often_until_their_margins_of_error_are_small_enough() -> None:
    lines = log_of("pig")
    way = fork_with_new_deal(lines, choices_in(lines)[3], OMNISCIENT)
    found = [row for _, row in compare_items(way, [0, 1], RandomPlayoutPolicy(), 1000, Fraction(1, 8))]
    assert FIRST_CHECK_PLAYOUTS <= found[0].playouts == found[1].playouts < 1000
    assert max(Fraction(one.margin) for one in found) <= Fraction(1, 8)


@pytest.mark.parametrize(
    ("entry", "says"), [(-1, "has the entries 0 to"), (10**6, "has the entries 0 to"), (0, "not a choice")]
)
def test_a_match_cannot_be_forked_at_a_log_entry_without_a_choice(entry: int, says: str) -> None:
    with pytest.raises(MatchForkError, match=says):
        fork_at(log_of("pig"), entry)


def test_an_unfinished_match_cannot_be_forked_with_its_original_random_seed() -> None:
    lines = log_of("pig")[:30]
    with pytest.raises(MatchForkError, match="its seed is not revealed"):
        fork_with_same_luck(lines, choices_in(lines)[0])


def test_a_match_by_an_earlier_rules_version_cannot_be_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    opened, *rest = log_of("pig")
    older = replace(game("pig"), version=0)
    entry = read(opened)
    assert isinstance(entry, MatchOpened)
    monkeypatch.setattr(forks, "game_of", lambda _opened: older)
    lines = [write(msgspec.structs.replace(entry, version=0)), *rest]
    with pytest.raises(MatchForkError, match="version 0 of Pig: only matches of version 1 can be continued"):
        fork_at(lines, choices_in(lines)[0])


@pytest.mark.parametrize("viewer", [PUBLIC, 0])
def test_forking_for_a_limited_view_is_refused_if_the_game_has_secrets_that_it_cannot_deal_again(viewer: int) -> None:
    with pytest.raises(MatchForkError, match=r"For the King .* cannot deal hidden information again"):
        check_viewer_supported(replace(game("for_the_king"), resample=None), viewer)
    check_viewer_supported(replace(game("for_the_king"), resample=None), OMNISCIENT)
    check_viewer_supported(replace(game("pig"), resample=None), viewer)


def test_forking_for_a_limited_view_is_refused_if_the_only_type_of_event_of_a_game_has_a_secret() -> None:
    with pytest.raises(MatchForkError, match="Fingers cannot deal hidden information again"):
        check_viewer_supported(FINGERS, PUBLIC)
