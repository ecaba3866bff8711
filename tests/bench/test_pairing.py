"""Time to pair a round, and its number of repeated opponents."""

from __future__ import annotations

import math
from itertools import combinations
from time import perf_counter

import msgspec
import pytest

from ftk_core.league.pairing.pairing_input_and_output import PairingInput, PairingOutput
from ftk_core.league.pairing.round_pairing import draw_round
from ftk_core.random_streams import MatchRandomness, seed_of
from tools.bench.pairing_benchmark_leagues import WIN, build_carelessly_paired_field, build_well_paired_field
from tools.bench.reference_workloads import allow_seconds
from tools.bench.workload_speed_comparison import BenchmarkResult, compare_rates

BEFORE = {(64, 4, 5): 0, (64, 4, 11): 0, (64, 8, 5): 31, (64, 8, 11): 123}
"""(entries, seats, rounds): the repeats of the pairing that this one replaced (exchanges of neighbours from twelve
starting orders, commit e7e03df), measured once on `build_carelessly_paired_field(entries, seats, rounds, 1)`."""


def paired(problem: PairingInput) -> PairingOutput:
    return draw_round(problem, MatchRandomness(seed_of("bench")).at("pairing", 1))


def seconds(problem: PairingInput) -> float:
    """Return the shortest of three times."""
    times = []
    for _ in range(3):
        started = perf_counter()
        paired(problem)
        times.append(perf_counter() - started)
    return min(times)


def squares(problem: PairingInput, tables: tuple[tuple[int, ...], ...]) -> float:
    points = {candidate.entry: candidate.points / WIN for candidate in problem.candidates}
    return sum((points[one] - points[other]) ** 2 for table in tables for one, other in combinations(table, 2))


@pytest.mark.parametrize(("entries", "size", "rounds"), BEFORE)
def test_the_pairing_algorithm_repeats_at_most_as_many_meetings_as_its_predecessor(
    entries: int, size: int, rounds: int
) -> None:
    assert (
        paired(build_carelessly_paired_field(entries, size, rounds, 1)).weighed.repeats <= BEFORE[entries, size, rounds]
    )


@pytest.mark.parametrize(
    ("entries", "size", "rounds", "wanted"),
    [
        (64, 4, 5, 0.2),
        (64, 4, 11, 0.2),
        (64, 8, 5, 0.2),
        (64, 8, 11, 0.2),
        (256, 8, 5, 2),
        (256, 8, 11, 2),
        (1000, 4, 5, 3),
        (1000, 4, 11, 3),
    ],
)
def test_pairing_a_round_stays_within_its_time_limit(
    figures: list[BenchmarkResult], entries: int, size: int, rounds: int, wanted: float
) -> None:
    problem = build_carelessly_paired_field(entries, size, rounds, 1)
    took, limit = seconds(problem), allow_seconds(wanted)
    name = f"{entries} at tables of {size} after {rounds} rounds, rounds/s"
    figures.append(BenchmarkResult(name, 1 / took, 1 / limit, limit / took, "what is wanted", ">= 1"))
    assert took <= limit


@pytest.mark.parametrize(("entries", "rounds"), [(1000, 0), (1000, 5), (1000, 11), (2000, 5), (2000, 11)])
def test_the_time_to_pair_tables_of_two_players_is_compared_with_the_swisspair_library(
    figures: list[BenchmarkResult], entries: int, rounds: int
) -> None:
    import swisspair  # it has no wheels for Python 3.14

    problem = build_well_paired_field(entries, 2, rounds)
    order = sorted(problem.candidates, key=lambda candidate: -candidate.points)
    players = [
        swisspair.Player(
            str(c.entry), c.points // WIN, rank, can_get_bye=True, cannot_be_paired_against_ids={str(e) for e in c.met}
        )
        for rank, c in enumerate(order, 1)
    ]

    def ours() -> float:
        paired(problem)
        return 1.0

    def theirs() -> float:
        swisspair.create_matches(players)
        return 1.0

    name = f"{entries} in pairs after {rounds} rounds, rounds/s"
    figure = compare_rates(name, ours, "swisspair (C++)", theirs, ">= 0.5; at least 0.05")
    figures.append(figure)
    found = [(int(match.p1.id), int(match.p2.id)) for match in swisspair.create_matches(players)]
    drawn = paired(problem)
    assert drawn.weighed.repeats == 0
    assert drawn.weighed.seats <= 1, "which it does not look at"
    seatless = tuple(msgspec.structs.replace(candidate, seats={}) for candidate in problem.candidates)
    drawn = paired(msgspec.structs.replace(problem, candidates=seatless))
    assert squares(problem, drawn.tables) <= squares(problem, tuple(found)), "its score groups"
    assert figure.ratio >= 0.05, "windows of one run differ by half"


@pytest.mark.parametrize("size", [2, 4, 8])
def test_pairing_time_grows_nearly_linearly_with_entries(figures: list[BenchmarkResult], size: int) -> None:
    """Fit the exponent to the logarithms of all sizes by least squares."""
    entries = [128, 256, 512, 1024]
    logs = [(math.log(count), math.log(seconds(build_well_paired_field(count, size, 3)))) for count in entries]
    mean = [sum(column) / len(logs) for column in zip(*logs, strict=True)]
    over = sum((x - mean[0]) * (y - mean[1]) for x, y in logs)
    exponent = over / sum((x - mean[0]) ** 2 for x, _ in logs)
    figures.append(
        BenchmarkResult(f"exponent of time over entries, tables of {size}", exponent, 2, exponent / 2, "2", "<= 1")
    )
    assert exponent <= 2.5
