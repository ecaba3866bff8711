"""The faults, notes and stderr of bots in matches, read from the database or the archive."""

from __future__ import annotations

from ftk_core.log_entries import stream_of
from replays.archive.archived_log_reading import read_block_with_records
from replays.archive.block_format import PrivateBotDiagnostics
from replays.models import Match, MatchSeat
from replays.models.archive_blocks import ArchivedMatchLog

EMPTY_RECORD = PrivateBotDiagnostics()


def read_record(seat: MatchSeat) -> PrivateBotDiagnostics:
    """Return the private record of a seat's bot; raises ArchiveUnavailable if an archived record cannot be read."""
    stored = _record_of_seat(seat)
    if stored != EMPTY_RECORD:
        return stored
    block = ArchivedMatchLog.objects.filter(pk=stream_of(seat.match_id)).first()
    records = read_block_with_records(block)[1] if block else []
    return records[seat.seat] if records else EMPTY_RECORD


def read_stored(match: Match) -> list[PrivateBotDiagnostics]:
    """Return the faults, notes and stderr of a match's bots by seat, or an empty list if there are none."""
    records = [_record_of_seat(seat) for seat in MatchSeat.objects.filter(match=match).order_by("seat")]
    return records if any(record != EMPTY_RECORD for record in records) else []


def delete_stored(match: Match) -> None:
    """Delete the private records from the seats of a match; call this once they are archived."""
    MatchSeat.objects.filter(match=match).update(faults=[], notes=[], stderr="")


def _record_of_seat(seat: MatchSeat) -> PrivateBotDiagnostics:
    return PrivateBotDiagnostics(list(seat.faults), list(seat.notes), seat.stderr)
