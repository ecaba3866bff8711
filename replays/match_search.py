"""Search for ended matches by game, bots, length and failures of bots, the newest first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Exists, F, Func, IntegerField, OuterRef, Q, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Coalesce, Concat

from bots.versions.queries import select_bot
from foundation.keyset_pagination import SortColumn, read_page, read_text, read_time
from ftk_core.games import list_games
from ftk_core.log_entries import stream_of
from replays.match_end_times import NO_END_TIME, end_time_of
from replays.models import EventStream, EventStreamPage, Match, MatchSeat
from replays.models.archive_blocks import ArchivedMatchLog
from replays.queries import MatchOverview, read_matches

STREAM_ID_EXPRESSION = Concat(Value(stream_of("")), OuterRef("pk"), output_field=TextField())
ORDER = (SortColumn("ended_at", read_time, descending=True), SortColumn("id", read_text, descending=True))
"""Order of search results: the latest end first, then by id."""
ORDER_OF_BOT = (SortColumn("sat_until", read_time, descending=True), SortColumn("id", read_text, descending=True))
"""Order of `matches_of_bot`: the unfinished matches first, then the latest end first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSearchCriteria:
    """Search criteria; empty criteria are ignored."""

    game: str = ""
    bot: str = ""
    """Name of a bot that played in the match."""
    opponent: str = ""
    """Name of another bot that played in the match."""
    least: int | None = None
    """Minimum number of log entries."""
    most: int | None = None
    """Maximum number of log entries."""
    excuse: str = ""
    """Reason why any bot gave no valid answer: ``timeout``, ``crash`` or ``nonsense``."""
    result: str = ""
    """Result of `bot`: ``won`` or ``lost``."""


@dataclass(frozen=True, slots=True)
class MatchSearchPage:
    """A page of search results."""

    matches: list[MatchOverview]
    after: str
    """Cursor for the next page of results; empty on the last page."""


@dataclass(frozen=True, slots=True)
class MatchWithWinnerNames:
    """A match that ended with a result, and the names of its winners."""

    match: str
    closed_at: datetime | None
    winners: tuple[str, ...]


def find_matches(
    sought: MatchSearchCriteria, cursor: str, size: int, among: QuerySet[Any] | None = None
) -> MatchSearchPage:
    """Return a page of the matches that satisfy the criteria, newest first.

    If the query `among` is given, only matches with the ids that it returns are searched. Raises InvalidCursorError.
    """
    rows = Match.objects.filter(status=Match.Status.CLOSED)
    rows = _seats_of(sought.bot, sought.result, rows) if sought.bot else rows.annotate(ended_at=F("closed_at"))
    if among is not None:
        rows = rows.filter(pk__in=among)
    piece = read_page(_filter_by_log(_filter_by_game_and_opponent(rows, sought), sought), ORDER, cursor, size)
    return MatchSearchPage(read_matches(piece.rows), piece.after)


def select_newest_released(limit: int) -> QuerySet[Match, tuple[str, datetime | None]]:
    """Return pairs (match id, end time) of the newest public matches of installed games."""
    released = Match.objects.filter(status=Match.Status.CLOSED, released=True, game__in=list_games())
    return released.filter(closed_at__isnull=False).order_by("-closed_at").values_list("pk", "closed_at")[:limit]


def find_last_wins(games: Collection[str]) -> dict[str, MatchWithWinnerNames]:
    """Return each game's latest public match with a result, by game."""
    closed = Match.objects.filter(status=Match.Status.CLOSED, released=True, closed_at__isnull=False).order_by(
        "-closed_at", "-id"
    )
    latest = [Q(match=Subquery(closed.filter(game=game).values("pk")[:1])) for game in games]
    seats = MatchSeat.objects.filter(reduce(or_, latest, Q(pk=None)), place=1).select_related("match", "version__bot")
    wins: dict[str, MatchWithWinnerNames] = {}
    for seat in seats.order_by("match", "seat"):
        match = seat.match
        names = wins[match.game].winners if match.game in wins else ()
        wins[match.game] = MatchWithWinnerNames(match.pk, match.closed_at, (*names, seat.version.label))
    return wins


def select_unarchived() -> QuerySet[Match]:
    """Return the matches whose log is still in the database."""
    # Matches without a result are left out, because they are never archived.
    return Match.objects.filter(~Exists(ArchivedMatchLog.objects.filter(pk=STREAM_ID_EXPRESSION))).exclude(
        status=Match.Status.VOID
    )


