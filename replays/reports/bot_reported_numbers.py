"""Series of numbers that bots sent in notes with their answers, for the page of a match."""
# Only a bot's authors see its series, and only when they may see the match from the bot's seat.

from __future__ import annotations

from dataclasses import dataclass

import structlog

from bots.access.teams import bots_of
from ftk_core.kit.protocol.answer_note_parsing import series_of
from replays.archive.archive_errors import ArchiveUnavailable
from replays.match_access import is_forbidden
from replays.models import MatchSeat
from replays.private_bot_diagnostics import read_record

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotReportedNumberSeries:
    """Values of one number in a bot's notes, in the order of its answers."""

    bot: str
    key: str
    values: list[float]
    first: int
    """Number of the first question with a value."""
    last: int
    """Number of the last question with a value."""

    @property
    def least(self) -> float:
        """Lowest value in the series."""
        return min(self.values)

    @property
    def most(self) -> float:
        """Highest value in the series."""
        return max(self.values)


def read_numbers(match_id: str, user_id: int | None) -> list[BotReportedNumberSeries]:
    """Return the series of numbers that a user's bots reported with their answers in a match."""
    # Seats whose view the user may not see now are left out.
    if user_id is None:
        return []
    own = MatchSeat.objects.filter(match=match_id, version__bot__in=bots_of(user_id))
    seats = own.select_related("match", "version__bot").order_by("seat")
    return [
        BotReportedNumberSeries(
            bot=seat.version.label,
            key=key,
            values=[value for _, value in row],
            first=row[0][0],
            last=row[-1][0],
        )
        for seat in seats
        if not is_forbidden(seat.match, seat.seat, user_id)
        for key, row in series_of(_notes(seat)).items()
    ]


def _notes(seat: MatchSeat) -> list[str]:
    try:
        return read_record(seat).notes
    except ArchiveUnavailable as error:  # the page shows its other parts
        log.warning("numbers_without", match=seat.match_id, reason=str(error))
        return []
