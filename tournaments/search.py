"""Finding matches: by game, bots, league, length and what went wrong, the newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from django.db.models import Exists, OuterRef, QuerySet

from common.paging import Column, read_text, read_time, slice_of
from ftk_core.entries import Excuse
from replays.finding import with_excuse, with_length
from replays.models import Match, MatchSeat
from replays.queries import MatchPage, rows_of

PAGE = 24
ORDER = (Column("closed_at", read_time, falling=True), Column("id", read_text, falling=True))
"""The newest end first; matches that ended in the same moment by their ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to look for; what is empty is not asked."""

    game: str = ""
    bot: str = ""
    """The slug of a bot at the table."""
    opponent: str = ""
    """The slug of another one at the same table."""
    league: str = ""
    least: int | None = None
    """Entries of the log, at least."""
    most: int | None = None
    excuse: str = ""
    """``timeout``, ``crash`` or ``nonsense``, at any seat."""
    result: str = ""
    """``won`` or ``lost``, for `bot`."""


@dataclass(frozen=True, slots=True)
class Found:
    """Some matches of many."""

    matches: list[MatchPage]
    after: str
    """The cursor of the older ones; empty at the end."""


def search(wanted: Wanted, cursor: str = "", size: int = PAGE) -> Found:
    """Return ended matches, the newest first; raises BadCursor."""
    rows = _by_log(_by_table(Match.objects.filter(status=Match.Status.CLOSED), wanted), wanted)
    piece = slice_of(rows, ORDER, cursor, size)
    return Found(rows_of(piece.rows), piece.after)


def _by_table(rows: QuerySet[Match], wanted: Wanted) -> QuerySet[Match]:
    """Keep the matches of the game, the league and the bots."""
    if wanted.game:
        rows = rows.filter(game=wanted.game)
    if wanted.league:
        rows = rows.filter(table__tournament__slug=wanted.league)
    if wanted.bot:
        seats = _seats_of(wanted.bot)
        if wanted.result:
            seats = seats.filter(place=1) if wanted.result == "won" else seats.filter(place__gt=1)
        rows = rows.filter(Exists(seats))
    if wanted.opponent:
        rows = rows.filter(Exists(_seats_of(wanted.opponent)))
    return rows


def _seats_of(slug: str) -> QuerySet[MatchSeat]:
    return MatchSeat.objects.filter(match=OuterRef("pk"), version__bot__slug=slug)


def _by_log(rows: QuerySet[Match], wanted: Wanted) -> QuerySet[Match]:
    """Keep the matches of the wanted length, and those where a choice was made for the wanted reason."""
    if wanted.least is not None or wanted.most is not None:
        rows = with_length(rows, wanted.least, wanted.most)
    return with_excuse(rows, cast("Excuse", wanted.excuse)) if wanted.excuse else rows
