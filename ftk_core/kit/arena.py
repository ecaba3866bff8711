"""Many matches between the same bots on one machine, and what they say about the bots."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import msgspec

from ftk_core.entries import Clock
from ftk_core.filelog import dump
from ftk_core.fold import read_options
from ftk_core.games import build_of, game
from ftk_core.kit.house import find_bot, start
from ftk_core.kit.lifeline import in_worker, tie_worker, workers_ended
from ftk_core.kit.pipe import PipePlayer
from ftk_core.league.tallies import share
from ftk_core.log import MemoryLog
from ftk_core.referee import play
from ftk_core.rng import seed_of


class PlayedMatch(msgspec.Struct, frozen=True, kw_only=True):
    """One match of a series."""

    seating: tuple[int, ...]
    """The bot (by its place on the command line) in each seat."""
    places: tuple[int, ...]
    """By seat."""
    scores: tuple[int, ...]
    """By seat."""
    faults: tuple[int, ...]
    """By seat: how often menu[0] was played for it."""
    log: bytes
    """The whole log as a file."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """What a series says of one bot; each mean with its standard error."""

    bot: str
    games: int
    points: float
    """The mean share of opponents beaten, a tie counting half: 0 to 1."""
    points_error: float
    place: float
    score: float
    score_error: float
    wins: int
    """Matches in the first place, shared ones included."""
    faults: int


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """What to play."""

    game: str
    bots: tuple[str, ...]
    """House names or paths; one per seat."""
    seed: str
    clock: Clock = Clock()
    options: str = "{}"
    """The game's options as JSON."""


def names_of(bots: Sequence[str]) -> tuple[str, ...]:
    """Return a distinct short name for each bot: ``random``, ``mybot``, ``random#2``."""
    stems = [Path(bot).stem if Path(bot).stem != "bot" else Path(bot).resolve().parent.name for bot in bots]
    return tuple(
        stem if stems[:place].count(stem) == 0 else f"{stem}#{stems[:place].count(stem) + 1}"
        for place, stem in enumerate(stems)
    )


def seating_of(series: Series, number: int) -> tuple[int, ...]:
    """Return the bot in each seat; the seats turn by one from match to match, so that all begin, or reign, alike."""
    count = len(series.bots)
    return tuple((seat + number) % count for seat in range(count))


def play_one(series: Series, number: int) -> PlayedMatch:
    """Play the match of that number."""
    seating = seating_of(series, number)
    names, log = names_of(series.bots), MemoryLog()
    rules = game(series.game)
    with ExitStack() as stack:
        players = [
            stack.enter_context(PipePlayer(names[bot], start(find_bot(series.game, series.bots[bot])), metered=False))
            for bot in seating
        ]
        seed = seed_of("series", series.game, series.seed, number)
        label = f"{series.game}/{series.seed}/{number}"
        terms = {"clock": series.clock, "build": build_of(series.game), "options": read_options(rules, series.options)}
        outcome = play(rules, players, seed, match=label, log=log, **terms)
        faults = tuple(len(player.faults) for player in players)
    return PlayedMatch(
        seating=seating, places=outcome.places, scores=outcome.scores, faults=faults, log=b"".join(dump(log.pages()))
    )


def play_series(series: Series, games: int, jobs: int) -> Iterator[PlayedMatch]:
    """Return the matches in order, played by `jobs` processes side by side as they are asked for; raises NoSuchBot."""
    for bot in series.bots:
        find_bot(series.game, bot)
    return _matches(series, games, jobs)


def _matches(series: Series, games: int, jobs: int) -> Iterator[PlayedMatch]:
    if jobs <= 1:
        yield from (play_one(series, number) for number in range(games))
        return
    with ProcessPoolExecutor(jobs, initializer=tie_worker) as pool, workers_ended():
        # not `map`, which cancels what waits when it is left, and of that the pool's own thread then complains
        for match in [pool.submit(in_worker, play_one, series, number) for number in range(games)]:
            yield match.result()


def table(series: Series, matches: Sequence[PlayedMatch]) -> list[Line]:
    """Return a line for each bot, the best first."""
    lines = []
    for bot, name in enumerate(names_of(series.bots)):
        seats = [(match, match.seating.index(bot)) for match in matches]
        points, points_error = _mean([float(share(match.places, seat)) for match, seat in seats])
        score, score_error = _mean([match.scores[seat] for match, seat in seats])
        place, _ = _mean([match.places[seat] for match, seat in seats])
        wins = sum(match.places[seat] == 1 for match, seat in seats)
        faults = sum(match.faults[seat] for match, seat in seats)
        lines.append(
            Line(
                bot=name,
                games=len(seats),
                points=points,
                points_error=points_error,
                place=place,
                score=score,
                score_error=score_error,
                wins=wins,
                faults=faults,
            )
        )
    return sorted(lines, key=lambda line: -line.points)


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error (0 for fewer than two values)."""
    count = len(values)
    mean = sum(values) / count
    if count < 2:
        return mean, 0.0
    return mean, math.sqrt(sum((value - mean) ** 2 for value in values) / (count - 1) / count)
