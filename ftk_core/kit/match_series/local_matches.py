"""Matches between bots on this machine, played in parallel processes: seating, random seeds and results."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import msgspec

from ftk_core.games import build_of, game
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.kit.built_in_bots import find_command, start_bot
from ftk_core.kit.protocol.child_termination import (
    initialize_pool_worker,
    make_pool_context,
    run_in_worker,
    terminate_workers_on_error,
)
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.league.match_seating_and_random_seeds import rotate_seating
from ftk_core.log_entries import ChoiceMade, TimeControl, read
from ftk_core.match_log_file import dump_pages
from ftk_core.match_state_from_log import check_options, read_options
from ftk_core.random_streams import seed_of
from ftk_core.referee import play

SUBMITTED_PER_PROCESS = 2
"""Number of matches submitted per worker process in advance, so that no process is idle."""


class PlayedMatch(msgspec.Struct, frozen=True, kw_only=True):
    """Result of one match of a series."""

    seating: tuple[int, ...]
    """By seat: index of the bot in `MatchSeries.bots`."""
    places: tuple[int, ...]
    """By seat: place from 1."""
    scores: tuple[int, ...]
    """By seat: score of the game."""
    faults: tuple[int, ...]
    """By seat: number of decisions for which item 0 of the menu was played for lack of a valid answer."""
    log: bytes
    """Contents of the match's log file; empty once the match is in the record of its series."""


class MatchSeries(msgspec.Struct, frozen=True, kw_only=True):
    """Settings shared by all matches of a series."""

    game: str
    bots: tuple[str, ...]
    """Names or paths of the bots; a name is that of a built-in bot."""
    seed: str
    clock: TimeControl = TimeControl()
    options: str = "{}"
    "Options of the game as JSON."


class ScheduledMatch(msgspec.Struct, frozen=True):
    """A match of a series that is to be played."""

    seating: tuple[int, ...]
    """By seat: index of the bot in `MatchSeries.bots`."""
    deal: int
    """Number of the deal: matches of a series with the same number share their random seed."""
    label: str
    """Name of the match, usually unique within the series. Bots that seed their own randomness use it."""


def names_of(bots: Sequence[str]) -> tuple[str, ...]:
    """Return a distinct short name for each bot.

    >>> names_of(["random", "bots/mine.py", "random"])
    ('random', 'mine', 'random#2')
    """
    return _distinct([_name_of(Path(bot)) for bot in bots])


def _name_of(bot: Path) -> str:
    """Return the name of a bot's folder, or of its file without the suffix."""
    if bot.is_dir():
        return bot.resolve().name
    return bot.stem if bot.stem != "bot" else bot.resolve().parent.name


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    before = [names[:place].count(name) for place, name in enumerate(names)]
    return tuple(f"{name}#{n + 1}" if n else name for name, n in zip(names, before, strict=True))


def create_series_match(series: MatchSeries, number: int, *, duplicate: bool = False) -> ScheduledMatch:
    """Return match `number` (from 0) of a series in which each bot has one seat.

    From one match to the next, every bot moves to the neighbouring seat. By default, each match has its own random
    seed. With `duplicate`, matches share a seed until each bot has played it from every seat.
    """
    seats = len(series.bots)
    return ScheduledMatch(rotate_seating(range(seats), number), number // seats if duplicate else number, str(number))


def check_series(series: MatchSeries, seats: int) -> None:
    """Check that a series can be played.

    Raises UnknownGameError, ValueError for an invalid number of seats or option, and BotNotFound, InvalidUploadError
    or CompileError for a bot that cannot be started.
    """
    check_options(game(series.game), seats, read_options(game(series.game), series.options))
    for bot in series.bots:
        find_command(series.game, bot)


def play_one(series: MatchSeries, fixture: ScheduledMatch) -> PlayedMatch:
    """Play one match of a series with a process for each bot, and return its result."""
    every, log = names_of(series.bots), InMemoryLog()
    names = _distinct([every[bot] for bot in fixture.seating])
    rules = game(series.game)
    with ExitStack() as stack:
        players = [
            stack.enter_context(BotProcessPlayer(name, start_bot(series.game, series.bots[bot]), metered=False))
            for name, bot in zip(names, fixture.seating, strict=True)
        ]
        seed = seed_of("series", series.game, series.seed, fixture.deal)
        label = f"{series.game}/{series.seed}/{fixture.label}"
        terms = {"clock": series.clock, "build": build_of(series.game), "options": read_options(rules, series.options)}
        outcome = play(rules, players, seed, match=label, log=log, **terms)
    faults = Counter(_list_seats_without_answer(log))
    return PlayedMatch(
        seating=fixture.seating, places=outcome.places, scores=outcome.scores, log=b"".join(dump_pages(log.pages())),
        faults=tuple(faults[seat] for seat in range(len(fixture.seating))),
    )  # fmt: skip


def _list_seats_without_answer(log: InMemoryLog) -> Iterator[int]:
    """Yield the seat of each choice for which a bot gave no valid answer."""
    for line in lines_of(log):
        if b'"excuse"' in line:
            entry = read(line)
            if isinstance(entry, ChoiceMade) and entry.excuse:
                yield entry.seat


def play_all(series: MatchSeries, fixtures: Iterable[ScheduledMatch], jobs: int) -> Generator[PlayedMatch, None, None]:
    """Play matches in `jobs` parallel processes, and yield their results in order."""
    # The number of matches may be infinite. Closing the generator ends the matches that are still being played.
    if jobs <= 1:
        yield from (play_one(series, fixture) for fixture in fixtures)
        return
    left = iter(fixtures)
    context = make_pool_context()
    with ProcessPoolExecutor(jobs, context, initialize_pool_worker) as pool, terminate_workers_on_error():
        waiting = deque[Future[PlayedMatch]]()
        while True:
            # `map` would consume all fixtures at once.
            some = islice(left, SUBMITTED_PER_PROCESS * jobs - len(waiting))
            waiting.extend(pool.submit(run_in_worker, play_one, series, fixture) for fixture in some)
            if not waiting:
                return
            yield waiting.popleft().result()
