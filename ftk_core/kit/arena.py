"""Local matches between bots, in parallel processes: seating, deals and results."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import msgspec

from ftk_core.entries import Clock
from ftk_core.filelog import dump
from ftk_core.fold import check_options, read_options
from ftk_core.games import build_of, game
from ftk_core.kit.house import command_of, started
from ftk_core.kit.lifeline import in_worker, tie_worker, workers_ended
from ftk_core.kit.pipe import PipePlayer
from ftk_core.log import MemoryLog
from ftk_core.referee import play
from ftk_core.rng import seed_of

AHEAD = 2
"""Matches submitted per process before the oldest has ended, so that no process is idle."""


class PlayedMatch(msgspec.Struct, frozen=True, kw_only=True):
    """One match of a series."""

    seating: tuple[int, ...]
    """Index of the bot within the series, by seat."""
    places: tuple[int, ...]
    """By seat."""
    scores: tuple[int, ...]
    """By seat."""
    faults: tuple[int, ...]
    """Number of choices, by seat, for which menu[0] was played instead of an answer."""
    log: bytes
    """The whole log as a file; empty for a match that was loaded from a record."""


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """Settings shared by all matches of a series."""

    game: str
    bots: tuple[str, ...]
    """Names of built-in bots, or paths."""
    seed: str
    clock: Clock = Clock()
    options: str = "{}"
    """The game's options as JSON."""


class Fixture(msgspec.Struct, frozen=True):
    """One match of a series before it is played."""

    seating: tuple[int, ...]
    """Index of the bot within the series, by seat."""
    deal: int
    """Matches of a series on the same deal share their seed."""
    label: str
    """A name that is unique within the series. Bots that seed their own randomness from `match` seed it from this."""


def names_of(bots: Sequence[str]) -> tuple[str, ...]:
    """Return a distinct short name for each bot: ``random``, ``mybot``, ``random#2``."""
    stems = [Path(bot).stem if Path(bot).stem != "bot" else Path(bot).resolve().parent.name for bot in bots]
    return _distinct(stems)


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    before = [names[:place].count(name) for place, name in enumerate(names)]
    return tuple(f"{name}#{n + 1}" if n else name for name, n in zip(names, before, strict=True))


def turned(seating: Sequence[int], by: int) -> tuple[int, ...]:
    """Return a seating rotated by `by` seats; over all values of `by`, every bot sits in every seat.

    >>> turned((0, 1, 2), 1)
    (1, 2, 0)
    """
    shift = by % len(seating)
    return (*seating[shift:], *seating[:shift])


def fixture_of(series: Series, number: int, *, duplicate: bool = False) -> Fixture:
    """Return match `number` of a series in which each bot holds one seat.

    The seating rotates by one from match to match, so that every bot starts equally often. In a duplicate series all
    rotations are played on one deal before the next deal.
    """
    seats = len(series.bots)
    return Fixture(turned(range(seats), number), number // seats if duplicate else number, str(number))


def check_series(series: Series, seats: int) -> None:
    """Validate a series.

    Raises the errors of `command_of`, UnknownGame, or ValueError if the game does not allow the table size or
    options.
    """
    check_options(game(series.game), seats, read_options(game(series.game), series.options))
    for bot in series.bots:
        command_of(series.game, bot)


def play_one(series: Series, fixture: Fixture) -> PlayedMatch:
    """Play a match."""
    every, log = names_of(series.bots), MemoryLog()
    names = _distinct([every[bot] for bot in fixture.seating])
    rules = game(series.game)
    with ExitStack() as stack:
        players = [
            stack.enter_context(PipePlayer(name, started(command_of(series.game, series.bots[bot])), metered=False))
            for name, bot in zip(names, fixture.seating, strict=True)
        ]
        seed = seed_of("series", series.game, series.seed, fixture.deal)
        label = f"{series.game}/{series.seed}/{fixture.label}"
        terms = {"clock": series.clock, "build": build_of(series.game), "options": read_options(rules, series.options)}
        outcome = play(rules, players, seed, match=label, log=log, **terms)
        faults = tuple(len(player.faults) for player in players)
    return PlayedMatch(
        seating=fixture.seating, places=outcome.places, scores=outcome.scores, faults=faults,
        log=b"".join(dump(log.pages())),
    )  # fmt: skip


def play_all(series: Series, fixtures: Iterable[Fixture], jobs: int) -> Generator[PlayedMatch, None, None]:
    """Yield the matches in the order of their fixtures, whichever process ends first.

    Fixtures may be infinite. Closing the generator ends the matches that are still being played.
    """
    if jobs <= 1:
        yield from (play_one(series, fixture) for fixture in fixtures)
        return
    left = iter(fixtures)
    with ProcessPoolExecutor(jobs, initializer=tie_worker) as pool, workers_ended():
        waiting = deque[Future[PlayedMatch]]()
        while True:
            # `map` would consume all fixtures at once.
            some = islice(left, AHEAD * jobs - len(waiting))
            waiting.extend(pool.submit(in_worker, play_one, series, fixture) for fixture in some)
            if not waiting:
                return
            yield waiting.popleft().result()
