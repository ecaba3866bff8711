"""The desk of a league: who has a role in it, which acts wait for a second organiser, and which were refused."""

from __future__ import annotations

from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from bots.scopes import check_session
from foundation.throttles import person_of, throttled
from frontend.pages.shared import found
from ftk_core.league.state import NotNow
from tournaments.desk import Refused, approve, decline, find_league, propose_or_act, read_desk

LONGEST_NAME = 150


class AppointForm(forms.Form):
    """Whom to give which role."""

    person = forms.CharField(max_length=LONGEST_NAME, label="Author's name")
    role = forms.ChoiceField(choices=[("co-organiser", "co-organiser"), ("judge", "judge")])


@throttled("enter", by=person_of)
@never_cache
@found
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show it to those who have a role in the league, and to staff; a POST decides, appoints or dismisses."""
    person = request.user
    if not isinstance(person, User):
        return redirect("account_login")
    check_session(request, "organise")
    league = find_league(slug)
    try:
        desk = read_desk(person, league)
    except Refused as error:
        raise PermissionDenied(str(error)) from None
    form = AppointForm(request.POST if "person" in request.POST else None)
    if request.method == "POST" and (not form.is_bound or form.is_valid()):
        _try(request, lambda: _done(request, person, slug, form))
        return redirect("desk", slug)
    context = {"league": league, "desk": desk, "form": form}
    return render(request, "frontend/desk.html", context, status=400 if form.is_bound else 200)


def _done(request: HttpRequest, person: User, slug: str, form: AppointForm) -> str:
    """Do what a form asks for and return the sentence that says so."""
    league = find_league(slug)
    if form.is_bound:
        waits = propose_or_act(person, league, "appoint", dict(form.cleaned_data))
        return "It waits for a second organiser." if waits else "The role is given."
    if "dismiss" in request.POST:
        waits = propose_or_act(
            person, league, "dismiss", {"person": request.POST["dismiss"].replace("\0", "")[:LONGEST_NAME]}
        )
        return "It waits for a second organiser." if waits else "The role is taken back."
    if "approve" in request.POST:
        approve(person, league, request.POST["approve"])
        return "It is approved, and done."
    decline(person, league, request.POST.get("decline", ""))
    return "It is declined."


def _try(request: HttpRequest, do: Callable[[], str]) -> None:
    try:
        messages.success(request, do())
    except Refused as error:
        raise PermissionDenied(str(error)) from None
    except (NotNow, ObjectDoesNotExist) as error:
        messages.error(request, f"{error}.")
