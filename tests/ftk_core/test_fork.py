"""A fork plays on from a choice: as it was, or as it could have been."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import msgspec
import pytest

from ftk_core import fork as forks
from ftk_core.entries import Chose, Closed, Opened, read, write
from ftk_core.estimate import FIRST, AnyPolicy
from ftk_core.facts import OMNISCIENT, PUBLIC
from ftk_core.fold import states
from ftk_core.fork import NoFork, as_it_could_have_been, as_it_was, check_eyes, fork_at
from ftk_core.games import game, shelf
from ftk_core.rng import Chance, seed_of
from ftk_core.whatif import tries
from tests.support.reviews import log_of, own_log_of, policy_for


def choices_in(lines: list[bytes]) -> list[int]:
    return [entry.seq for entry in map(read, lines) if isinstance(entry, Chose)]


def closed_in(lines: list[bytes]) -> Closed:
    closed = read(lines[-1])
    assert isinstance(closed, Closed)
    return closed


@pytest.mark.parametrize("name", ["for_the_king", "pig", "to_court_the_king"])
def test_as_it_was_the_same_choices_come_to_the_same_end(name: str) -> None:
    lines = own_log_of(name, game(name).seats.start)
    for entry in choices_in(lines)[::40]:
        way = as_it_was(lines, entry)
        choose = policy_for(name).start(game(name), 2, Chance(seed_of("any")).at("policy"))
        last = way.play(way.fork.chosen, choose)
        assert game(name).result(last).places == closed_in(lines).places


@pytest.mark.parametrize("name", shelf())
def test_a_fork_is_the_table_at_which_the_choice_was_made(name: str) -> None:
    lines = log_of(name)
    folded = [state for _, state in states(game(name), lines)]
    for entry in choices_in(lines)[::7]:
        fork = fork_at(lines, entry)
        assert fork.state == folded[entry]
        assert fork.menu == tuple(game(name).legal(folded[entry], fork.seat))


def test_those_who_chose_before_in_the_same_turn_are_not_asked_again() -> None:
    lines = own_log_of("kings_court", 8)
    given = [fork_at(lines, entry).given for entry in choices_in(lines)]
    assert any(given)


def test_as_it_could_have_been_needs_no_end_and_meets_other_luck() -> None:
    lines = log_of("pig")[:30]
    way = as_it_could_have_been(lines, choices_in(lines)[0], OMNISCIENT)
    ends = {
        game("pig").result(way.play(0, AnyPolicy().start(game("pig"), 2, chance.at("policy")), chance)).scores
        for chance in (Chance(seed_of("luck", number)) for number in range(8))
    }
    assert len(ends) > 1


def test_items_are_tried_in_the_same_luck_so_an_item_gains_nothing_against_itself() -> None:
    lines = log_of("pig")
    way = as_it_could_have_been(lines, choices_in(lines)[3], OMNISCIENT)
    (_, chosen), (_, other) = tries(way, [0, 1], AnyPolicy(), 20)
    assert (chosen.gain, chosen.gain_margin) == ("0", "0")
    assert sum(other.places) == other.playouts == 20


def test_it_is_played_on_until_the_margins_are_narrow_enough_and_every_item_as_often() -> None:
    lines = log_of("pig")
    way = as_it_could_have_been(lines, choices_in(lines)[3], OMNISCIENT)
    found = [row for _, row in tries(way, [0, 1], AnyPolicy(), 1000, Fraction(1, 8))]
    assert FIRST <= found[0].playouts == found[1].playouts < 1000
    assert Fraction(found[0].margin) <= Fraction(1, 8)


@pytest.mark.parametrize(
    ("entry", "says"), [(-1, "has the entries 0 to"), (10**6, "has the entries 0 to"), (0, "no choice")]
)
def test_there_is_no_fork_where_nobody_was_asked(entry: int, says: str) -> None:
    with pytest.raises(NoFork, match=says):
        fork_at(log_of("pig"), entry)


def test_a_match_without_its_end_has_no_luck_of_its_own() -> None:
    lines = log_of("pig")[:30]
    with pytest.raises(NoFork, match="its seed is not revealed"):
        as_it_was(lines, choices_in(lines)[0])


def test_a_match_by_earlier_rules_is_not_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    opened, *rest = log_of("pig")
    older = replace(game("pig"), version=0)
    entry = read(opened)
    assert isinstance(entry, Opened)
    monkeypatch.setattr(forks, "game_of", lambda _opened: older)
    lines = [write(msgspec.structs.replace(entry, version=0)), *rest]
    with pytest.raises(NoFork, match="version 0 of Pig: only 1 is played on"):
        fork_at(lines, choices_in(lines)[0])


@pytest.mark.parametrize("viewer", [PUBLIC, 0])
def test_a_game_that_cannot_deal_again_says_so_by_name(viewer: int) -> None:
    with pytest.raises(NoFork, match="Pig cannot deal again"):
        check_eyes(replace(game("pig"), resample=None), viewer)
    check_eyes(replace(game("pig"), resample=None), OMNISCIENT)
