"""Programme of the theatre: the most interesting match, other matches, and the next one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from replays.queries import PLAYING, MatchOverview, PublicPoints, list_bill, read_points
from tournaments.attractions import Attraction, attraction, overtaker, upset
from tournaments.elo import START
from tournaments.models import ALL_TIME, Entrant, Rating, TableMatch

LEADERS = 8
"""Number of a league's leaders shown between two matches."""
LIVE = 12
RECENT = 8
AMONG = 40
"""Number of latest ended matches from which the best are repeated."""
BACK = 12
"""A lead taken within this many frames is recent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Turning point of a live match in public view: somebody came from behind and leads."""

    name: str
    upset: bool
    """True if a bot at the table has a better rating."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Playbill:
    """Programme of the theatre."""

    shown: MatchOverview | None
    """None while nothing has ever been played."""
    live: list[MatchOverview]
    """Other live matches, most interesting first."""
    recent: list[MatchOverview]
    """Other ended matches: the best of each league, then the rest, by interest."""
    next: str
    """The match that follows; the shown one if it is the only one, empty without any."""
    league: str
    """Name of the shown match's league; empty without one."""
    leaders: list[tuple[int, str, str]]
    """Leaders of the league: place, name and points."""
    turn: Turn | None
    """Latest turning point of the shown match, if it is live."""
    cut: str
    """The best live match with a recent turning point, if the shown one is live without one; else empty."""


def read_playbill(wanted: str = "") -> Playbill:
    """Return the programme around the wanted match, else the most interesting one; raises Match.DoesNotExist.

    A match is more interesting the more its table decides of its league, the better its bots are rated, the less they
    differ, and the larger an upset is under way: `tournaments.attractions`. Live matches come first; without any, the
    best of the latest ended ones are repeated cyclically.
    """
    pages = list_bill(LIVE, AMONG, wanted)
    ratings, points = _ratings(pages), read_points([page.id for page in pages if page.status == PLAYING], BACK)
    pages = _by_attraction(pages, ratings, points)
    playing = [page for page in pages if page.status == PLAYING]
    ended = _one_of_each([page for page in pages if page.status != PLAYING])[:RECENT]
    shown = next((page for page in pages if page.id == wanted), None) or next(iter(playing + ended), None)
    league, leaders = _leaders(shown.id) if shown else ("", [])
    live = playing if shown in playing else []
    turns = {page.id: turn for page in live if (turn := _turn(page, ratings, points.get(page.id)))}
    turn = turns.get(shown.id) if shown else None
    return Playbill(
        shown=shown,
        live=_without(playing, shown),
        recent=_without(ended, shown),
        next=_next(shown, playing, ended),
        league=league,
        leaders=leaders,
        turn=turn,
        cut="" if turn else next(iter(turns), ""),
    )


def _turn(page: MatchOverview, ratings: dict[str, int], points: PublicPoints | None) -> Turn | None:
    """Return the turning point of a live match; None if nobody has just taken the lead."""
    seat = overtaker(points.before, points.now) if points else None
    if points is None or seat is None:
        return None
    rated = tuple(ratings.get(player.bot_slug, START) for player in page.players)
    return Turn(name=page.players[seat].name, upset=upset(Attraction(ratings=rated, points=points.now)) > 0)


def _ratings(pages: list[MatchOverview]) -> dict[str, int]:
    """Return the ratings of the rated bots in these matches by slug, in thousandths."""
    slugs = {player.bot_slug for page in pages for player in page.players}
    rated = Rating.objects.filter(bot__slug__in=slugs, season=ALL_TIME)
    return dict(rated.values_list("bot__slug", "value")) if slugs else {}


def _leaders(match_id: str) -> tuple[str, list[tuple[int, str, str]]]:
    """Return the name of a match's league, and its leaders; nothing outside leagues."""
    table = TableMatch.objects.filter(match=match_id).select_related("league").first()
    if table is None:
        return "", []
    rows = table.league.entrants.filter(played__gt=0).order_by("place", "number")[:LEADERS]
    return table.league.name, [
        (row.place, row.name, f"{float(Fraction(row.points)):.2f}".rstrip("0").rstrip(".")) for row in rows
    ]


def _by_attraction(
    pages: list[MatchOverview], ratings: dict[str, int], points: dict[str, PublicPoints]
) -> list[MatchOverview]:
    """Return matches by interest, best first."""
    tables = TableMatch.objects.filter(match__in=[page.id for page in pages]).select_related("league")
    by_match = {table.match_id: table for table in tables}
    standing = Entrant.objects.filter(league__in={table.league_id for table in by_match.values()}, played__gt=0)
    places = {
        (league, slug): place for league, slug, place in standing.values_list("league", "version__bot__slug", "place")
    }

    def worth(page: MatchOverview) -> float:
        table, bots = by_match.get(page.id), [player.bot_slug for player in page.players]
        known = Attraction(
            ratings=tuple(ratings.get(slug, START) for slug in bots),
            places=tuple(places[table.league_id, slug] for slug in bots if (table.league_id, slug) in places)
            if table
            else (),
            rounds_left=max(0, table.league.rounds - table.round) if table else None,
            points=points[page.id].now if page.id in points else (),
        )
        return -attraction(known)

    return sorted(pages, key=worth)


def _one_of_each(pages: list[MatchOverview]) -> list[MatchOverview]:
    """Return first one match of each league, then the others, both in the given order."""
    leagues = dict(TableMatch.objects.filter(match__in=[page.id for page in pages]).values_list("match", "league"))
    seen: set[int | None] = set()
    first: list[MatchOverview] = []
    for page in pages:
        if (league := leagues.get(page.id)) not in seen:
            seen.add(league)
            first.append(page)
    return first + [page for page in pages if page not in first]


def _without(pages: list[MatchOverview], shown: MatchOverview | None) -> list[MatchOverview]:
    return [page for page in pages if page != shown]


def _next(shown: MatchOverview | None, playing: list[MatchOverview], ended: list[MatchOverview]) -> str:
    """Return the best live match that is not shown, else the next one in the cycle of ended ones."""
    others = _without(playing, shown)
    if shown and not others and shown in ended:
        number = ended.index(shown)
        others = ended[number + 1 :] + ended[:number]
    others = others or _without(ended, shown)
    others = others or ([shown] if shown else [])
    return others[0].id if others else ""
