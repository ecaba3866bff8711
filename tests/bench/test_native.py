"""Speed of the native rules on one core, beside that of other libraries which `make bench` installs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import Any

import pytest

from ftk_core.games import game
from ftk_core.native.native_match import NativeMatch
from ftk_core.native.shared_rules_library import load_library
from ftk_core.random_streams import UnseededRandomness
from ftk_core.unlogged_play import play_without_log
from tests.support.native_library import build_and_load
from tests.support.native_rules import NATIVE_GAMES
from tools.bench.external_game_library_benchmarks import BY_PYTHON, IN_CPP, list_installed
from tools.bench.workload_speed_comparison import BenchmarkResult, Work, compare_rates

MATCHES = 50
"""Matches in one call of a workload."""
LEAST_RATIO = 1.5
"""Least ratio of decisions per second: native random play of each game to OpenSpiel's hearts."""
DRIVEN_AIM = ">= 2"
DRIVEN = "native play, every choice made by Python, decisions/s"
Peers = dict[str, tuple[str, Callable[[], Work]]]


@pytest.fixture(scope="module", autouse=True)
def native_library() -> None:
    build_and_load()


@pytest.fixture(scope="module", autouse=True)
def one_core() -> Iterator[None]:
    """Keep all threads of this process on one core, where the system can do that: pgx starts several."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    yield
    os.sched_setaffinity(0, cores)


def seats_of(name: str) -> int:
    """Return the measured table size: four, or eight for a game that needs more."""
    return 4 if 4 in game(name).seats else 8


def play_natively(name: str) -> Work:
    """Return a workload that plays random matches wholly in the library, and counts decisions."""
    table, library, seeds = NativeMatch(name, seats_of(name)), load_library(), count()
    assert library
    return lambda: float(library.ftk_play_fast(table.handle, next(seeds), MATCHES, 1))


def play_choice_by_choice(name: str) -> Work:
    """Return a workload in which Python makes every choice at random."""
    seeds, random = count(), Random(1)

    def play() -> float:
        table, decisions = NativeMatch(name, seats_of(name)), 0
        table.seed_fast(next(seeds))
        table.deal()
        question, choose, draw = table.next_question(), table.choose, random.random
        while question:
            decisions += 1
            question = choose(int(draw() * (question & 0xFFFF)))
        return float(decisions)

    return play


def play_in_python(name: str) -> Work:
    """Return a workload of the Python rules without a log."""
    random = Random(2)
    chance = UnseededRandomness(random.randrange)

    def choose(_state: Any, _seat: int, menu: Any) -> int:
        return int(random.random() * len(menu))

    return lambda: float(play_without_log(game(name), seats_of(name), chance, choose)[1])


def peers_of(name: str, peers: Peers) -> dict[str, Callable[[], Work]]:
    """Return the workloads of the installed peers by their titles; else the Python rules of the same game."""
    return list_installed(peers) or {"the Python rules (no peer is installed)": lambda: play_in_python(name)}


@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_the_native_rules_play_random_matches_faster_than_openspiel_plays_hearts(
    name: str, figures: list[BenchmarkResult]
) -> None:
    title, floor = next(iter(peers_of(name, IN_CPP).items()))
    result = compare_rates(
        f"{name}: native random play, decisions/s", play_natively(name), title, floor(), f">= {LEAST_RATIO}"
    )
    figures.append(result)
    assert result.ratio >= LEAST_RATIO


@pytest.mark.parametrize("title", list(list_installed(IN_CPP))[1:])
def test_the_speed_of_random_matches_by_native_rules_is_compared_with_other_game_libraries(
    title: str, figures: list[BenchmarkResult]
) -> None:
    floor, ours = list_installed(IN_CPP)[title], play_natively("for_the_king")
    figures.append(compare_rates("for_the_king: native random play, decisions/s", ours, title, floor(), ""))


@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_the_speed_of_native_rules_driven_by_python_is_compared_with_hearts_in_openspiel(
    name: str, figures: list[BenchmarkResult]
) -> None:
    title, floor = next(iter(peers_of(name, BY_PYTHON).items()))
    figures.append(compare_rates(f"{name}: {DRIVEN}", play_choice_by_choice(name), title, floor(), DRIVEN_AIM))


@pytest.mark.parametrize("title", list(list_installed(BY_PYTHON))[1:])
def test_the_speed_of_native_rules_driven_by_python_is_compared_with_other_game_libraries(
    title: str, figures: list[BenchmarkResult]
) -> None:
    floor, ours = list_installed(BY_PYTHON)[title], play_choice_by_choice("for_the_king")
    figures.append(compare_rates(f"for_the_king: {DRIVEN}", ours, title, floor(), ""))
