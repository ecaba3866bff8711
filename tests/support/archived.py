"""Matches that have ended, and what the arena says of them by each way of reading."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from django.test import Client

from ftk_core.facts import OMNISCIENT, PUBLIC
from ftk_core.filelog import dump
from ftk_core.reel import message
from replays import archiving
from replays.block_models import Block
from replays.finding import MatchFilter, find
from replays.models import Match
from replays.playing.runner import play_match
from replays.projector import Projector
from replays.reports.audit import audit_matches
from replays.reports.timing import read_timing
from replays.services import verify_match
from replays.store import pages_of
from tests.support.factories import active_version, waiting_match
from tests.support.live import lines_played
from tests.support.reviewable import closed_match
from tests.support.victims import forked

STEPS = ("storage", "read_all", "_recorded", "connection")
"""What is done, one behind the other: write, read back, record, let go."""


def log_of(match: Match) -> bytes:
    """Return a match's log as a file."""
    return b"".join(dump(pages_of(match.stream_id)))


def played_match(game: str = "pig", name: str = "one") -> Match:
    """Return a match that a worker has played to its end."""
    match = waiting_match([active_version(game=game), active_version(game=game)], name)
    assert play_match(match.pk)
    match.refresh_from_db()
    return match


def all_that_is_told(match: Match, client: Client) -> dict[str, Any]:
    """Return what every way of reading a match gives: frames, decisions, downloads, audit, rerun, search, figures."""
    told: dict[str, Any] = {"log": client.get(f"/api/v1/matches/{match.pk}/log/").content}
    for viewer, eyes in ((PUBLIC, "public"), (OMNISCIENT, "all"), (1, "1")):
        reel = Projector().reel(match.pk, viewer)
        told[f"frames {eyes}"] = message(eyes, reel, range(reel.length), whole=True)
    told["decision"] = client.get(f"/api/v1/matches/{match.pk}/decision/?eyes=0&at=3").content
    told["audit"] = [finding.differences for finding in audit_matches([match])]
    told["rerun"] = verify_match(match.pk)
    told["excused"] = [
        [row.id for row in find(MatchFilter(excuse=why), "", 10).matches] for why in ("crash", "timeout")
    ]
    told["timing"] = [read_timing(seat.version.bot.slug) for seat in match.seats.all()]
    return told


def some_matches(game: str = "pig", seats: int = 2, count: int = 8) -> list[Match]:
    """Return closed matches that are not alike, by default as many as a dictionary is made from."""
    return [closed_match(game, seats, lines_played(game, seats, number)) for number in range(count)]


def _archive_until(match_id: str, step: str) -> None:
    def end_here(*_words: Any, **_named: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)

    class Cut:
        """A connection on which the deleting has just been done."""

        def cursor(self) -> Any:
            from django.db import connection

            held = connection.cursor()

            class Cursor:
                def __enter__(self) -> Any:
                    return self

                def execute(self, statement: str, values: Any) -> None:
                    held.execute(statement, values)
                    end_here()

                def __exit__(self, *_error: object) -> None: ...

            return Cursor()

    vars(archiving)[step] = Cut() if step == "connection" else end_here
    archiving.archive_match(Match.objects.get(pk=match_id))


def kill_at(match: Match, step: str) -> None:
    """Have a process archive a match and be killed at a step."""
    victim = forked(_archive_until, match.pk, step)
    victim.join(60)
    assert victim.exitcode == -signal.SIGKILL


def block_of(match: Match) -> Block:
    """Return the place of a match's pages."""
    return Block.objects.get(pk=match.stream_id)


def file_of(folder: Path, match: Match) -> Path:
    """Return the file of a match's block in an archive that is a folder."""
    name = block_of(match).name
    return folder / "blocks" / name[:2] / name
