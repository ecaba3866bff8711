"""How long a review of a match takes on one core, and what a fork costs beside playing on."""

from __future__ import annotations

import time
from itertools import count

import pytest

from ftk_core.bare import play_on
from ftk_core.entries import Chose, read
from ftk_core.estimate import QuickPolicy
from ftk_core.facts import PUBLIC
from ftk_core.fork import as_it_could_have_been, dealt_again
from ftk_core.games import game
from ftk_core.rng import Chance, seed_of
from tests.support.bench.windows import Figure, compare
from tests.support.reviews import log_of, review_of

SECONDS = 60.0
"""A match of For the King of four seats is reviewed within this, at 100 playouts a choice (issue 16)."""

FORKS = 12
"""At so many choices of a match, evenly over it."""
WORLDS = 50
"""So often all is dealt again at each of them; what plays on plays on from these worlds, too."""


def test_a_match_of_four_is_reviewed_in_time(figures: list[Figure]) -> None:
    lines = log_of("for_the_king", 4)
    began = time.process_time()
    review_of(lines, 100)
    spent = time.process_time() - began
    figures.append(
        Figure("for_the_king: reviews of a match of 4 at 100 playouts a choice, per minute of a core", 60 / spent, 1.0,
               60 / spent, "the minute that is wanted", ">= 1")
    )  # fmt: skip
    assert spent <= SECONDS


@pytest.mark.parametrize(("name", "seats"), [("for_the_king", 4), ("kings_court", 12), ("to_court_the_king", 4)])
def test_a_fork_costs_little_more_than_playing_on(figures: list[Figure], name: str, seats: int) -> None:
    """Fork at choices throughout a match, all that the public does not know dealt again for every playout."""
    rules, lines = game(name), log_of(name, seats)
    entries = [entry.seq for entry in map(read, lines) if isinstance(entry, Chose)]
    ways = [as_it_could_have_been(lines, entry, PUBLIC) for entry in entries[:: len(entries) // FORKS]]
    numbers = {"ours": count(), "floor": count()}

    forks, chances = [way.fork for way in ways], [Chance(seed_of("bench fork", number)) for number in range(WORLDS)]
    worlds = [[dealt_again(rules, fork.state, PUBLIC, chance) for fork in forks] for chance in chances]

    def forked() -> float:
        chance = Chance(seed_of("bench fork", next(numbers["ours"]) % WORLDS))
        for way in ways:
            way.play(way.fork.chosen, QuickPolicy().start(rules, seats, chance.at("policy")), chance)
        return len(ways)

    def played_on() -> float:
        number = next(numbers["floor"]) % WORLDS
        chance = Chance(seed_of("bench fork", number))
        for fork, world in zip(forks, worlds[number], strict=True):
            given = {fork.seat: fork.menu[fork.chosen]}
            play_on(rules, world, chance, QuickPolicy().start(rules, seats, chance.at("policy")), given)
        return len(ways)

    figure = compare(f"{name}: playouts from a fork, per second", forked, "playing on", played_on, ">= 0.83")
    figures.append(figure)
    assert figure.ratio >= 1 / 1.2
