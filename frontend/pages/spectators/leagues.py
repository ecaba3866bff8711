"""Pages of leagues: list, overview, standings, rounds, cross table, interventions, and views for print and screen."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_noop, ngettext
from django.views.decorators.vary import vary_on_headers

from foundation.game_titles import games, get_game_title
from foundation.query_parameters import query_parameters
from frontend.drawing.calendar_files import CalendarEvent, write_calendar
from frontend.drawing.league_description_html import render_description
from frontend.pages.http_error_conversion import handle_missing
from ftk_core.games import list_games
from people.person_roles import is_organiser
from tournaments.league_limits import MAX_NAME_CHARACTERS
from tournaments.league_series.queries import list_series_of
from tournaments.leagues.entry_rules import read_entry_page
from tournaments.leagues.queries import list_round_times
from tournaments.organisers.organiser_page_queries import can_see_console
from tournaments.organisers.public_organiser_action_descriptions import read_acts
from tournaments.reports import league_page_queries
from tournaments.reports.league_big_screen import read_screen
from tournaments.reports.league_lists import STATES, LeagueFilter, list_leagues_from, read_card
from tournaments.reports.print_view import read_print_view
from tournaments.summaries.league_and_leaderboard_overviews import LeagueSummary

SHEET_LABELS = (
    ("standings", gettext_noop("standings")),
    ("pairings", gettext_noop("pairings")),
    ("results", gettext_noop("results")),
    ("cross", gettext_noop("cross table")),
    ("ratings", gettext_noop("ratings")),
)
"""Pairs (name, label) of the tables of a league that can be downloaded as files."""


@query_parameters("single", "game", "state", "text", "after")
@handle_missing
def leagues(request: HttpRequest) -> HttpResponse:
    """Show one page of the list of leagues, filtered by game, state and text."""
    # Leagues that consist of a single match are left out; with `single=yes` only these are shown.
    wanted = LeagueFilter(
        single=request.GET.get("single") == "yes",
        game=request.GET.get("game", ""),
        state=request.GET.get("state", ""),
        text=request.GET.get("text", "").strip()[:MAX_NAME_CHARACTERS],
    )
    found = list_leagues_from(request.GET.get("after", ""), wanted=wanted)
    context = {
        "leagues": found.cards,
        "after": found.after,
        "wanted": wanted,
        "games": games(),
        "states": STATES,
    }
    return render(request, "frontend/leagues.html", context)


@vary_on_headers("HX-Request")
@handle_missing
def league(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the overview of a league; htmx polls its inner part while the league runs."""
    page = league_page_queries.read_league(slug)
    context = {"league": page, "standings": page.standings, "round": page.newest, "sheets": SHEET_LABELS}
    context["description"] = render_description(page.header.description)
    is_installed = context["is_installed"] = page.game in list_games()
    context["console"] = is_installed and can_see_console(request.user, slug)
    context["organiser"] = is_installed and isinstance(request.user, User) and is_organiser(request.user)
    if is_installed and request.user.pk and page.status != "closed":
        context["entering"] = read_entry_page(slug, request.user.pk)
    template = _choose_template(request, "league")
    if template == "frontend/league.html":  # the inner part of the page, which htmx polls, shows no series
        context["series"] = list_series_of(slug)
    return render(request, template, context)


@query_parameters("after")
@vary_on_headers("HX-Request")
@handle_missing
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one page of a league's standings; htmx appends the next pages."""
    page, rows = league_page_queries.read_standings(slug, request.GET.get("after", ""))
    return render(
        request,
        _choose_template(request, gettext_noop("standings")),
        {"league": page, "standings": rows, "fetched": True},
    )


@query_parameters("after")
@vary_on_headers("HX-Request")
@handle_missing
def round_(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a round of a league; htmx appends the next pages of its matches."""
    page, row = league_page_queries.read_round(slug, number, request.GET.get("after", ""))
    return render(request, _choose_template(request, "round"), {"league": page, "round": row, "fetched": True})


@query_parameters("after", "around")
@handle_missing
def cross(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a section of a league's cross table (the results of all bots against each other)."""
    page, table = league_page_queries.read_cross(slug, request.GET.get("after", ""), request.GET.get("around", ""))
    return render(request, "frontend/cross.html", {"league": page, "cross": table})


@query_parameters("after")
@handle_missing
def acts(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the list of organisers' acts (interventions) in a league."""
    page, done = read_acts(slug, request.GET.get("after", ""))
    return render(request, "frontend/acts.html", {"league": page, "acts": done})


@handle_missing
def print_(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all public data of a league on one page without navigation, for printing."""
    return render(request, "frontend/paper.html", {"paper": read_print_view(slug)})


@query_parameters("tables", "standings", "still")
@vary_on_headers("HX-Request")
@handle_missing
def screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the pairings and standings of a league for a large screen at an event, one part after another."""
    # The parts also change in browsers without scripts.
    shown = read_screen(slug, request.GET.get("tables", ""), request.GET.get("standings", ""))
    context = {"screen": shown, "league": shown.league, "still": request.GET.get("still") == "yes"}
    return render(request, _choose_template(request, "screen"), context)


def _choose_template(request: HttpRequest, name: str) -> str:
    """Return the template of the whole page, or of its inner part for htmx."""
    return f"frontend/parts/{name}.html" if request.headers.get("HX-Request") else f"frontend/{name}.html"


@handle_missing
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a calendar file with a league's entry deadline and rounds."""
    league = read_card(slug)
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
        for row in list_round_times(slug)
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
