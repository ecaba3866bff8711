"""Calendar files of leagues."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext

from foundation.game_titles import get_game_title
from frontend.drawing.calendar_files import CalendarEvent, write_calendar
from frontend.pages.http_error_conversion import handle_missing
from tournaments.leagues import queries as tournaments_queries
from tournaments.reports import league_lists
from tournaments.summaries.league_and_leaderboard_overviews import LeagueSummary


@handle_missing
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a calendar file with a league's entry deadline and rounds."""
    league = league_lists.read_card(slug)
    page = request.build_absolute_uri(reverse("league", args=[slug]))
    events = _list_closing_event(league, page, request.get_host()) + [
        CalendarEvent(
            uid=f"{league.slug}-round-{row.number}@{request.get_host()}",
            begins=row.opened_at,
            ends=row.closed_at,
            summary=_("%(name)s, round %(number)s of %(rounds)s")
            % {"name": league.name, "number": row.number, "rounds": league.rounds},
            description=ngettext(
                "%(game)s: %(closed)s of %(matches)s match played",
                "%(game)s: %(closed)s of %(matches)s matches played",
                row.matches,
            )
            % {"game": get_game_title(league.game), "closed": row.closed, "matches": row.matches},
            url=page,
        )
        for row in tournaments_queries.list_round_times(slug)
    ]
    answer = HttpResponse(write_calendar(league.name, events), content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = f'inline; filename="{slug}.ics"'
    return answer


def _list_closing_event(league: LeagueSummary, page: str, host: str) -> list[CalendarEvent]:
    """Return the entry deadline of a league as a calendar event in a list, which is empty without a deadline."""
    if league.entries_until is None or league.cancelled:
        return []
    summary = _("%(name)s: entries close") % {"name": league.name}
    return [
        CalendarEvent(
            uid=f"{league.slug}-entries@{host}",
            begins=league.entries_until,
            ends=None,
            summary=summary,
            description=get_game_title(league.game),
            url=page,
        )
    ]
