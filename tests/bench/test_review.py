"""Time to review a match on one core, and the cost of a fork compared with playing on."""

from __future__ import annotations

import time
from itertools import count

import pytest

from ftk_core.analysis.playouts import QuickPlayoutPolicy
from ftk_core.facts import PUBLIC
from ftk_core.games import game
from ftk_core.log_entries import ChoiceMade, read
from ftk_core.match_fork import deal_again, fork_with_new_deal
from ftk_core.random_streams import MatchRandomness, seed_of
from ftk_core.unlogged_play import play_from_state
from tests.support.reviews import log_of, review_of
from tools.bench.reference_workloads import allow_seconds
from tools.bench.workload_speed_comparison import BenchmarkResult, compare_rates

SECONDS = 2.0
"""Maximum seconds to review a match of For the King with four seats, at 100 playouts a choice, from each seat."""

FORKS = 12
"""Number of choices, spread evenly over a match, at which it is forked."""
WORLDS = 50
"""Number of redealt worlds at each fork. The baseline plays on from the same worlds."""


def test_reviewing_a_match_of_four_players_stays_within_its_processor_time_limit(
    figures: list[BenchmarkResult],
) -> None:
    lines = log_of("for_the_king", 4)
    began = time.process_time()
    review_of(lines, 100, eyes="own")
    spent = time.process_time() - began
    limit = allow_seconds(SECONDS)
    figures.append(
        BenchmarkResult(
            "for_the_king: reviews of a match of 4 at 100 playouts a choice, per minute of a core",
            60 / spent, 60 / limit, limit / spent, "what is wanted", ">= 1",
        )
    )  # fmt: skip
    assert spent <= limit


@pytest.mark.parametrize(("name", "seats"), [("for_the_king", 4), ("kings_court", 12), ("to_court_the_king", 4)])
def test_playouts_from_a_fork_of_a_match_take_at_most_20_percent_longer_than_continuing_the_match(
    figures: list[BenchmarkResult], name: str, seats: int
) -> None:
    """Fork at choices from all parts of a match, and deal all hidden information again for every playout."""
    rules, lines = game(name), log_of(name, seats)
    entries = [entry.seq for entry in map(read, lines) if isinstance(entry, ChoiceMade)]
    ways = [fork_with_new_deal(lines, entry, PUBLIC) for entry in entries[:: len(entries) // FORKS]]
    numbers = {"ours": count(), "floor": count()}

    forks, chances = (
        [way.fork for way in ways],
        [MatchRandomness(seed_of("bench fork", number)) for number in range(WORLDS)],
    )
    worlds = [[deal_again(rules, fork.state, PUBLIC, chance) for fork in forks] for chance in chances]

    def forked() -> float:
        chance = MatchRandomness(seed_of("bench fork", next(numbers["ours"]) % WORLDS))
        for way in ways:
            way.play(way.fork.chosen, QuickPlayoutPolicy().start(rules, seats, chance.at("policy")), chance)
        return len(ways)

    def played_on() -> float:
        number = next(numbers["floor"]) % WORLDS
        chance = MatchRandomness(seed_of("bench fork", number))
        for fork, world in zip(forks, worlds[number], strict=True):
            given = {fork.seat: fork.menu[fork.chosen]}
            play_from_state(rules, world, chance, QuickPlayoutPolicy().start(rules, seats, chance.at("policy")), given)
        return len(ways)

    # many windows, because the ratio of two neighbouring windows varies by a quarter
    figure = compare_rates(
        f"{name}: playouts from a fork, per second", forked, "playing on", played_on, ">= 0.83", windows=25
    )
    figures.append(figure)
    assert figure.ratio >= 1 / 1.2
