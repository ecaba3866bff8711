"""Wizard for a new league in three steps, with a forecast; nothing is stored until it is announced.

Values of other steps are in hidden fields, so that a step can be repeated, and two windows can be used.
"""

from __future__ import annotations

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from bots.scopes import check_session
from foundation.games import games
from foundation.throttles import person_of, throttled
from frontend.pages.league_forms import PRESETS, HowForm, WhatForm, WhoForm, terms_of
from ftk_core.league.state import NotNow
from people.roles import is_organiser
from tournaments import services
from tournaments.outlooks import MOST, read_outlook

STEPS = (_("What is played"), _("How"), _("Who and when"))
Forms = tuple[WhatForm, HowForm, WhoForm]


@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """Show a step of the form, and announce the league at the end."""
    if not request.user.is_authenticated:
        return redirect("account_login")
    owner = _organiser(request)
    said, at, go = request.POST, _step(request.POST.get("step", "")), request.POST.get("go", "")
    steps = _forms(said)
    wrong = next((number for number, form in enumerate(steps[: at + 1]) if said and not form.is_valid()), None)
    if go == "back":
        at, wrong = max(0, at - 1), None
    elif wrong is not None:
        at = wrong
    elif go == "next":
        at = min(at + 1, len(STEPS) - 1)
    elif go == "open" and at == len(STEPS) - 1:
        try:
            return redirect("league", services.open_league(terms_of(*steps, by=str(owner))).slug)
        except NotNow as error:
            steps[at].add_error(None, f"{error}.")
            wrong = at
    context = {
        "names": STEPS,
        "at": at,
        "form": steps[at],
        "along": _along(said, steps[at]),
        "last": at == len(STEPS) - 1,
    }
    return render(request, "frontend/new_league.html", context, status=200 if wrong is None else 400)


@require_POST
@throttled("outlook", by=person_of)
@never_cache
def outlook(request: HttpRequest) -> HttpResponse:
    """Return the forecast for the current form."""
    owner, found, why = _organiser(request), None, ""
    what, how, who = _forms(request.POST)
    if not who.is_bound:
        who = WhoForm({name: field.initial for name, field in who.fields.items() if field.initial is not None})
    if what.is_valid() and how.is_valid() and who.is_valid():
        try:
            found = read_outlook(terms_of(what, how, who, by=str(owner)), how.cleaned_data["expected"])
        except NotNow as error:
            why = f"{error}."
    else:
        why = gettext("It is told once nothing is missing.")
    entries = min(how.cleaned_data["expected"], MOST) if found else 0
    return render(request, "frontend/parts/outlook.html", {"outlook": found, "entries": entries, "why": why})


def _organiser(request: HttpRequest) -> User:
    """Return the organiser; raises PermissionDenied for anybody else."""
    if not isinstance(request.user, User) or not is_organiser(request.user):
        raise PermissionDenied(_("only organisers announce leagues"))
    check_session(request, "organise")
    return request.user


def _step(text: str) -> int:
    return int(text) if text in map(str, range(len(STEPS))) else 0


def _forms(said: QueryDict) -> Forms:
    """Return the three forms: bound if submitted, else with the values of the preset."""
    what = WhatForm(said or None)
    known = what.is_valid()
    game = what.cleaned_data["game"] if known else games()[0][0]
    begun = PRESETS[what.cleaned_data["preset"]] if known else {}
    how = HowForm(game, said if "format" in said else None, initial=begun)
    return what, how, WhoForm(said if "tries" in said else None, initial=begun)


def _along(said: QueryDict, shown: forms.Form) -> list[tuple[str, str]]:
    """Return the values of other steps, by field name."""
    of_this = {"csrfmiddlewaretoken", "step", "go", *shown.fields}
    return [(name, value) for name, values in said.lists() for value in values if name not in of_this]
