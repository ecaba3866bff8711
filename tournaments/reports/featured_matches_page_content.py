"""Content of a page that shows one interesting match after another."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from replays.queries import PLAYING, CurrentAndEarlierSeatPoints, MatchOverview, list_programme, read_points
from tournaments.ladders.elo_ratings import START_RATING
from tournaments.leagues.entrant_queries import select_placed
from tournaments.models import ALL_TIME, LeagueMatch, Rating
from tournaments.summaries.match_interest_score import (
    InterestScoreInputs,
    compute_interest,
    compute_upset,
    find_overtaker,
)

MAX_LEADERS = 8
"""Number of leading entries of a league that the page shows between two matches."""
MAX_LIVE_MATCHES = 12
MAX_RECENT_MATCHES = 8
REPEAT_POOL_MATCHES = 40
"""Number of latest finished matches from which the page chooses the most interesting ones to repeat."""
RECENT_LEAD_FRAMES = 12
"""Number of latest frames of a match in which a change of the lead counts as recent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveLeadChange:
    """Recent change of the lead in a live match."""

    name: str
    upset: bool
    """True if another bot at the table has a better rating than the new leader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeaturedMatchesPageContent:
    """Content of the page of featured matches: the shown match, other matches, and the match to show next."""

    shown: MatchOverview | None
    """The match that the page shows; None if no match exists."""
    live: list[MatchOverview]
    """Other live matches, most interesting first."""
    recent: list[MatchOverview]
    """Other finished matches: first the most interesting match of each league, then the rest, both by interest.

    Matches outside leagues count as those of one league.
    """
    next: str
    """Id of the match to show next; the same match if it is the only one, empty if no match exists."""
    league: str
    """Name of the league of the shown match; empty outside leagues."""
    leaders: list[tuple[int, str, str]]
    """(place, name, points) of each leading entry in the league of the shown match; empty outside leagues."""
    lead_change: LiveLeadChange | None
    """Latest change of the lead in the shown match; None if the match is not live or had no recent change."""
    ahead: dict[str, str]
    """Dict from the id of a live match to the name of the player who leads alone by public points."""
    switch_to: str
    """Id of a live match to switch to, because its lead has changed recently.

    Empty if no match has a recent change, if the shown match itself has one, or if the shown match is not live.
    """


def read_programme(wanted_match: str = "") -> FeaturedMatchesPageContent:
    """Return the content of the page of featured matches.

    By default the page shows the most interesting live match, or a finished match if none is live. Raises
    Match.DoesNotExist if the wanted match is not public.
    """
    pages = list_programme(MAX_LIVE_MATCHES, REPEAT_POOL_MATCHES, wanted_match)
    ratings, points = (
        _read_ratings(pages),
        read_points([page.id for page in pages if page.status == PLAYING], RECENT_LEAD_FRAMES),
    )
    tables = _read_tables(pages)
    pages = _sort_by_interest(pages, ratings, points, tables)
    playing = [page for page in pages if page.status == PLAYING]
    ended = _put_one_of_each_league_first([page for page in pages if page.status != PLAYING], tables)
    ended = ended[:MAX_RECENT_MATCHES]
    shown = next((page for page in pages if page.id == wanted_match), None) or next(iter(playing + ended), None)
    league, leaders = _list_leaders(tables.get(shown.id)) if shown else ("", [])
    live = playing if shown in playing else []
    lead_changes = {
        page.id: change for page in live if (change := _find_lead_change(page, ratings, points.get(page.id)))
    }
    lead_change = lead_changes.get(shown.id) if shown else None
    return FeaturedMatchesPageContent(
        shown=shown,
        live=_exclude_match(playing, shown),
        recent=_exclude_match(ended, shown),
        next=_choose_next(shown, playing, ended),
        league=league,
        leaders=leaders,
        lead_change=lead_change,
        ahead={page.id: name for page in playing if (name := _find_leader(page, points.get(page.id)))},
        switch_to="" if lead_change else next(iter(lead_changes), ""),
    )


def _find_lead_change(
    page: MatchOverview, ratings: dict[str, int], points: CurrentAndEarlierSeatPoints | None
) -> LiveLeadChange | None:
    """Return the recent lead change in a live match; None if the lead has not changed recently."""
    seat = find_overtaker(points.before, points.now) if points else None
    if points is None or seat is None:
        return None
    ratings_by_seat = tuple(ratings.get(player.bot_slug, START_RATING) for player in page.players)
    return LiveLeadChange(
        name=page.players[seat].name,
        upset=compute_upset(InterestScoreInputs(ratings=ratings_by_seat, points=points.now)) > 0,
    )


def _find_leader(page: MatchOverview, points: CurrentAndEarlierSeatPoints | None) -> str:
    """Return the name of the only player in the lead of a live match; empty if unknown."""
    now = points.now if points else ()
    most = max(now, default=0)
    return page.players[now.index(most)].name if now.count(most) == 1 else ""


def _read_ratings(pages: list[MatchOverview]) -> dict[str, int]:
    """Return the bots' Elo ratings in thousandths of a point, by slug; omit unrated bots."""
    slugs = {player.bot_slug for page in pages for player in page.players}
    rated = Rating.objects.filter(bot__slug__in=slugs, season=ALL_TIME)
    return dict(rated.values_list("bot__slug", "value")) if slugs else {}


