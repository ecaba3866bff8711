"""What is on: the match most worth watching, what else there is, and what comes after it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from replays.queries import PLAYING, MatchOverview, PublicPoints, list_bill, read_points
from tournaments.attractions import Attraction, attraction, overtaker, upset
from tournaments.elo import START
from tournaments.models import ALL_TIME, Entrant, Rating, TableMatch

LEADERS = 8
"""So many of a league are named between two matches."""
LIVE = 12
RECENT = 8
AMONG = 40
"""Of so many that ended last the best are repeated."""
BACK = 12
"""Whoever has taken the lead within so many frames has just done it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turning point of a live match, as far as all can see: somebody came from behind and leads."""

    name: str
    upset: bool
    """Whether a bot at the table is rated better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Playbill:
    """A theatre's programme."""

    shown: MatchOverview | None
    """None while nothing has ever been played."""
    live: list[MatchOverview]
    """What else is being played, what is most worth seeing first."""
    recent: list[MatchOverview]
    """What else ended: of each league its best, then the others, by what they are worth seeing."""
    next: str
    """The match that follows; the shown one again where there is no other, empty while there is none at all."""
    league: str
    """The name of the one that the shown match is of; empty where it is of none."""
    leaders: list[tuple[int, str, str]]
    """Who leads it now: place, name and points."""
    turn: Turn | None
    """What has just happened in the shown match, where it is live."""
    cut: str
    """The best live match that has just turned, where the shown one is live and has not; else empty."""


def read_playbill(wanted: str = "") -> Playbill:
    """Return the programme around the wanted match, else around the most notable; raises Match.DoesNotExist.

    A match is the more notable the more its table decides of its league, the better its bots are rated, the less they
    are apart, and the more of an upset is under way: `tournaments.attractions`. Live ones come first; without one the
    best of those that ended last are repeated, in a circle.
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
    """Return what has just happened in a live match; None where nobody has just taken the lead."""
    seat = overtaker(points.before, points.now) if points else None
    if points is None or seat is None:
        return None
    rated = tuple(ratings.get(player.bot_slug, START) for player in page.players)
    return Turn(name=page.players[seat].name, upset=upset(Attraction(ratings=rated, points=points.now)) > 0)


def _ratings(pages: list[MatchOverview]) -> dict[str, int]:
    """Return by its slug the rating of each bot in these matches that has one, in thousandths."""
    slugs = {player.bot_slug for page in pages for player in page.players}
    rated = Rating.objects.filter(bot__slug__in=slugs, season=ALL_TIME)
    return dict(rated.values_list("bot__slug", "value")) if slugs else {}


def _leaders(match_id: str) -> tuple[str, list[tuple[int, str, str]]]:
    """Return the name of the league that a match is one of, and who leads it; nothing for any other match."""
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
    """Return matches in the order of what makes them worth seeing, the best first."""
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
    """Return first one match of each league, then the others, each part in its order."""
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
    """Return the best live match that is not shown, else what follows in the circle of those that ended."""
    others = _without(playing, shown)
    if shown and not others and shown in ended:
        number = ended.index(shown)
        others = ended[number + 1 :] + ended[:number]
    others = others or _without(ended, shown)
    others = others or ([shown] if shown else [])
    return others[0].id if others else ""
