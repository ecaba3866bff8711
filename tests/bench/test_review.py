"""How long a review of a match takes on one core, and what a fork costs beside playing on."""

from __future__ import annotations

import time
from itertools import count

from ftk_core.bare import play_on
from ftk_core.entries import Chose, read
from ftk_core.estimate import QuickPolicy
from ftk_core.facts import OMNISCIENT
from ftk_core.fork import as_it_could_have_been
from ftk_core.games import game
from ftk_core.rng import Chance, seed_of
from tests.support.bench.windows import Figure, compare
from tests.support.reviews import log_of, review_of

SECONDS = 60.0
"""A match of For the King of four seats is reviewed within this, at 100 playouts a choice (issue 16)."""


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


def test_a_fork_costs_little_more_than_playing_on(figures: list[Figure]) -> None:
    rules, lines = game("for_the_king"), log_of("for_the_king", 4)
    entries = [entry.seq for entry in map(read, lines) if isinstance(entry, Chose)]
    way = as_it_could_have_been(lines, entries[len(entries) // 2], OMNISCIENT)
    fork, numbers = way.fork, {"ours": count(), "floor": count()}

    def chance_of(whose: str) -> Chance:
        return Chance(seed_of("bench fork", next(numbers[whose]) % 50))

    def forked() -> float:
        chance = chance_of("ours")
        way.play(fork.chosen, QuickPolicy().start(rules, 4, chance.at("policy")), chance)
        return 1.0

    def played_on() -> float:
        chance = chance_of("floor")
        given = {fork.seat: fork.menu[fork.chosen]}
        play_on(rules, fork.state, chance, QuickPolicy().start(rules, 4, chance.at("policy")), given)
        return 1.0

    figure = compare("for_the_king: playouts from a fork, per second", forked, "playing on", played_on, ">= 0.83")
    figures.append(figure)
    assert figure.ratio >= 1 / 1.2
