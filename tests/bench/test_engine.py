"""How fast the pure core is, on one core."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from ftk_core.entries import Chose, read
from ftk_core.filelog import dump
from ftk_core.games import game, shelf
from ftk_core.kit.verify import verify_lines
from ftk_core.log import MemoryLog, lines_of
from ftk_core.players import RandomPlayer
from ftk_core.reel import Reel
from ftk_core.referee import play
from ftk_core.rng import seed_of
from tests.support.bench.floors import bare_loop
from tests.support.bench.windows import Figure, compare


def seats_of(name: str) -> int:
    """Return the table size that is measured: four, or eight where the game needs more."""
    return 4 if 4 in game(name).seats else 8


def log_of(name: str, number: int = 0) -> MemoryLog:
    log = MemoryLog()
    players = [RandomPlayer(seed_of(number, seat)) for seat in range(seats_of(name))]
    play(game(name), players, seed_of("bench", number), log=log)
    return log


def decisions_in(log: MemoryLog) -> int:
    return sum(isinstance(read(line), Chose) for line in lines_of(log))


@pytest.fixture(params=list(shelf()))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_random_play(name: str, figures: list[Figure]) -> None:
    decisions = [decisions_in(log_of(name, number)) for number in range(20)]
    numbers: Iterator[int] = count()

    def play_next() -> float:
        number = next(numbers) % 20
        log_of(name, number)
        return float(decisions[number])

    lines = list(lines_of(log_of(name)))
    per_log = decisions_in(log_of(name))
    figures.append(
        compare(
            f"{name}: random play with a log, decisions/s",
            play_next,
            "json and sha256 of the same lines alone",
            lambda: bare_loop(lines) * per_log,
            ">= 15,000 (aim 60,000) for for_the_king; >= 8,000 to_court; >= 15,000 kings",
        )
    )


def test_verify(name: str, figures: list[Figure]) -> None:
    chunks = b"".join(dump(log_of(name).pages())).splitlines(keepends=True)

    def verify() -> float:
        verify_lines(chunks)
        return 1.0

    lines = [chunk.rstrip() for chunk in chunks]
    figures.append(
        compare(
            f"{name}: chain, fold and rerun of a log, logs/s",
            verify,
            "json and sha256 of the same lines alone",
            lambda: bare_loop(lines),
            ">= 40",
        )
    )


def test_opening_at_an_entry(name: str, figures: list[Figure]) -> None:
    lines = list(lines_of(log_of(name)))

    def open_at() -> float:
        reel = Reel(-1)
        reel.extend(lines)
        assert reel.frames(reel.span(len(lines) // 2)[:1], whole=True)
        return 1.0

    figures.append(
        compare(
            f"{name}: first picture of a finished match, openings/s",
            open_at,
            "json and sha256 of the same lines alone",
            lambda: bare_loop(lines),
            ">= 67 (15 ms)",
        )
    )
