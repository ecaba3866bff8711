"""Lists of leagues, with the winners and dates of finished ones."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Case, Count, Exists, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from foundation.keyset_pagination import SortColumn, read_number, read_page, read_time
from ftk_core.games import title_of
from tournaments.leagues.entrant_queries import select_placed
from tournaments.models import Entrant, League, LeagueMatch
from tournaments.summaries.league_and_leaderboard_overviews import LeagueList, LeagueSummary


def list_leagues(limit: int = 50) -> list[LeagueSummary]:
    """Return the newest leagues, newest first, without leagues of a single match, such as demo matches."""
    return list_leagues_from("", limit).cards


def _select_leagues(*, single: bool | None) -> QuerySet[League]:
    """Return a query for leagues: those of a single match (True), all others (False), or both (None)."""
    tables = LeagueMatch.objects.filter(league=OuterRef("pk")).order_by(
        "pk"
    )  # at most two are read, however many exist
    is_single = Q(Exists(tables), ~Exists(tables[1:]), rounds=1)
    rows = _with_entries(League.objects.readable())
    if single is None:
        return rows
    return rows.filter(is_single) if single else rows.exclude(is_single)


STATES: dict[str, Q] = {
    "open": Q(status=League.Status.OPEN),
    "running": Q(status=League.Status.RUNNING),
    "closed": Q(status=League.Status.CLOSED, cancelled=""),
    "cancelled": ~Q(cancelled=""),
}
"""Query condition on leagues, by the name of the state that lists show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueFilter:
    """Criteria for the list of leagues; empty criteria are ignored."""

    single: bool | None = False
    """True for leagues that consist of one match, False for all others, None for both."""
    game: str = ""
    state: str = ""
    """Key of `STATES`."""
    text: str = ""
    """Part of the league's name, in any case."""

    @property
    def is_set(self) -> bool:
        """True if a game, state or text to search for is given."""
        return bool(self.game or self.state or self.text)


def list_leagues_from(cursor: str, size: int = 30, *, wanted: LeagueFilter | None = None) -> LeagueList:
    """Return one page of the leagues that meet the criteria, newest first; raises InvalidCursorError.

    An unknown state or game gives an empty page.
    """
    wanted = wanted or LeagueFilter()
    rows = _with_outcome(_select_leagues(single=wanted.single))
    if wanted.game:
        rows = rows.filter(game=wanted.game)
    if wanted.state:
        rows = rows.filter(STATES.get(wanted.state, Q(pk=None)))
    if wanted.text:
        rows = rows.filter(name__icontains=wanted.text)
    order = (SortColumn("created_at", read_time, descending=True), SortColumn("id", read_number, descending=True))
    page = read_page(rows, order, cursor, size)
    return LeagueList([_make_card(row) for row in page.rows], page.after)


def _with_entries(rows: QuerySet[League]) -> QuerySet[League]:
    """Annotate leagues with their number of entries."""
    entrants = Entrant.objects.filter(league=OuterRef("pk")).order_by().values("league")
    return rows.annotate(entry_count=Coalesce(Subquery(entrants.annotate(n=Count("pk")).values("n")), 0))


def _with_outcome(rows: QuerySet[League]) -> QuerySet[League]:
    """Annotate leagues with their winners and the times of the first and last match."""
    first = select_placed().filter(league=OuterRef("pk"), place=1).order_by("number")
    tables = LeagueMatch.objects.filter(league=OuterRef("pk"))
    return rows.annotate(
        winners=ArraySubquery(first.values("name")),
        begun_at=Subquery(tables.order_by("round", "number", "game").values("match__opened_at")[:1]),
        ended_at=Subquery(tables.order_by("-round", "-number", "-game").values("match__closed_at")[:1]),
    )


def _make_card(league: League) -> LeagueSummary:
    notes = vars(league)
    is_over = league.status == League.Status.CLOSED and not league.cancelled
    return LeagueSummary(
        id=league.pk,
        slug=league.slug,
        name=league.name,
        game=league.game,
        game_title=title_of(league.game),
        season=league.season,
        status=league.status,
        round=league.round,
        rounds=league.rounds,
        entries=notes["entry_count"],
        entries_until=league.entries_until,
        cancelled=league.cancelled,
        logo=league.logo,
        announced_at=league.created_at,
        winners=tuple(notes.get("winners", ())) if is_over else (),
        begun_at=notes.get("begun_at"),
        ended_at=notes.get("ended_at") if is_over else None,
    )


def read_card(slug: str) -> LeagueSummary:
    """Return the summary of one league, without winners and times of matches; raises League.DoesNotExist."""
    return _make_card(_with_entries(League.objects.readable()).get(slug=slug))


def list_current(limit: int) -> list[LeagueSummary]:
    """Return up to `limit` leagues for the home page: open ones, then running, then finished ones.

    Open leagues are sorted by entry deadline, the others newest first. Running leagues precede open ones whose deadline
    has passed, which still lack bots.
    """
    is_due = Q(status=League.Status.OPEN, entries_until__lte=timezone.now())
    rank = Case(
        When(is_due, then=2),
        When(status=League.Status.OPEN, then=0),
        When(status=League.Status.RUNNING, then=1),
        default=3,
    )
    deadline = Case(When(status=League.Status.OPEN, then="entries_until"))
    rows = _with_outcome(_select_leagues(single=False)).order_by(rank, deadline, "-created_at")
    return [_make_card(row) for row in rows[:limit]]
