"""Numbers that bots noted in a match, for their own authors."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from bots.teams import bots_of
from ftk_core.kit.noting import series_of
from replays.blocks.unread import BlockUnread
from replays.models import MatchSeat
from replays.records import read_record

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """Values of one number of one bot, by question."""

    bot: str
    key: str
    values: list[float]
    first: int
    """The first question."""
    last: int
    """The last question."""

    @property
    def least(self) -> float:
        """The lowest."""
        return min(self.values)

    @property
    def most(self) -> float:
        """The highest."""
        return max(self.values)


def read_numbers(match_id: str, user_id: int | None) -> list[Noted]:
    """Return the numbers that an author's bots noted in a match, seat by seat; nothing of other authors' bots."""
    if user_id is None:
        return []
    seats = MatchSeat.objects.filter(match=match_id, version__bot__in=bots_of(user_id)).select_related("version__bot")
    return [
        Noted(
            bot=seat.version.label,
            key=key,
            values=[value for _, value in row],
            first=row[0][0],
            last=row[-1][0],
        )
        for seat in seats.order_by("seat")
        for key, row in series_of(_notes(seat)).items()
    ]


def _notes(seat: MatchSeat) -> list[str]:
    try:
        return read_record(seat).notes
    except BlockUnread as error:  # the page has more to show
        log.warning("numbers_without", match=seat.match_id, reason=str(error))
        return []
