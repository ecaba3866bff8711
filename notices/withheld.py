"""Events that reveal the inside of a match, stored until that match is released."""

from __future__ import annotations

from collections.abc import Iterable

from notices.happenings import Happening
from notices.models import WithheldEvent
from replays.queries import list_released


def keep(league: int, events: Iterable[Happening]) -> None:
    """Store events of a league until their matches are released."""
    WithheldEvent.objects.bulk_create(
        WithheldEvent(
            league_id=league,
            match=event.within,
            kind=event.kind,
            at=event.at,
            data=dict(event.told),
            entries=list(event.entries),
        )
        for event in events
    )


def take_released(league: int) -> list[Happening]:
    """Return and delete the events of a league whose matches have been released since, the oldest first."""
    rows = list(WithheldEvent.objects.filter(league=league).order_by("pk"))
    released = list_released([row.match for row in rows])
    ready = [row for row in rows if row.match in released]
    WithheldEvent.objects.filter(pk__in=[row.pk for row in ready]).delete()
    return [
        Happening(kind=row.kind, at=row.at, told=row.data, league=league, entries=tuple(row.entries)) for row in ready
    ]
