"""What is on: the match most worth watching, what else there is, and what comes after it."""

from __future__ import annotations

from dataclasses import dataclass

from replays.queries import PLAYING, MatchOverview, list_bill
from tournaments.elo import START
from tournaments.models import ALL_TIME, Rating, TableMatch

LIVE = 12
RECENT = 8
AMONG = 40
"""Of so many that ended last the best are repeated."""


@dataclass(frozen=True, slots=True)
class Playbill:
    """A theatre's programme."""

    shown: MatchOverview | None
    """None while nothing has ever been played."""
    live: list[MatchOverview]
    """What else is being played, the strongest table first."""
    recent: list[MatchOverview]
    """What else ended: of each league its best, then the others, by the strength of their tables."""
    next: str
    """The match that follows; the shown one again where there is no other, empty while there is none at all."""


def read_playbill(wanted: str = "") -> Playbill:
    """Return the programme around the wanted match, else around the most notable; raises Match.DoesNotExist.

    A match is the more notable the better its bots are rated. Live ones come first; without one the best of those
    that ended last are repeated, in a circle.
    """
    pages = _by_strength(list_bill(LIVE, AMONG, wanted))
    playing = [page for page in pages if page.status == PLAYING]
    ended = _one_of_each([page for page in pages if page.status != PLAYING])[:RECENT]
    shown = next((page for page in pages if page.id == wanted), None) or next(iter(playing + ended), None)
    return Playbill(shown, _without(playing, shown), _without(ended, shown), _next(shown, playing, ended))


def _by_strength(pages: list[MatchOverview]) -> list[MatchOverview]:
    """Return matches in the order of their bots' mean rating, the best first."""
    slugs = {player.bot_slug for page in pages for player in page.players}
    rated = Rating.objects.filter(bot__slug__in=slugs, season=ALL_TIME)
    ratings = dict(rated.values_list("bot__slug", "value")) if slugs else {}

    def strength(page: MatchOverview) -> float:
        return -sum(ratings.get(player.bot_slug, START) for player in page.players) / max(1, len(page.players))

    return sorted(pages, key=strength)


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
