"""Finished matches for tests of the archive, everything that can be read from a match, and a killed archiver."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from django.test import Client

from ftk_core.facts import OMNISCIENT, PUBLIC
from ftk_core.match_log_file import dump_pages
from ftk_core.match_replay_frames import encode_frames
from replays import match_archiving
from replays.event_stream_storage import pages_of
from replays.match_search import MatchSearchCriteria, find_matches
from replays.models import Match
from replays.models.archive_blocks import ArchivedMatchLog
from replays.playing.match_runner import play_match
from replays.replay_frame_cache import MatchFrameCache
from replays.reports.bot_timing import read_timing
from replays.reports.match_audits import audit_matches
from replays.services import verify_match
from tests.support.factories import create_active_version, create_waiting_match
from tests.support.killed_workers import fork_process
from tests.support.live import play_log_lines
from tests.support.reviewable import create_closed_match

STEPS = ("storage", "read_block_with_records", "_record_block", "connection")
"""Steps of archiving in order (write, read back, record, delete), as names in `replays.match_archiving`."""


def export_log(match: Match) -> bytes:
    """Return a match's log as a file."""
    return b"".join(dump_pages(pages_of(match.stream_id)))


def create_played_match(game: str = "pig", name: str = "one") -> Match:
    """Return a match that a worker has played to its end."""
    match = create_waiting_match([create_active_version(game=game), create_active_version(game=game)], name)
    assert play_match(match.pk)
    match.refresh_from_db()
    return match


def read_everything(match: Match, client: Client) -> dict[str, Any]:
    """Return the results of all ways to read a match, by name: log, frames, decision, audit, rerun, search, timing."""
    told: dict[str, Any] = {"log": client.get(f"/api/v1/matches/{match.pk}/log/").content}
    for viewer, eyes in ((PUBLIC, "public"), (OMNISCIENT, "all"), (1, "1")):
        reel = MatchFrameCache().reel(match.pk, viewer)
        told[f"frames {eyes}"] = encode_frames(eyes, reel, range(reel.length), whole=True)
    told["decision"] = client.get(f"/api/v1/matches/{match.pk}/decision/?eyes=0&at=3").content
    told["audit"] = [finding.differences for finding in audit_matches([match])]
    told["rerun"] = verify_match(match.pk)
    told["excused"] = [
        [row.id for row in find_matches(MatchSearchCriteria(excuse=why), "", 10).matches]
        for why in ("crash", "timeout")
    ]
    told["timing"] = [read_timing(seat.version.bot.slug) for seat in match.seats.all()]
    return told


def create_closed_matches(game: str = "pig", seats: int = 2, count: int = 8) -> list[Match]:
    """Return different closed matches, by default as many as are needed to train a compression dictionary."""
    return [create_closed_match(game, seats, play_log_lines(game, seats, number)) for number in range(count)]


def _archive_until(match_id: str, step: str) -> None:
    def end_here(*_words: Any, **_named: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)

    class Cut:
        """A connection that kills the process after its first statement, which deletes the match's pages."""

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

    vars(match_archiving)[step] = Cut() if step == "connection" else end_here
    match_archiving.archive_match(Match.objects.get(pk=match_id))


def kill_archiver_at(match: Match, step: str) -> None:
    """Start a process that archives a match and is killed at one of the `STEPS`; return after its death."""
    victim = fork_process(_archive_until, match.pk, step)
    victim.join(60)
    assert victim.exitcode == -signal.SIGKILL


def find_block(match: Match) -> ArchivedMatchLog:
    """Return the database record with the position of a match's pages in the archive."""
    return ArchivedMatchLog.objects.get(pk=match.stream_id)


def find_block_file(folder: Path, match: Match) -> Path:
    """Return the file of a match's block in an archive that is a folder."""
    name = find_block(match).name
    return folder / "blocks" / name[:2] / name
