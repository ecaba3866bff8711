"""How fast play without a log is, and what the environments add to it, on one core."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from random import Random
from typing import Any

import pytest

from ftk_core.bare import play_bare
from ftk_core.entries import Chose, read
from ftk_core.facts import Action
from ftk_core.games import game, shelf
from ftk_core.log import MemoryLog, lines_of
from ftk_core.players import RandomPlayer
from ftk_core.referee import play
from ftk_core.rl.in_turn import TableInTurn
from ftk_core.rl.match import BareMatch
from ftk_core.rl.training import TRIALS, Training, seat_against, trained, tried
from ftk_core.rng import FreeChance, seed_of
from tests.support.bench.windows import Figure, Work, compare

MATCHES = 20
"""So many are played again and again, as in the bench of the engine; once before, as menus that were seen are kept."""
WANTED = 2.5
"""Bare play is so many times as fast as play with a log, in decisions."""


@pytest.fixture(params=list(shelf()))
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
    """Return what plays matches with a log in memory, as the engine's bench does, and counts decisions."""
    seats = seats_of(name)

    def log_of(number: int) -> MemoryLog:
        log = MemoryLog()
        players = [RandomPlayer(seed_of(number, seat)) for seat in range(seats)]
        play(game(name), players, seed_of("bench", number), log=log)
        return log

    decisions = [sum(isinstance(read(line), Chose) for line in lines_of(log_of(n))) for n in range(MATCHES)]
    numbers: Iterator[int] = count()

    def play_next() -> float:
        number = next(numbers) % MATCHES
        log_of(number)
        return float(decisions[number])

    return warm(play_next)


def bare(name: str) -> Work:
    """Return what plays matches by the rules alone."""
    rules, seats, numbers = game(name), seats_of(name), count()

    def play_next() -> float:
        luck = Random(next(numbers) % MATCHES)
        draw = luck.random

        def choose(_state: Any, _seat: int, menu: Sequence[Action]) -> int:
            return int(draw() * len(menu))

        return float(play_bare(rules, seats, FreeChance(luck.randrange), choose)[1])

    return warm(play_next)


def stepped(name: str) -> Work:
    """Return what plays matches question by question, with luck that a seed repeats, and senses nothing."""
    rules, seats, numbers = game(name), seats_of(name), count()

    def play_next() -> float:
        number = next(numbers) % MATCHES
        match, below, asked = BareMatch(rules, seats, seed_of("bench", number)), Random(number).randrange, 0
        while match.menus:
            asked += len(match.menus)
            match.choose({seat: below(len(menu)) for seat, menu in match.menus.items()})
        return float(asked)

    return warm(play_next)


def sensed(name: str) -> Work:
    """Return what plays matches in PettingZoo's way: observation, mask and step."""
    table, numbers = TableInTurn(name, seats_of(name)), count()

    def play_next() -> float:
        number = next(numbers) % MATCHES
        table.reset(seed=number)
        below, asked = Random(number).randrange, 0
        while not table.terminations[agent := table.agent_selection]:
            table.step(below(int(table.observe(agent)["action_mask"].sum())))
            asked += 1
        return float(asked)

    return warm(play_next)


def test_bare_play_against_play_with_a_log(name: str, figures: list[Figure]) -> None:
    aim = f">= {WANTED} times"
    figure = compare(f"{name}: bare play, decisions/s", bare(name), "play with a log in memory", logged(name), aim)
    figures.append(figure)
    assert figure.ratio >= WANTED


def test_five_minutes_of_training_beat_random_play_for_sure(figures: list[Figure]) -> None:
    name, seats, even = "for_the_king", 4, 0.5
    scorer = trained(seat_against(name, seats), Training())
    share = tried(seat_against(name, seats), scorer, TRIALS, seed=2)
    words = f"{name}: per cent of random opponents left behind, sure of {100 * share.low:.1f} to {100 * share.high:.1f}"
    figures.append(
        Figure(words, 100 * share.mean, 100 * even, share.low / even, "random play; ratio of the low end", "> 1")
    )
    assert share.low > even


def test_what_an_environment_adds(name: str, figures: list[Figure]) -> None:
    shown = "no wish: it says what each part costs"
    parts = (("question by question", stepped(name)), ("in PettingZoo's way, with observations", sensed(name)))
    for words, work in parts:
        figures.append(compare(f"{name}: {words}, decisions/s", work, "bare play", bare(name), shown))
