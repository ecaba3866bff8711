"""Finding matches by what stands in their logs."""

from __future__ import annotations

from django.db.models import Exists, F, Func, IntegerField, OuterRef, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Concat

from ftk_core.entries import Excuse, stream_of
from replays.models import Match, MatchSeat, Page, Stream

STREAM = Concat(Value(stream_of("")), OuterRef("pk"), output_field=TextField())


def with_length(rows: QuerySet[Match], least: int | None, most: int | None) -> QuerySet[Match]:
    """Keep the matches with so many entries, both bounds included; None is no bound."""
    rows = rows.annotate(entries=Subquery(Stream.objects.filter(pk=STREAM).values("length")))
    if least is not None:
        rows = rows.filter(entries__gte=least)
    return rows if most is None else rows.filter(entries__lte=most)


def with_excuse(rows: QuerySet[Match], excuse: Excuse) -> QuerySet[Match]:
    """Keep the matches in which a choice was made for a seat, for this reason."""
    # a quotation mark inside a text is escaped, so this can stand nowhere but in the entry's own field
    mark = Value(f'"excuse":"{excuse}"'.encode())
    found = Func(mark, F("body"), function="POSITION", arg_joiner=" IN ", output_field=IntegerField())
    excused = MatchSeat.objects.filter(match=OuterRef("pk"), excuses__gt=0)
    return rows.filter(Exists(excused), Exists(Page.objects.annotate(at=found).filter(stream_id=STREAM, at__gt=0)))
