"""Speed of play without a log, and the overhead of the training environments, on one core."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from random import Random
from typing import Any

import numpy as np
import pytest

from ftk_core.facts import Action
from ftk_core.games import game, list_games
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.log_entries import ChoiceMade, read
from ftk_core.players import RandomPlayer
from ftk_core.random_streams import UnseededRandomness, seed_of
from ftk_core.referee import play
from ftk_core.rl.aec_env import SequentialTableEnv
from ftk_core.rl.simulated_match import SimulatedMatch
from ftk_core.rl.training import TEST_MATCHES, TrainingParameters, create_learning_env, measure_scorer, train
from ftk_core.rl.vector_env import VectorTableEnv
from ftk_core.unlogged_play import play_without_log
from tools.bench.workload_speed_comparison import BenchmarkResult, Work, compare_rates

MATCHES, VECTOR_TABLES = 20, 64
"""Number of matches to repeat, as in the engine benchmark. They are played once before, because menus are cached."""
WANTED = 2.5
"""Least ratio of decisions per second: play without a log to play with a log."""


@pytest.fixture(params=list(list_games()))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def seats_of(name: str) -> int:
    return 4 if 4 in game(name).seats else 8


def warm(play_next: Work) -> Work:
    """Play every match once."""
    for _ in range(MATCHES):
        play_next()
    return play_next


def logged(name: str) -> Work:
    """Return a function that plays the next match with a log in memory and returns its number of decisions."""
    seats = seats_of(name)

    def log_of(number: int) -> InMemoryLog:
        log = InMemoryLog()
        players = [RandomPlayer(seed_of(number, seat)) for seat in range(seats)]
        play(game(name), players, seed_of("bench", number), log=log)
        return log

    decisions = [sum(isinstance(read(line), ChoiceMade) for line in lines_of(log_of(n))) for n in range(MATCHES)]
    numbers: Iterator[int] = count()

    def play_next() -> float:
        number = next(numbers) % MATCHES
        log_of(number)
        return float(decisions[number])

    return warm(play_next)


def bare(name: str) -> Work:
    """Return a function that plays the next match by the rules alone."""
    rules, seats, numbers = game(name), seats_of(name), count()

    def play_next() -> float:
        luck = Random(next(numbers) % MATCHES)
        draw = luck.random

        def choose(_state: Any, _seat: int, menu: Sequence[Action]) -> int:
            return int(draw() * len(menu))

        return float(play_without_log(rules, seats, UnseededRandomness(luck.randrange), choose)[1])

    return warm(play_next)


def stepped(name: str) -> Work:
    """Return a function that plays the next match question by question, with seeded luck and without observations."""
    rules, seats, numbers = game(name), seats_of(name), count()

    def play_next() -> float:
        number = next(numbers) % MATCHES
        match, below, asked = SimulatedMatch(rules, seats, seed_of("bench", number)), Random(number).randrange, 0
        while match.menus:
            asked += len(match.menus)
            match.choose({seat: below(len(menu)) for seat, menu in match.menus.items()})
        return float(asked)

    return warm(play_next)


def sensed(name: str) -> Work:
    """Return a function that plays the next match like PettingZoo: observation, mask and step."""
    table, numbers = SequentialTableEnv(name, seats_of(name)), count()

    def play_next() -> float:
        number = next(numbers) % MATCHES
        table.reset(seed=number)
        below, asked = Random(number).randrange, 0
        while not table.terminations[agent := table.agent_selection]:
            table.step(below(int(table.observe(agent)["action_mask"].sum())))
            asked += 1
        return float(asked)

    return warm(play_next)


def test_matches_without_a_log_are_played_faster_than_matches_with_a_log(
    name: str, figures: list[BenchmarkResult]
) -> None:
    aim = f">= {WANTED} times"
    figure = compare_rates(
        f"{name}: bare play, decisions/s", bare(name), "play with a log in memory", logged(name), aim
    )
    figures.append(figure)
    assert figure.ratio >= WANTED


def test_a_bot_trained_for_five_minutes_clearly_beats_random_play(figures: list[BenchmarkResult]) -> None:
    name, seats, even = "for_the_king", 4, 0.5
    scorer = train(create_learning_env(name, seats), TrainingParameters())
    share = measure_scorer(create_learning_env(name, seats), scorer, TEST_MATCHES, seed=2)
    words = f"{name}: per cent of random opponents left behind, sure of {100 * share.low:.1f} to {100 * share.high:.1f}"
    figures.append(
        BenchmarkResult(
            words, 100 * share.mean, 100 * even, share.low / even, "random play; ratio of the low end", "> 1"
        )
    )
    assert share.low > even


def sensed_many(name: str) -> Work:
    """Return a function that steps all tables of the vector environment once, in self-play."""
    tables = VectorTableEnv(name, VECTOR_TABLES, seats_of(name), opponents="none", copy=False)
    draws = np.random.default_rng(1).random((1000, VECTOR_TABLES))
    sizes, numbers = tables.reset(seed=1)[-1]["menu_size"], count()

    def step_once() -> float:
        tables.step((draws[next(numbers) % len(draws)] * sizes).astype(np.int64))
        return float(VECTOR_TABLES)

    return step_once


def test_decisions_per_second_in_a_training_environment_are_compared_with_play_without_a_log(
    name: str, figures: list[BenchmarkResult]
) -> None:
    parts = (
        ("question by question, by the Python rules", stepped(name), "no wish: it says what it costs"),
        ("in PettingZoo's way, with observations", sensed(name), ">= 60,000/s"),
        (f"vector environment of {VECTOR_TABLES} tables, with observations", sensed_many(name), ">= 500,000/s"),
    )
    for words, work, aim in parts:
        figures.append(compare_rates(f"{name}: {words}, decisions/s", work, "bare play in Python", bare(name), aim))
