"""Queries for the pages and the API of series."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.contrib.auth.models import User
from django.db.models import Count, Exists, OuterRef, Q
from django.utils.translation import gettext

from ftk_core.game import rank_by_keys
from ftk_core.games import title_of
from ftk_core.league.scoring.series_points import LeaguePointsInSeries, SeriesStanding, series_standings
from tournaments.league_series.services import owns_series
from tournaments.leagues.entrant_queries import select_placed
from tournaments.models import Entrant, League, LeagueMatch
from tournaments.models.organiser_roles import LeagueRole
from tournaments.models.series import Series

MAX_LISTED = 200
"""Maximum number of series in the list (the newest), and of leagues that a viewer may add."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueSeriesSummary:
    """One series in the list of series."""

    slug: str
    name: str
    game: str
    game_title: str
    leagues: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueInSeries:
    """A league of a series."""

    # The status is open, running, closed or cancelled. Only closed leagues give points.

    slug: str
    name: str
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueSeriesStandingRow:
    """One bot in the standings of a series."""

    place: int
    bot: str
    """Slug of the bot."""
    points: str
    """Points with at most one decimal."""
    results: list[tuple[str, bool]]
    """(points, True if they count) for each finished league; the points are an empty text if the bot did not play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueSeriesOverview(LeagueSeriesSummary):
    """Content of the page of a series."""

    drops: int
    """Number of each bot's worst leagues that do not count."""
    points: list[int]
    """Points by place, first place first. If empty, a bot gets 100 times the share of bots that finish behind it."""
    finished: list[LeagueInSeries]
    """Leagues that count, in the order of their announcement. A league that ended before its first round does not."""
    coming: list[LeagueInSeries]
    """Leagues that are open or running."""
    ended: list[LeagueInSeries]
    """Leagues that ended without a result: cancelled, or closed before their first round."""
    standings: list[LeagueSeriesStandingRow]
    manages: bool
    """True if the viewer may change the series."""
    can_add: list[LeagueInSeries]
    """Leagues that the viewer may add."""


def list_series() -> list[LeagueSeriesSummary]:
    """Return all series, newest first, at most `MAX_LISTED`."""
    rows = Series.objects.annotate(count=Count("leagues")).order_by("-created_at", "-pk")[:MAX_LISTED]
    return [
        LeagueSeriesSummary(
            slug=row.slug, name=row.name, game=row.game, game_title=title_of(row.game), leagues=row.count
        )
        for row in rows
    ]


def list_series_of(league_slug: str) -> list[tuple[str, str]]:
    """Return (slug, name) of each series that contains the league with this slug."""
    return list(Series.objects.filter(leagues__slug=league_slug).order_by("pk").values_list("slug", "name"))


def read_series(slug: str, viewer: object = None) -> LeagueSeriesOverview:
    """Return the content of the page of a series for a viewer; raises Series.DoesNotExist."""
    series = Series.objects.filter(slug=slug).first()
    if series is None:
        raise Series.DoesNotExist(gettext("there is no series %(slug)r") % {"slug": slug[:60]})
    leagues = list(series.leagues.order_by("created_at", "pk"))
    ended = [league for league in leagues if league.status == League.Status.CLOSED]
    with_result = set(select_placed().filter(league__in=ended).values_list("league", flat=True))
    closed = [league for league in ended if league.pk in with_result]
    manages = owns_series(viewer, series)
    standings = series_standings(_read_places(closed), series.points, series.drops)
    return LeagueSeriesOverview(
        slug=series.slug,
        name=series.name,
        game=series.game,
        game_title=title_of(series.game),
        leagues=len(leagues),
        drops=series.drops,
        points=series.points,
        finished=_make_leagues(closed),
        coming=_make_leagues([league for league in leagues if league.status != League.Status.CLOSED]),
        ended=_make_leagues([league for league in ended if league.pk not in with_result]),
        standings=[_make_row(standing) for standing in standings],
        manages=manages,
        can_add=_list_addable(series, viewer) if manages and isinstance(viewer, User) else [],
    )


def _read_places(leagues: Sequence[League]) -> list[dict[str, int]]:
    """Return for each league the final places of its bots, by slug.

    If a bot has several entries in a league, only the best one counts, and the places are numbered without the others.
    Bots that withdrew before their first match are left out.
    """
    by_league: dict[int, dict[str, int]] = defaultdict(dict)
    matches = LeagueMatch.objects.filter(league=OuterRef("league"), match__seats__bot=OuterRef("version__bot"))
    took_part = Q(withdrawn=False) | Exists(matches)  # a bot with a bye in the only round took part
    rows = Entrant.objects.filter(took_part, league__in=leagues, place__gt=0).order_by("place", "number")
    for league, place, bot in rows.values_list("league", "place", "version__bot__slug"):
        by_league[league].setdefault(bot, place)
    best_places = [by_league[league.pk] for league in leagues]
    return [dict(zip(best, rank_by_keys([-place for place in best.values()]), strict=True)) for best in best_places]


def _list_addable(series: Series, viewer: User) -> list[LeagueInSeries]:
    roles = (LeagueRole.Role.ORGANISER, LeagueRole.Role.CO_ORGANISER)
    rows = League.objects.valid().filter(game=series.game).exclude(series=series)
    if not viewer.is_staff:
        rows = rows.filter(roles__person=viewer, roles__role__in=roles)
    return _make_leagues(rows.order_by("-created_at")[:MAX_LISTED])


def _make_leagues(leagues: Iterable[League]) -> list[LeagueInSeries]:
    return [
        LeagueInSeries(slug=one.slug, name=one.name, status="cancelled" if one.cancelled else one.status)
        for one in leagues
    ]


def _make_row(standing: SeriesStanding) -> LeagueSeriesStandingRow:
    return LeagueSeriesStandingRow(
        place=standing.place,
        bot=standing.bot,
        points=_format_points(standing.points),
        results=[_format_result(result) for result in standing.results],
    )


def _format_result(result: LeaguePointsInSeries | None) -> tuple[str, bool]:
    return (_format_points(result.points), result.counts) if result else ("", False)


def _format_points(points: Fraction) -> str:
    return f"{float(points):.1f}".removesuffix(".0")
