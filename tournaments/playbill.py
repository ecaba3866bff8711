"""What is on: the match most worth watching, what else there is, and what comes after it."""

from __future__ import annotations

from dataclasses import dataclass

from replays.models import Match
from replays.queries import MatchPage, rows_of
from tournaments.elo import START
from tournaments.models import ALL_TIME, Rating

LIVE = 12
RECENT = 8


@dataclass(frozen=True, slots=True)
class Playbill:
    """A theatre's programme."""

    shown: MatchPage | None
    """None while nothing has ever been played."""
    live: list[MatchPage]
    """What else is being played, the strongest table first."""
    recent: list[MatchPage]
    """What else ended, the newest first."""
    next: str
    """The match that follows; empty when there is no other."""


def playbill(wanted: str = "") -> Playbill:
    """Return the programme around the wanted match, else around the most notable; raises Match.DoesNotExist.

    A live match is the more notable the better its bots are rated; without one, the newest that ended is shown.
    """
    live = list(Match.objects.filter(status=Match.Status.PLAYING).order_by("-opened_at", "-id")[:LIVE])
    recent = list(Match.objects.filter(status=Match.Status.CLOSED).order_by("-closed_at", "-id")[:RECENT])
    if wanted and wanted not in {match.pk for match in live + recent}:
        recent.append(Match.objects.get(pk=wanted))
    pages = _by_strength(rows_of(live + recent))
    playing = [page for page in pages if page.status == Match.Status.PLAYING]
    ended = [page for page in pages if page.status != Match.Status.PLAYING]
    shown = next((page for page in pages if page.id == wanted), None) or next(iter(playing + ended), None)
    return Playbill(shown, _without(playing, shown), _without(ended, shown), _next(shown, playing, ended))


def _by_strength(pages: list[MatchPage]) -> list[MatchPage]:
    """Return what is being played in the order of the bots' mean rating; what ended stays in its order."""
    slugs = {player.bot_slug for page in pages if page.status == Match.Status.PLAYING for player in page.players}
    rated = Rating.objects.filter(bot__slug__in=slugs, season=ALL_TIME)
    ratings = dict(rated.values_list("bot__slug", "value")) if slugs else {}

    def strength(page: MatchPage) -> float:
        if page.status != Match.Status.PLAYING:
            return 0
        return -sum(ratings.get(player.bot_slug, START) for player in page.players) / len(page.players)

    return sorted(pages, key=strength)


def _without(pages: list[MatchPage], shown: MatchPage | None) -> list[MatchPage]:
    return [page for page in pages if page != shown]


def _next(shown: MatchPage | None, playing: list[MatchPage], ended: list[MatchPage]) -> str:
    """Return the strongest live match that is not shown, else the one that ended before the shown one, in a circle."""
    others = _without(playing, shown)
    if shown and not others and shown in ended:
        number = ended.index(shown)
        others = ended[number + 1 :] + ended[:number]
    others = others or _without(ended, shown)
    return others[0].id if others else ""
