"""Search for matches by game, bots, length and excuses, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, F, Func, IntegerField, OuterRef, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Coalesce, Concat

from bots.version_queries import select_bot
from foundation.paging import Column, read_text, read_time, slice_of
from ftk_core.entries import stream_of
from replays.block_models import Block
from replays.ends import UNENDED, until
from replays.models import Match, MatchSeat, Page, Stream
from replays.queries import MatchOverview, read_matches

STREAM = Concat(Value(stream_of("")), OuterRef("pk"), output_field=TextField())
ORDER = (Column("ended_at", read_time, falling=True), Column("id", read_text, falling=True))
"""Newest end first; ties by id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFilter:
    """Search criteria; empty ones are ignored."""

    game: str = ""
    bot: str = ""
    """Slug of a bot at the table."""
    opponent: str = ""
    """Slug of another bot at the same table."""
    least: int | None = None
    """Minimum number of log entries."""
    most: int | None = None
    excuse: str = ""
    """``timeout``, ``crash`` or ``nonsense``, at any seat."""
    result: str = ""
    """``won`` or ``lost``, for `bot`."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A page of search results."""

    matches: list[MatchOverview]
    after: str
    """Cursor of the next page; empty at the end."""


def find(sought: MatchFilter, cursor: str, size: int, among: QuerySet[Any] | None = None) -> SearchResult:
    """Return ended matches, newest first, optionally among the ids of a query; raises BadCursor."""
    rows = Match.objects.filter(status=Match.Status.CLOSED)
    rows = _of(sought.bot, sought.result, rows) if sought.bot else rows.annotate(ended_at=F("closed_at"))
    if among is not None:
        rows = rows.filter(pk__in=among)
    piece = slice_of(_by_log(_by_table(rows, sought), sought), ORDER, cursor, size)
    return SearchResult(read_matches(piece.rows), piece.after)


def select_unarchived() -> QuerySet[Match]:
    """Return the matches whose log is not in the archive, but for those that never will be."""
    return Match.objects.filter(~Exists(Block.objects.filter(pk=STREAM))).exclude(status=Match.Status.VOID)


def _by_table(rows: QuerySet[Match], sought: MatchFilter) -> QuerySet[Match]:
    """Keep matches of the game with this opponent at the table."""
    if sought.game:
        rows = rows.filter(game=sought.game)
    if sought.opponent:
        there = MatchSeat.objects.filter(match=OuterRef("pk"), bot=select_bot(sought.opponent))
        rows = rows.filter(Exists(there))
    return rows


RESULTS: dict[str, dict[str, int]] = {"won": {"place": 1}, "lost": {"place__gt": 1}}


def of_bot(slug: str, rows: QuerySet[Match]) -> QuerySet[Match]:
    """Keep the matches of a bot, once each, ended or not; an index supports the order by `sat_until`."""
    own = {"bot": select_bot(slug)}
    rows = rows.filter(seats__bot=own["bot"]).annotate(sat_until=until("seats__closed_at"), own_seat=F("seats__seat"))
    return _once(rows, own)


def _of(slug: str, result: str, rows: QuerySet[Match]) -> QuerySet[Match]:
    """Keep the ended matches of a bot, once each, by the index of its seats."""
    own = {"bot": select_bot(slug), **RESULTS.get(result, {})}
    rows = rows.filter(**{f"seats__{field}": value for field, value in own.items()})
    rows = rows.annotate(ended_at=until("seats__closed_at"), own_seat=F("seats__seat"))  # of that same seat
    return _once(rows.filter(ended_at__lt=UNENDED), own)


def _once(rows: QuerySet[Match], own: dict[str, Any]) -> QuerySet[Match]:
    """Keep each match at the first of its matching seats."""
    return rows.filter(~Exists(MatchSeat.objects.filter(match=OuterRef("pk"), seat__lt=OuterRef("own_seat"), **own)))


def _by_log(rows: QuerySet[Match], sought: MatchFilter) -> QuerySet[Match]:
    """Keep the matches of the requested length and excuse.

    Matches that are not released are excluded, because both reveal their inside.
    """
    if sought.excuse or sought.least is not None or sought.most is not None:
        rows = rows.filter(released=True)
    if sought.least is not None or sought.most is not None:
        rows = _with_length(rows, sought.least, sought.most)
    return _with_excuse(rows, sought.excuse) if sought.excuse else rows


def _with_length(rows: QuerySet[Match], least: int | None, most: int | None) -> QuerySet[Match]:
    """Keep the matches with so many entries, both bounds included; None is no bound."""
    here, there = (Subquery(ends.objects.filter(pk=STREAM).values("length")) for ends in (Stream, Block))
    rows = rows.annotate(entries=Coalesce(here, there))
    if least is not None:
        rows = rows.filter(entries__gte=least)
    return rows if most is None else rows.filter(entries__lte=most)


def _with_excuse(rows: QuerySet[Match], excuse: str) -> QuerySet[Match]:
    """Keep the matches in which a choice was made for a seat for this reason."""
    # quotation marks inside texts are escaped, so this occurs only in the entry's own field
    mark = Value(f'"excuse":"{excuse}"'.encode())
    found = Func(mark, F("body"), function="POSITION", arg_joiner=" IN ", output_field=IntegerField())
    excused = MatchSeat.objects.filter(match=OuterRef("pk"), excuses__gt=0)
    here = Exists(Page.objects.annotate(at=found).filter(stream_id=STREAM, at__gt=0))
    there = Exists(Block.objects.filter(pk=STREAM, excuses__contains=[excuse]))
    return rows.filter(Exists(excused), here | there)
