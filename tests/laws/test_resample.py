"""A resampled state looks the same to its viewer as the actual state, and a match can continue from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ftk_core.facts import OMNISCIENT, PUBLIC, Viewer
from ftk_core.games import game, list_games
from ftk_core.match_fork import has_secrets
from ftk_core.match_state_from_log import AnyGame, states
from ftk_core.random_streams import MatchRandomness, seed_of
from tests.support.laws.by_game import census_of
from tests.support.laws.tables import GAMES_AND_SIZES, MATCHES, play_random_match

GAMES = sorted(name for name, row in list_games().items() if row.resample)
TABLES = [(name, seats) for name, seats in GAMES_AND_SIZES if name in GAMES]
EVERYWHERE = pytest.mark.parametrize(("name", "seats"), TABLES)
STATES = 1 + MATCHES
"""Number of states of each match that are resampled."""
LONGEST = 600
"""Maximum number of choices in a match that is continued."""


def moments(name: str, seats: int) -> Iterator[Any]:
    """Yield states of random matches and of one of built-in bots, from the opening to the end."""
    golden = Path(f"tests/golden/{name}-{seats}.jsonl").read_bytes().splitlines(keepends=True)
    entries = [line for line in golden if line.startswith(b'{"kind"')]
    matches = [[state for _, state in states(game(name), entries) if state is not None]]
    matches += [play_random_match(name, seats, number).states for number in range(max(1, MATCHES // 4))]
    for match in matches:
        yield from match[:: max(1, len(match) // STATES)]
        yield match[-1]


def eyes(seats: int) -> tuple[Viewer, ...]:
    return (PUBLIC, OMNISCIENT, *range(seats))


def lost_view(row: AnyGame) -> AnyGame:
    """Return a faulty game that resamples for the public, and so changes what a seat has seen."""
    resample = row.resample
    assert resample
    return replace(row, resample=lambda state, _viewer, chance: resample(state, PUBLIC, chance))


def again(row: AnyGame, state: Any, viewer: Viewer, number: int = 0) -> Any:
    """Return a resampled state for a viewer."""
    assert row.resample
    return row.resample(state, viewer, MatchRandomness(seed_of("again", viewer, number)))


def looks_the_same(row: AnyGame, seats: int) -> None:
    for state in moments(row.name, seats):
        for viewer in eyes(seats):
            assert row.view(again(row, state, viewer), viewer) == row.view(state, viewer)


def box_is_complete(row: AnyGame, seats: int) -> None:
    census = census_of(row.name)
    for number, state in enumerate(moments(row.name, seats)):
        viewer = eyes(seats)[number % len(eyes(seats))]
        assert sorted(census(again(row, state, viewer))) == sorted(census(state))


def plays_on(row: AnyGame, seats: int) -> None:
    census, draw = census_of(row.name), MatchRandomness(seed_of("plays on", row.name, seats)).at("choices")
    asked = [moment.state for moment in play_random_match(row.name, seats, 1).moments]
    for number, state in enumerate(asked[:: 1 + len(asked) // (1 + MATCHES // 2)]):
        chance, now = MatchRandomness(seed_of("from here", number)), again(row, state, number % (seats + 1) - 1)
        for _ in range(LONGEST):
            if not (due := row.turn(now)):
                break
            for seat in due:
                menu = row.legal(now, seat)
                for fact in row.decide(now, seat, menu[draw.below(min(len(menu), 4))], chance):
                    now = row.apply(now, fact)
        else:
            continue
        assert len(row.result(now).places) == seats
        assert sorted(census(now)) == sorted(census(state))


@pytest.mark.slow
@EVERYWHERE
def test_the_viewer_for_whom_a_game_state_is_resampled_sees_the_same_as_before(name: str, seats: int) -> None:
    looks_the_same(game(name), seats)


@EVERYWHERE
def test_a_resampled_game_state_contains_all_pieces_of_the_game(name: str, seats: int) -> None:
    box_is_complete(game(name), seats)


@EVERYWHERE
def test_a_resampled_game_state_can_be_played_to_its_end(name: str, seats: int) -> None:
    plays_on(game(name), seats)


@pytest.mark.parametrize("name", [name for name in GAMES if has_secrets(game(name))])
def test_the_resampling_check_detects_a_resampling_that_changes_cards_the_seat_has_seen(name: str) -> None:
    with pytest.raises(AssertionError):
        looks_the_same(lost_view(game(name)), game(name).seats[0])


@pytest.mark.parametrize("name", GAMES)
def test_the_same_random_seed_gives_the_same_resampled_state_and_other_seeds_give_other_states(name: str) -> None:
    row, seats, seen = game(name), game(name).seats[0], set[Any]()
    state = play_random_match(name, seats, 0).moments[-1].state
    for number in range(8):
        assert again(row, state, PUBLIC, number) == again(row, state, PUBLIC, number)
        seen.add(repr(again(row, state, PUBLIC, number)))
    hides = row.view(state, PUBLIC) != row.view(state, OMNISCIENT)
    assert (len(seen) > 1) == (hides and repr(state) != "")
