"""Pages with the three forms for a new league and its forecast; the league is stored only when it is announced.

Hidden fields hold the values of the other forms. So each step can be repeated, and two windows do not interfere.
"""

from __future__ import annotations

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from bots.api.scopes import check_session
from foundation.game_choices import games
from foundation.message_punctuation import with_full_stop
from foundation.ratelimits.limits import rate_limited, request_subject
from frontend.pages.organisers.league_forms import PRESETS, FormatForm, GameForm, ParticipantsForm, make_terms
from ftk_core.league.league_state import CommandRejected
from people.person_roles import is_organiser
from tournaments.leagues import services
from tournaments.reports.league_forecast import MAX_SIMULATED_ENTRIES, compute_forecast

STEP_TITLES = (_("What is played"), _("How"), _("Who and when"))
Forms = tuple[GameForm, FormatForm, ParticipantsForm]


@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """Show one of the three forms for a new league; submitting the last form announces the league."""
    if not request.user.is_authenticated:
        return redirect("account_login")
    owner = _require_organiser(request)
    said, at, go = request.POST, _parse_step(request.POST.get("step", "")), request.POST.get("go", "")
    steps = _make_forms(said)
    wrong = next((number for number, form in enumerate(steps[: at + 1]) if said and not form.is_valid()), None)
    if go == "back":
        at, wrong = max(0, at - 1), None
    elif wrong is not None:
        at = wrong
    elif go == "next":
        at = min(at + 1, len(STEP_TITLES) - 1)
    elif go == "open" and at == len(STEP_TITLES) - 1:
        try:
            return redirect("league", services.open_league(make_terms(*steps, by=str(owner))).slug)
        except CommandRejected as error:
            steps[at].add_error(None, with_full_stop(error))
            wrong = at
    context = {
        "names": STEP_TITLES,
        "at": at,
        "form": steps[at],
        "along": _list_hidden_values(said, steps[at]),
        "last": at == len(STEP_TITLES) - 1,
    }
    return render(request, "frontend/new_league.html", context, status=200 if wrong is None else 400)


@require_POST
@rate_limited("outlook", by=request_subject)
@never_cache
def outlook(request: HttpRequest) -> HttpResponse:
    """Return the forecast for the current values of the forms, as an HTML fragment."""
    owner, found, why = _require_organiser(request), None, ""
    what, how, who = _make_forms(request.POST)
    if not who.is_bound:
        who = ParticipantsForm({name: field.initial for name, field in who.fields.items() if field.initial is not None})
    if what.is_valid() and how.is_valid() and who.is_valid():
        try:
            found = compute_forecast(make_terms(what, how, who, by=str(owner)), how.cleaned_data["expected"])
        except CommandRejected as error:
            why = with_full_stop(error)
    else:
        why = gettext("It is told once nothing is missing.")
    entries = min(how.cleaned_data["expected"], MAX_SIMULATED_ENTRIES) if found else 0
    return render(request, "frontend/parts/outlook.html", {"outlook": found, "entries": entries, "why": why})


def _require_organiser(request: HttpRequest) -> User:
    """Return the signed-in user if they may announce leagues; raises PermissionDenied otherwise."""
    if not isinstance(request.user, User) or not is_organiser(request.user):
        raise PermissionDenied(_("only organisers announce leagues"))
    check_session(request, "organise")
    return request.user


def _parse_step(text: str) -> int:
    return int(text) if text in map(str, range(len(STEP_TITLES))) else 0


def _make_forms(submitted: QueryDict) -> Forms:
    """Return the three forms, bound to the submitted values, or with the initial values of the chosen preset."""
    what = GameForm(submitted or None)
    known = what.is_valid()
    game = what.cleaned_data["game"] if known else games()[0][0]
    begun = PRESETS[what.cleaned_data["preset"]] if known else {}
    how = FormatForm(game, submitted if "format" in submitted else None, initial=begun)
    return what, how, ParticipantsForm(submitted if "tries" in submitted else None, initial=begun)


def _list_hidden_values(submitted: QueryDict, current_form: forms.Form) -> list[tuple[str, str]]:
    """Return (name, value) for each submitted value that does not belong to the current form."""
    of_this = {"csrfmiddlewaretoken", "step", "go", *current_form.fields}
    return [(name, value) for name, values in submitted.lists() for value in values if name not in of_this]
