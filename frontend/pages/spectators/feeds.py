"""Feeds of a league: its results as an Atom feed, and its rounds as a calendar file."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _

from frontend.drawing.calendar_files import CalendarEvent, write_calendar
from frontend.pages.missing_objects import handle_missing
from replays.queries import MatchOverview
from tournaments.leagues import queries as tournaments_queries
from tournaments.reports import league_lists
from tournaments.reports.match_search import SearchFilter, search
from tournaments.summaries.overviews import LeagueSummary

MAX_RESULTS = 50
if TYPE_CHECKING:
    Base = Feed[MatchOverview, LeagueSummary]
else:  # Django's own class is not generic
    Base = Feed


class ResultsFeed(Base):
    """Atom feed with the latest results of a league."""

    feed_type = Atom1Feed
    item_author_name = "The Court"

    def get_object(self, request: HttpRequest, *_args: Any, slug: str, **_kwargs: Any) -> LeagueSummary:
        """Return the league with this slug; raises League.DoesNotExist, which Django answers with 404."""
        del request
        return league_lists.read_card(slug)

    def title(self, league: LeagueSummary) -> str:
        """Return the title of the feed: the league's name."""
        return _("%(name)s: results") % {"name": league.name}

    def subtitle(self, league: LeagueSummary) -> str:
        """Return the game and the numbers of entries and rounds of the league."""
        return _("%(game)s, %(entries)s bots, %(rounds)s rounds") % {
            "game": league.game_title,
            "entries": league.entries,
            "rounds": league.rounds,
        }

    def link(self, league: LeagueSummary) -> str:
        """Return the URL of the league's page."""
        return reverse("league", args=[league.slug])

    def items(self, league: LeagueSummary) -> list[MatchOverview]:
        """Return the latest finished matches of the league, newest first."""
        return search(SearchFilter(league=league.slug), size=MAX_RESULTS).matches

    def item_title(self, item: MatchOverview) -> str:
        """Return a sentence that names the winners of a match."""
        winners = [player.name for player in item.players if player.place == 1]
        return _("%(winners)s won") % {"winners": _(" and ").join(winners)} if winners else _("Nobody won")

    def item_description(self, item: MatchOverview) -> str:
        """Return the players of a match in the order of their places, with their scores."""
        ranked = sorted(item.players, key=lambda player: player.place or len(item.players))
        return ", ".join(f"{player.place}. {player.name} ({player.score})" for player in ranked)

    def item_link(self, item: MatchOverview) -> str:
        """Return the URL of a match."""
        return reverse("match", args=[item.id])

    def item_pubdate(self, item: MatchOverview) -> datetime | None:
        """Return the time at which a match ended."""
        return item.closed_at

    item_updateddate = item_pubdate


@handle_missing
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a calendar file with the entry deadline of a league, and the start and end of each round."""
    league = league_lists.read_card(slug)
    page = request.build_absolute_uri(reverse("league", args=[slug]))
    events = _list_closing_event(league, page, request.get_host()) + [
        CalendarEvent(
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
    answer = HttpResponse(write_calendar(league.name, events), content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = f'inline; filename="{slug}.ics"'
    return answer


def _list_closing_event(league: LeagueSummary, page: str, host: str) -> list[CalendarEvent]:
    """Return the calendar event for the entry deadline; an empty list without one, or if it was cancelled."""
    if league.entries_until is None or league.cancelled:
        return []
    summary = _("%(name)s: entries close") % {"name": league.name}
    return [
        CalendarEvent(
            uid=f"{league.slug}-entries@{host}",
            begins=league.entries_until,
            ends=None,
            summary=summary,
            description=league.game_title,
            url=page,
        )
    ]
