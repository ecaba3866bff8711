"""Read queries about the names and lengths of event streams, for other apps."""

from __future__ import annotations

from typing import Any

from django.db.models import F, QuerySet, Subquery
from django.db.models.functions import Coalesce

from replays.models import EventStream


def list_streams(beginning: str) -> list[str]:
    """Return the sorted names of all streams whose name starts with `beginning`."""
    return list(EventStream.objects.filter(pk__startswith=beginning).order_by("pk").values_list("pk", flat=True))


def list_heads(beginning: str) -> dict[str, bytes]:
    """Return the hash of each non-empty event stream whose name starts with `beginning`, by name."""
    rows = EventStream.objects.filter(pk__startswith=beginning, length__gt=0).order_by("pk")
    return {name: bytes(head) for name, head in rows.values_list("pk", "head")}


def list_unread_streams(beginning: str, read: QuerySet[Any]) -> list[str]:
    """Return the names of the event logs that the caller has not read to the end.

    Only logs whose name starts with `beginning` are considered. The subquery `read` returns how many lines of the log
    ``OuterRef("pk")`` are already read.
    """
    rows = EventStream.objects.filter(pk__startswith=beginning).annotate(read=Coalesce(Subquery(read), 0))
    return list(rows.filter(length__gt=F("read")).order_by("pk").values_list("pk", flat=True))