def _filter_by_game_and_opponent(rows: QuerySet[Match], sought: MatchSearchCriteria) -> QuerySet[Match]:
    """Keep the matches of the requested game in which the requested opponent played."""
    if sought.game:
        rows = rows.filter(game=sought.game)
    if sought.opponent:
        there = MatchSeat.objects.filter(match=OuterRef("pk"), bot=select_bot(sought.opponent))
        rows = rows.filter(Exists(there))
    return rows


RESULTS: dict[str, dict[str, int]] = {"won": {"place": 1}, "lost": {"place__gt": 1}}
"""Conditions on a bot's `MatchSeat`, by value of `MatchSearchCriteria.result`, as arguments of a Django filter."""


def matches_of_bot(slug: str, rows: QuerySet[Match]) -> QuerySet[Match]:
    """Filter `rows` to the matches of a bot, and add their end time as the annotation `sat_until`.

    Each match remains once, even if the bot had several seats.
    """
    # An index on seats supports sorting by this annotation.
    own = {"bot": select_bot(slug)}
    rows = rows.filter(seats__bot=own["bot"]).annotate(
        sat_until=end_time_of("seats__closed_at"), own_seat=F("seats__seat")
    )
    return _distinct(rows, own)


def _seats_of(slug: str, result: str, rows: QuerySet[Match]) -> QuerySet[Match]:
    """Filter `rows` to the ended matches of a bot. Each match remains once, even if the bot had several seats.

    If `result` is ``won`` or ``lost``, only matches that the bot won or lost remain.
    """
    # The end time is read from the seats, because an index on seats supports sorting by it.
    own = {"bot": select_bot(slug), **RESULTS.get(result, {})}
    rows = rows.filter(**{f"seats__{field}": value for field, value in own.items()})
    rows = rows.annotate(ended_at=end_time_of("seats__closed_at"), own_seat=F("seats__seat"))  # both from the same seat
    return _distinct(rows.filter(ended_at__lt=NO_END_TIME), own)


def _distinct(rows: QuerySet[Match], own: dict[str, Any]) -> QuerySet[Match]:
    """Remove repeated matches, which a join with seats has produced."""
    # Of each match the row with the lowest seat number (`own_seat`) stays. `own` is the filter of the join's seats.
    return rows.filter(~Exists(MatchSeat.objects.filter(match=OuterRef("pk"), seat__lt=OuterRef("own_seat"), **own)))


def _filter_by_log(rows: QuerySet[Match], sought: MatchSearchCriteria) -> QuerySet[Match]:
    """Keep the matches whose log has the requested length and contains the requested failure of a bot."""
    # Matches that are not public are excluded, because the search would reveal something about their log.
    if sought.excuse or sought.least is not None or sought.most is not None:
        rows = rows.filter(released=True)
    if sought.least is not None or sought.most is not None:
        rows = _with_length(rows, sought.least, sought.most)
    return _with_excuse(rows, sought.excuse) if sought.excuse else rows


def _with_length(rows: QuerySet[Match], least: int | None, most: int | None) -> QuerySet[Match]:
    """Keep the matches with at least `least` and at most `most` log entries; None is no bound."""
    here, there = (
        Subquery(ends.objects.filter(pk=STREAM_ID_EXPRESSION).values("length"))
        for ends in (EventStream, ArchivedMatchLog)
    )
    rows = rows.annotate(entries=Coalesce(here, there))
    if least is not None:
        rows = rows.filter(entries__gte=least)
    return rows if most is None else rows.filter(entries__lte=most)


def _with_excuse(rows: QuerySet[Match], excuse: str) -> QuerySet[Match]:
    """Keep the matches in which a bot failed to answer for the reason `excuse`, such as ``timeout``."""
    # quotation marks inside JSON strings are escaped, so this matches only the field of a log entry
    mark = Value(f'"excuse":"{excuse}"'.encode())
    found = Func(mark, F("body"), function="POSITION", arg_joiner=" IN ", output_field=IntegerField())
    excused = MatchSeat.objects.filter(match=OuterRef("pk"), excuses__gt=0)
    here = Exists(EventStreamPage.objects.annotate(at=found).filter(stream_id=STREAM_ID_EXPRESSION, at__gt=0))
    there = Exists(ArchivedMatchLog.objects.filter(pk=STREAM_ID_EXPRESSION, excuses__contains=[excuse]))
    return rows.filter(Exists(excused), here | there)
