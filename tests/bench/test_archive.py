"""How much a match takes, in the database and in the archive, with the times that metered processes leave in a log."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from django.db import connection

from ftk_core.games import build_of, game
from ftk_core.kit.house import command_of, house_bots, started
from ftk_core.kit.pipe import PipePlayer
from ftk_core.log import MemoryLog, lines_of
from ftk_core.referee import play
from ftk_core.rng import seed_of
from replays import archiving
from replays.block_models import Block
from tests.support.bench.windows import Figure
from tests.support.bucket import archive_at
from tests.support.reviewable import closed_match

ENTRIES = 500
MEASURED = 8
"""So many are measured; those before them make the dictionary."""
BOTS = ("counter", "courtier", "greedy", "builder", "liar", "sleuth", "accuser", "random")


def lines_metered(name: str, seats: int, number: int) -> list[bytes]:
    """Return the log of a match of the house's bots, each a process behind a pipe."""
    log = MemoryLog()
    bots = [bot for bot in BOTS if bot in house_bots(name)]
    with ExitStack() as stack:
        players = [
            stack.enter_context(PipePlayer(f"{bot} {seat}", started(command_of(name, bot)), metered=True))
            for seat in range(seats)
            for bot in [bots[(seat + number) % len(bots)]]
        ]
        play(game(name), players, seed_of("archive", number), match=f"match/{number}", log=log, build=build_of(name))
    return list(lines_of(log))


@pytest.mark.parametrize(
    ("name", "seats", "examples"), [("for_the_king", 4, 32), ("to_court_the_king", 4, 32), ("kings_court", 8, 96)]
)
@pytest.mark.django_db(transaction=True)
def test_bytes_of_a_match(name: str, seats: int, examples: int, tmp_path: Path, figures: list[Figure]) -> None:
    with archive_at(str(tmp_path / "archive")):
        for number in range(examples):
            closed_match(name, seats, lines_metered(name, seats, number))
        archiving.make_dictionary(name)
        measured = [
            closed_match(name, seats, lines_metered(name, seats, examples + number)) for number in range(MEASURED)
        ]
        with connection.cursor() as cursor:
            streams = [match.stream_id for match in measured]
            # as they are stored, compressed by PostgreSQL, without the row's head
            cursor.execute("SELECT sum(pg_column_size(body)) FROM replays_page WHERE stream_id = ANY(%s)", [streams])
            (here,) = cursor.fetchone()
        for match in measured:
            archiving.archive_match(match)
        blocks = list(Block.objects.values_list("size", "length"))
    entries = sum(length for _, length in blocks)
    there = sum(size for size, _ in blocks) * ENTRIES / entries
    here = int(here) * ENTRIES / entries
    title = f"500 entries of {name} in the archive, bytes ({entries / MEASURED:.0f} a match)"
    figures.append(Figure(title, there, here, there / here, "in pages", "<= 2,000"))
