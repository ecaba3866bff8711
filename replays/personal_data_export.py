"""Personal data export: the matches and reviews that a person requested, and the private records of their bots."""
# Matches and reviews stay when the account is erased, with null as the person.

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, TextField, Value
from django.db.models.functions import Concat

from ftk_core.log_entries import stream_of
from people.account_erasure import Parts, encode_json
from replays.archive.archive_errors import (
    ArchiveStoreRefusedError,
    ArchiveStoreUnavailable,
    ArchiveUnavailable,
)
from replays.models import Match, MatchSeat
from replays.models.archive_blocks import ArchivedMatchLog
from replays.models.reviews import MatchReview
from replays.private_bot_diagnostics import EMPTY_RECORD, HAS_RECORD, read_record

MAX_ARCHIVED_SEATS = 200
"""Maximum number of seats whose texts are read from the archive for one export, newest first."""


def export_matches(owner: User) -> Parts:
    """Yield (path, content) of JSON files: requested matches, requested reviews, and the bots' private records."""
    rows = Match.objects.filter(asked_by=owner).order_by("created_at")
    yield "matches.json", encode_json(list(rows.values("id", "game", "status", "created_at", "closed_at")))
    reviews = MatchReview.objects.filter(asked_by=owner).order_by("asked_at")
    yield "reviews.json", encode_json(list(reviews.values("match", "eyes", "status", "asked_at", "ended_at")))
    yield from _export_diagnostics(owner)


def _export_diagnostics(owner: User) -> Parts:
    """Yield a file with the faults, notes and stderr of each seat of the person's bots, one at a time."""
    # The author may not see unreleased matches yet, and a bot can write all that it sees to stderr.
    own = MatchSeat.objects.filter(
        version__bot__owner=owner,
        match__released=True,
        match__status__in=(Match.Status.CLOSED, Match.Status.VOID),  # texts of remote bots are stored at each answer
    ).select_related("version__bot")
    stored = own.filter(HAS_RECORD).order_by("pk")
    stream_id = Concat(Value(stream_of("")), OuterRef("match_id"), output_field=TextField())
    archived = own.filter(Exists(ArchivedMatchLog.objects.filter(pk=stream_id))).order_by("-closed_at", "pk")
    unreachable = ""  # reason why the whole archive cannot be read: each further attempt would wait for it again
    for seats in (stored.iterator(chunk_size=50), archived[:MAX_ARCHIVED_SEATS]):
        for seat in seats:
            try:
                texts = {"unavailable": unreachable} if unreachable else _read_texts(seat)
            except (ArchiveStoreUnavailable, ArchiveStoreRefusedError) as error:
                unreachable = str(error)
                texts = {"unavailable": unreachable}
            if texts:
                place = {"match": seat.match_id, "seat": seat.seat, "bot": seat.version.label}
                yield f"diagnostics/{seat.match_id}-{seat.seat}.json", encode_json(place | texts)


def _read_texts(seat: MatchSeat) -> dict[str, Any]:
    """Return the faults, notes and stderr of a seat's bot as a dictionary; empty if there are none.

    If the archived texts are missing or damaged, return the reason under the key ``unavailable`` instead. Raises
    ArchiveStoreUnavailable or ArchiveStoreRefusedError.
    """
    try:
        record = read_record(seat)
    except (ArchiveStoreUnavailable, ArchiveStoreRefusedError):
        raise
    except ArchiveUnavailable as error:
        return {"unavailable": str(error)}
    if record == EMPTY_RECORD:
        return {}
    return {"faults": record.faults, "notes": record.notes, "stderr": record.stderr}
