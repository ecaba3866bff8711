"""Records of a worker about a bot, for its author: in the seat's row, and once the match is archived in its block."""

from __future__ import annotations

from ftk_core.entries import stream_of
from replays.block_models import Block
from replays.blocks.packing import AuthorRecord
from replays.blocks.reading import read_all
from replays.models import Match, MatchSeat

NOTHING = AuthorRecord()


def read_record(seat: MatchSeat) -> AuthorRecord:
    """Return what is recorded of the bot in a seat; raises BlockUnread where the archive does not give it."""
    stored = _stored(seat)
    if stored != NOTHING:
        return stored
    block = Block.objects.filter(pk=stream_of(seat.match_id)).first()
    records = read_all(block)[1] if block else []
    return records[seat.seat] if records else NOTHING


def read_stored(match: Match) -> list[AuthorRecord]:
    """Return by seat what the rows of a match say; nothing at all where none says anything."""
    records = [_stored(seat) for seat in MatchSeat.objects.filter(match=match).order_by("seat")]
    return records if any(record != NOTHING for record in records) else []


def forget_stored(match: Match) -> None:
    """Empty the rows of a match whose records are in its block."""
    MatchSeat.objects.filter(match=match).update(faults=[], notes=[], stderr="")


def _stored(seat: MatchSeat) -> AuthorRecord:
    return AuthorRecord(list(seat.faults), list(seat.notes), seat.stderr)
