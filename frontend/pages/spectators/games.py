"""Page of a game, and pages with the source code of its built-in bots."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_noop

from foundation.game_titles import games
from foundation.query_parameters import query_parameters
from foundation.response_language import active_language
from frontend.drawing.rulebook import list_sample_bots, read_rulebook
from frontend.pages.http_error_conversion import handle_missing
from ftk_core.analysis.position_estimate_calibration import (
    EstimateCalibrationBin,
    PositionEstimateCalibration,
    read_reliabilities,
)
from ftk_core.game import Game
from ftk_core.games import game
from replays.reports.key_moments import find_key_moments
from tournaments.ladders import queries as ladder_queries
from tournaments.leagues import queries as tournaments_queries
from tournaments.reports.league_match_search import LeagueMatchSearchCriteria, search

MAX_LATEST_MATCHES = 4
EXAMPLE_SEATS = 3
"""Number of seats in the example command of a game, unless the game needs more."""
WORTH_LABELS = {
    "places": gettext_noop(
        "A match is worth the share of its opponents that a bot finishes ahead of: 1 for the first place, 0 for the "
        "last, in equal steps between; an opponent on the same place counts half."
    ),
    "wins": gettext_noop("Each winner of a match is given one point, nobody else anything, however many win."),
    "shared": gettext_noop("The winners of a match share one point."),
}


KIND_LABELS = {
    "built-in": gettext_noop("any built-in bots"),
    "equal": gettext_noop("one built-in bot in all seats"),
    "search": gettext_noop("bots that search, and built-in bots"),
    "policy": gettext_noop("the policy of the playouts"),
}
"""Mix of bots in the matches with which reviews were checked (such as one bot in all seats) -> label of the mix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCalibrationTable:
    """Table that compares expected results, from match analyses, with actual results."""

    seats: int
    matches: int
    """Number of matches that were compared for each mix of bots."""
    kinds: tuple[str, ...]
    """Labels of the mixes of bots: the columns of the table."""
    rows: tuple[tuple[str, tuple[EstimateCalibrationBin | None, ...]], ...]
    """Rows of the table: (label, cells) for each tenth of the range of expected results, such as ``0.3–0.4``.

    A row has one cell for each of `kinds`. A cell compares the mean expected result with the mean actual result; it is
    None if there are too few values.
    """


def list_reliability_tables(rules: Game[Any, Any, Any, Any]) -> list[ReviewCalibrationTable]:
    """Return the calibration tables of a game (see `ReviewCalibrationTable`), one for each number of seats."""
    return [
        _make_reliability_table(one)
        for one in read_reliabilities()
        if (one.game, one.version) == (rules.name, rules.version)
    ]


def _make_reliability_table(one: PositionEstimateCalibration) -> ReviewCalibrationTable:
    tenths = {(tenth.mix, tenth.tenth): tenth for tenth in one.tenths}
    rows = (
        (f"{tenth / 10:.1f}\N{EN DASH}{(tenth + 1) / 10:.1f}", tuple(tenths.get((mix, tenth)) for mix in KIND_LABELS))
        for tenth in range(10)
    )
    kinds = tuple(gettext(label) for label in KIND_LABELS.values())
    return ReviewCalibrationTable(seats=one.seats, matches=one.matches, kinds=kinds, rows=tuple(rows))


@handle_missing
def page(request: HttpRequest, name: str) -> HttpResponse:
    """Show a game with its rules, best bots and latest matches."""
    rules = game(name)
    latest = search(LeagueMatchSearchCriteria(game=name), size=MAX_LATEST_MATCHES).matches
    context = {
        "game": rules,
        "rules": read_rulebook(name),
        "seats": (rules.seats.start, rules.seats.stop - 1),
        "worth": gettext(WORTH_LABELS[rules.worth]),
        "luck": tournaments_queries.read_luck(name),
        "house": (house := list_sample_bots(name)),
        "opponents": [*islice(cycle(house), max(EXAMPLE_SEATS, rules.seats.start) - 1)],
        "reliability": list_reliability_tables(rules),
        "moments": find_key_moments(name, [match.id for match in latest]),
        "top": ladder_queries.list_top(name),
        "roles": ladder_queries.list_roles(name),
        "latest": latest,
        "games": games(),
    }
    return render(request, "frontend/game.html", context)


@handle_missing
def sample(request: HttpRequest, name: str, bot: str) -> HttpResponse:
    """Show the source code of a built-in bot."""
    rules = game(name)
    program = next((row for row in list_sample_bots(name) if row.name == bot), None)
    if program is None:
        raise Http404(gettext("%(name)s has no built-in bot %(bot)r") % {"name": name, "bot": bot})
    return render(request, "frontend/sample.html", {"game": rules, "bot": program})


@query_parameters("lang")
@handle_missing
def about(request: HttpRequest, name: str) -> HttpResponse:  # noqa: ARG001 - Django hands it over
    """Return explanations of the game's pieces as JSON."""
    return JsonResponse(game(name).about(active_language()), headers={"Cache-Control": "max-age=600"})
