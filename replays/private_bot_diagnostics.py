"""The faults, notes and stderr of bots in matches, read from the database or the archive."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.db.models import Q

from ftk_core.log_entries import stream_of
from people.account_erasure import TOMBSTONE_NAME
from replays.archive.archived_log_reading import read_block_with_records
from replays.archive.block_format import PrivateBotDiagnostics
from replays.models import Match, MatchSeat, SeatQuestionMailbox
from replays.models.archive_blocks import ArchivedMatchLog

EMPTY_RECORD = PrivateBotDiagnostics()
HAS_RECORD = ~Q(faults=[]) | ~Q(notes=[]) | ~Q(stderr="")
"""Condition of seats whose private record is in the database and not empty."""


def read_record(seat: MatchSeat) -> PrivateBotDiagnostics:
    """Return the private record of a seat's bot; raises ArchiveUnavailable if an archived record cannot be read."""
    stored = _record_of_seat(seat)
    if stored != EMPTY_RECORD:
        return stored
    block = ArchivedMatchLog.objects.filter(pk=stream_of(seat.match_id)).first()
    records = read_block_with_records(block)[1] if block else []
    return records[seat.seat] if records else EMPTY_RECORD


def read_stored(match: Match, *, lock: bool = False) -> list[PrivateBotDiagnostics]:
    """Return the faults, notes and stderr of a match's bots by seat, or an empty list if there are none.

    If `lock` is True, lock the seats until the transaction ends, so that no erasure changes these texts meanwhile.
    """
    # Nobody may read the texts of bots whose authors have left.
    seats = MatchSeat.objects.filter(match=match).select_related("bot__owner").order_by("seat")
    records = [
        EMPTY_RECORD if seat.bot.owner.username == TOMBSTONE_NAME else _record_of_seat(seat)
        for seat in (seats.select_for_update(of=("self",)) if lock else seats)
    ]
    return records if any(record != EMPTY_RECORD for record in records) else []


def delete_stored(match: Match) -> None:
    """Delete the private records from the seats of a match; call this once they are archived."""
    MatchSeat.objects.filter(match=match).update(faults=[], notes=[], stderr="")


def erase_texts_of_bots(bot_ids: Collection[int], **_kwargs: object) -> None:
    """Delete from the database the private records of bots whose author's account was erased."""
    # Archived records stay, because the archive never changes.
    # Rows are locked in the order of `read_stored`, so that an archiver and an erasure wait, and do not deadlock.
    seats = MatchSeat.objects.filter(HAS_RECORD, bot__in=bot_ids).order_by("match", "seat")
    seat_ids = list(seats.select_for_update(of=("self",)).values_list("pk", flat=True))
    MatchSeat.objects.filter(pk__in=seat_ids).update(faults=[], notes=[], stderr="")
    mailboxes = SeatQuestionMailbox.objects.filter(bot__in=bot_ids)
    mailboxes.exclude(note="").update(note="")
    mailboxes.exclude(over="").update(fault="")  # in the others it is an answer that the worker has not read yet


@transaction.atomic
def erase_late_texts() -> None:
    """Delete private records that were stored while their authors were being erased, or afterwards."""
    # A match can end before the erasure commits, and a match without a result keeps what was stored before its end.
    late = MatchSeat.objects.filter(HAS_RECORD, bot__owner__username=TOMBSTONE_NAME)
    erase_texts_of_bots(list(late.values_list("bot", flat=True).distinct()))


def _record_of_seat(seat: MatchSeat) -> PrivateBotDiagnostics:
    return PrivateBotDiagnostics(list(seat.faults), list(seat.notes), seat.stderr)
