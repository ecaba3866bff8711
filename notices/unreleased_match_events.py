"""Storage of public events that reveal what happened in a match, until the match's moves become public."""

from __future__ import annotations

from collections.abc import Iterable

from notices.models import UnreleasedMatchEvent
from notices.public_events import PublicNotificationEvent
from replays.queries import list_released


def store_withheld(league: int, events: Iterable[PublicNotificationEvent]) -> None:
    """Store events that reveal a match's moves. `take_released` returns them when the moves are public."""
    UnreleasedMatchEvent.objects.bulk_create(
        UnreleasedMatchEvent(
            league_id=league,
            match=event.within,
            kind=event.kind,
            at=event.at,
            data=dict(event.told),
            entries=list(event.entries),
        )
        for event in events
    )


def take_released(league: int) -> list[PublicNotificationEvent]:
    """Delete and return the stored events of a league whose match has public moves now, oldest first."""
    rows = list(UnreleasedMatchEvent.objects.filter(league=league).order_by("pk"))
    released = list_released([row.match for row in rows])
    released_rows = [row for row in rows if row.match in released]
    UnreleasedMatchEvent.objects.filter(pk__in=[row.pk for row in released_rows]).delete()
    return [
        PublicNotificationEvent(kind=row.kind, at=row.at, told=row.data, league=league, entries=tuple(row.entries))
        for row in released_rows
    ]