def _read_tables(pages: list[MatchOverview]) -> dict[str, LeagueMatch]:
    """Return the league data of these matches by match id; omit matches outside leagues."""
    tables = LeagueMatch.objects.filter(match__in=[page.id for page in pages]).select_related("league")
    return {table.match_id: table for table in tables}


def _list_leaders(table: LeagueMatch | None) -> tuple[str, list[tuple[int, str, str]]]:
    """Return the name of a match's league, and (place, name, points) of the league's leading entries.

    Both are empty for None, which stands for a match outside leagues.
    """
    if table is None:
        return "", []
    rows = select_placed().filter(league=table.league).order_by("place", "number")[:MAX_LEADERS]
    return table.league.name, [
        (entrant.place, entrant.name, f"{float(Fraction(entrant.points)):.2f}".rstrip("0").rstrip("."))
        for entrant in rows
    ]


def _sort_by_interest(
    pages: list[MatchOverview],
    ratings: dict[str, int],
    points: dict[str, CurrentAndEarlierSeatPoints],
    tables: dict[str, LeagueMatch],
) -> list[MatchOverview]:
    """Return the matches sorted by interest score, highest first."""
    standing = select_placed().filter(league__in={table.league_id for table in tables.values()})
    places = {
        (league, slug): place for league, slug, place in standing.values_list("league", "version__bot__slug", "place")
    }

    def negative_interest(page: MatchOverview) -> float:
        table, bots = tables.get(page.id), [player.bot_slug for player in page.players]
        knowledge = InterestScoreInputs(
            ratings=tuple(ratings.get(slug, START_RATING) for slug in bots),
            places=tuple(places[table.league_id, slug] for slug in bots if (table.league_id, slug) in places)
            if table
            else (),
            rounds_left=max(0, table.league.rounds - table.round) if table else None,
            points=points[page.id].now if page.id in points else (),
        )
        return -compute_interest(knowledge)

    return sorted(pages, key=negative_interest)


def _put_one_of_each_league_first(pages: list[MatchOverview], tables: dict[str, LeagueMatch]) -> list[MatchOverview]:
    """Move the first match of each league to the front, so that the head of the list covers many leagues."""
    # Matches outside leagues are treated as if they formed one league.
    leagues = {match: table.league_id for match, table in tables.items()}
    leagues_so_far: set[int | None] = set()
    first: list[MatchOverview] = []
    for page in pages:
        if (league := leagues.get(page.id)) not in leagues_so_far:
            leagues_so_far.add(league)
            first.append(page)
    return first + [page for page in pages if page not in first]


def _exclude_match(pages: list[MatchOverview], shown: MatchOverview | None) -> list[MatchOverview]:
    return [page for page in pages if page != shown]


def _choose_next(shown: MatchOverview | None, playing: list[MatchOverview], ended: list[MatchOverview]) -> str:
    """Return the id of the match to show next: another live match, or else a finished one."""
    # Finished matches follow one another in order; after the last comes the first.
    others = _exclude_match(playing, shown)
    if shown and not others and shown in ended:
        number = ended.index(shown)
        others = ended[number + 1 :] + ended[:number]
    others = others or _exclude_match(ended, shown)
    others = others or ([shown] if shown else [])
    return others[0].id if others else ""
