"""Pages for predicting match winners in leagues, and for the best predictors."""

from __future__ import annotations

import re
from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from bots.api.token_scope_permissions import check_session
from foundation.message_translation import with_full_stop
from foundation.query_parameters import query_parameters
from foundation.ratelimits.limits import rate_limited, request_subject
from frontend.pages.http_error_conversion import handle_missing
from ftk_core.league.league_state import CommandRejected
from tournaments.predictions.queries import TABLES_PAGE, list_guessers, read_predictions
from tournaments.predictions.services import PredictionInput, set_predictions

FIELD = re.compile(r"table-(\d{1,5})-(\d{1,5})", re.ASCII)
"""Pattern of the name of a form field, ``table-<round>-<table>``; its value is the number of the chosen entry."""
ENTRY = re.compile(r"\d{1,9}", re.ASCII)


@query_parameters("after")
@rate_limited("enter", by=request_subject)
@handle_missing
def league(request: HttpRequest, slug: str) -> HttpResponse:
    """Show predictions of match winners in a league; a POST stores a person's predictions."""
    person = request.user if isinstance(request.user, User) else None
    if request.method == "POST":
        return _store(request, person, slug)
    shown = read_predictions(slug, person, request.GET.get("after", ""))
    return render(request, "frontend/league_predictions.html", {"league": shown, "guessers": shown.guessers})


def _store(request: HttpRequest, person: User | None, slug: str) -> HttpResponse:
    if person is None:
        return redirect_to_login(request.path)
    check_session(request, "enter")
    choices = _read_choices(request)
    try:
        set_predictions(person, slug, choices)
    except CommandRejected as error:
        messages.error(request, with_full_stop(error))
        shown = read_predictions(slug, person, request.GET.get("after", ""))
        wanted = {(one.round, one.table): one.entry for one in choices}
        tables = [replace(one, chosen=wanted.get((one.round, one.table), one.chosen)) for one in shown.tables]
        context = {"league": replace(shown, tables=tables), "guessers": shown.guessers}
        return render(request, "frontend/league_predictions.html", context, status=400)
    messages.success(request, gettext("Your predictions are stored. You can change them until the round begins."))
    return redirect(request.get_full_path())


def _read_choices(request: HttpRequest) -> list[PredictionInput]:
    """Return the submitted predictions. Raises BadRequest if they are invalid."""
    choices = []
    for name in request.POST:
        if field := FIELD.fullmatch(name):
            value = str(request.POST[name])
            if not ENTRY.fullmatch(value):
                message = gettext("%(field)s: send the number of an entry, or 0 for no prediction (got %(value)r).")
                raise BadRequest(message % {"field": name, "value": value[:20]})
            choices.append(PredictionInput(int(field[1]), int(field[2]), int(value)))
    if len(choices) > TABLES_PAGE:
        message = gettext("Send at most %(most)s tables at once (got %(count)s).")
        raise BadRequest(message % {"most": TABLES_PAGE, "count": len(choices)})
    return choices


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the people with the best predictions over all leagues."""
    return render(request, "frontend/predictions.html", {"guessers": list_guessers()})
