"""Page with the form for a new league and a simulated forecast."""
# Nothing is stored before the league is announced.

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from bots.api.token_scope_permissions import check_session
from foundation.message_translation import with_full_stop
from foundation.query_parameters import query_parameters
from foundation.ratelimits.limits import rate_limited, request_subject
from frontend.pages.http_error_conversion import handle_missing, redirect_to_sign_in
from frontend.pages.organisers.league_form_sections import NewLeagueForm, bind_form, fill_form, make_form
from frontend.pages.organisers.league_forms import make_terms
from frontend.pages.organisers.league_presets import is_copy_complete
from ftk_core.league.league_facts import LeagueOpened
from ftk_core.league.league_state import CommandRejected
from people.person_roles import is_organiser
from tournaments.leagues import services
from tournaments.leagues.queries import read_terms
from tournaments.reports.league_forecast import MAX_SIMULATED_ENTRIES, compute_forecast, summarise_forecast

STAND_INS = {"name": "forecast", "slug": "forecast", "entries_until": ""}
"""Placeholder values of fields that do not affect a forecast. With them, a forecast is shown even while the user has
left these fields empty or invalid."""


@query_parameters("like")
@never_cache
@handle_missing
def page(request: HttpRequest) -> HttpResponse:
    """Show the form for a new league; a POST announces the league."""
    # A POST with `go=fill` only fills the form with the values of another preset.
    if not request.user.is_authenticated:
        return redirect_to_sign_in(request)
    owner = _require_organiser(request)
    copied = _read_copied(request)
    if request.method != "POST":
        form = make_form(copied)
    elif request.POST.get("go") == "fill":
        form = fill_form(request.POST, copied)
    else:
        form = bind_form(request.POST, copied)
        if form.is_valid():
            try:
                return redirect("league", services.open_league(make_terms(form, by=str(owner)), owner).slug)
            except CommandRejected as error:
                form.add_error(None, with_full_stop(error))
    context = {"form": form, "left_out": copied is not None and not is_copy_complete(copied) and copied.name}
    return render(request, "frontend/new_league.html", context, status=400 if form.errors else 200)


@require_POST
@rate_limited("outlook", by=request_subject)
@never_cache
@handle_missing
def outlook(request: HttpRequest) -> HttpResponse:
    """Simulate a league with the form's values and return the forecast as an HTML fragment."""
    owner = _require_organiser(request)
    submitted = request.POST.copy()
    for name, value in STAND_INS.items():
        submitted[name] = value
    context = _forecast(bind_form(submitted, _read_copied(request)), str(owner))
    return render(request, "frontend/parts/outlook.html", context)


def _forecast(form: NewLeagueForm, owner: str) -> dict[str, Any]:
    """Return the context for the HTML template: the forecast, or the reason why there is no forecast."""
    if not form.is_valid():
        name, errors = next(iter(form.errors.items()))
        label = form.fields[name].label or name.capitalize()
        return {"why": gettext("There is no forecast yet. %(field)s: %(error)s") % {"field": label, "error": errors[0]}}
    expected = form.cleaned_data["expected"]
    try:
        forecast = compute_forecast(make_terms(form, by=owner), expected)
    except CommandRejected as error:
        return {"why": with_full_stop(error)}
    entries = min(expected, MAX_SIMULATED_ENTRIES)
    return {"outlook": forecast, "entries": entries, "sentences": summarise_forecast(forecast, entries)}


def _require_organiser(request: HttpRequest) -> User:
    """Return the signed-in user if they may announce leagues; raises PermissionDenied otherwise."""
    if not isinstance(request.user, User) or not is_organiser(request.user):
        raise PermissionDenied(_("only organisers announce leagues"))
    check_session(request, "organise")
    return request.user


def _read_copied(request: HttpRequest) -> LeagueOpened | None:
    """Return the settings of the league to copy; None without the parameter `like`."""
    # Raises League.DoesNotExist.
    slug = request.POST.get("like", "") or request.GET.get("like", "")
    return read_terms(slug) if slug else None
