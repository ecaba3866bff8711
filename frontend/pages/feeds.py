"""Feeds of a league: its results as Atom, its rounds as a calendar."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _

from frontend.drawing.ics import Event, calendar
from frontend.pages.shared import found
from replays.queries import MatchOverview
from tournaments import queries as tournaments_queries
from tournaments.overviews import LeagueCard
from tournaments.search import SearchFilter, search

RESULTS = 50
if TYPE_CHECKING:
    Base = Feed[MatchOverview, LeagueCard]
else:  # Django's own class is not generic
    Base = Feed


class ResultsFeed(Base):
    """Latest results of a league."""

    feed_type = Atom1Feed
    item_author_name = "The Court"

    def get_object(self, request: HttpRequest, *_args: Any, slug: str, **_kwargs: Any) -> LeagueCard:
        """Find the league; raises League.DoesNotExist, which a feed answers with 404."""
        del request
        return tournaments_queries.read_card(slug)

    def title(self, league: LeagueCard) -> str:
        """Return the feed's title."""
        return _("%(name)s: results") % {"name": league.name}

    def subtitle(self, league: LeagueCard) -> str:
        """Return the game and the size of the league."""
        return _("%(game)s, %(entries)s bots, %(rounds)s rounds") % {
            "game": league.game_title,
            "entries": league.entries,
            "rounds": league.rounds,
        }

    def link(self, league: LeagueCard) -> str:
        """Return the URL of the league's page."""
        return reverse("league", args=[league.slug])

    def items(self, league: LeagueCard) -> list[MatchOverview]:
        """Return the latest ended matches."""
        return search(SearchFilter(league=league.slug), size=RESULTS).matches

    def item_title(self, item: MatchOverview) -> str:
        """Return the winners."""
        winners = [player.name for player in item.players if player.place == 1]
        return _("%(winners)s won") % {"winners": _(" and ").join(winners)} if winners else _("Nobody won")

    def item_description(self, item: MatchOverview) -> str:
        """Return the result."""
        ranked = sorted(item.players, key=lambda player: player.place or len(item.players))
        return ", ".join(f"{player.place}. {player.name} ({player.score})" for player in ranked)

    def item_link(self, item: MatchOverview) -> str:
        """Return the URL of the match."""
        return reverse("match", args=[item.id])

    def item_pubdate(self, item: MatchOverview) -> datetime | None:
        """Return the time of its end."""
        return item.closed_at

    item_updateddate = item_pubdate


@found
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a calendar with the closing of entries, and each round from its first match to its last."""
    league = tournaments_queries.read_card(slug)
    page = request.build_absolute_uri(reverse("league", args=[slug]))
    events = _closing(league, page, request.get_host()) + [
        Event(
            uid=f"{league.slug}-round-{row.number}@{request.get_host()}",
            begins=row.opened_at,
            ends=row.closed_at,
            summary=_("%(name)s, round %(number)s of %(rounds)s")
            % {"name": league.name, "number": row.number, "rounds": league.rounds},
            description=_("%(game)s: %(closed)s of %(matches)s matches played")
            % {"game": league.game_title, "closed": row.closed, "matches": row.matches},
            url=page,
        )
        for row in tournaments_queries.list_round_times(slug)
    ]
    answer = HttpResponse(calendar(league.name, events), content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = f'inline; filename="{slug}.ics"'
    return answer


def _closing(league: LeagueCard, page: str, host: str) -> list[Event]:
    """Return the closing of entries, for a league that begins by itself."""
    if league.entries_until is None:
        return []
    summary = _("%(name)s: entries close") % {"name": league.name}
    return [
        Event(
            uid=f"{league.slug}-entries@{host}",
            begins=league.entries_until,
            ends=None,
            summary=summary,
            description=league.game_title,
            url=page,
        )
    ]
