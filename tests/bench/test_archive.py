"""Bytes of a match in the database and in the archive, with the times that metered processes leave in a log."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from django.db import connection

from ftk_core.games import build_of, game
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.kit.built_in_bots import find_command, list_built_in_bots, start_command
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import play
from replays import match_archiving
from replays.models.archive_blocks import ArchivedMatchLog
from tests.support.bucket import use_archive
from tests.support.reviewable import create_closed_match
from tools.bench.workload_speed_comparison import BenchmarkResult

ENTRIES = 500
MEASURED = 8
"""The number of measured matches. The matches before them train the compression dictionary."""
BOTS = ("counter", "courtier", "greedy", "builder", "liar", "sleuth", "accuser", "random")


def lines_metered(name: str, seats: int, number: int) -> list[bytes]:
    """Return the log of a match of built-in bots, each a process behind a pipe."""
    log = InMemoryLog()
    bots = [bot for bot in BOTS if bot in list_built_in_bots(name)]
    with ExitStack() as stack:
        players = [
            stack.enter_context(BotProcessPlayer(f"{bot} {seat}", start_command(find_command(name, bot)), metered=True))
            for seat in range(seats)
            for bot in [bots[(seat + number) % len(bots)]]
        ]
        play(game(name), players, seed_of("archive", number), match=f"match/{number}", log=log, build=build_of(name))
    return list(lines_of(log))


@pytest.mark.parametrize(
    ("name", "seats", "examples"), [("for_the_king", 4, 32), ("to_court_the_king", 4, 32), ("kings_court", 8, 96)]
)
@pytest.mark.django_db(transaction=True)
def test_archiving_a_match_shrinks_its_stored_log(
    name: str, seats: int, examples: int, tmp_path: Path, figures: list[BenchmarkResult]
) -> None:
    with use_archive(str(tmp_path / "archive")):
        for number in range(examples):
            create_closed_match(name, seats, lines_metered(name, seats, number))
        match_archiving.make_dictionary(name)
        measured = [
            create_closed_match(name, seats, lines_metered(name, seats, examples + number))
            for number in range(MEASURED)
        ]
        with connection.cursor() as cursor:
            streams = [match.stream_id for match in measured]
            # the size as stored: compressed by PostgreSQL, without row headers
            cursor.execute("SELECT sum(pg_column_size(body)) FROM replays_page WHERE stream_id = ANY(%s)", [streams])
            (here,) = cursor.fetchone()
        for match in measured:
            match_archiving.archive_match(match)
        blocks = list(ArchivedMatchLog.objects.values_list("size", "length"))
    entries = sum(length for _, length in blocks)
    there = sum(size for size, _ in blocks) * ENTRIES / entries
    here = int(here) * ENTRIES / entries
    title = f"500 entries of {name} in the archive, bytes ({entries / MEASURED:.0f} a match)"
    figures.append(BenchmarkResult(title, there, here, there / here, "in pages", "<= 2,000"))
