"""Desk of a league: run room, acts, roles, pending proposals, and refusals."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bots.scopes import check_session
from bots.worker_queries import list_cages
from foundation.throttles import person_of, throttled
from foundation.words import asks
from frontend.pages.act_forms import ActForm, groups_of
from frontend.pages.shared import found
from ftk_core.league.state import NotNow
from replays.reports.health import read_health
from tournaments.desk import (
    Refused,
    approve,
    decline,
    find_league,
    list_names,
    propose_or_act,
    read_desk,
    read_room,
    refuse,
)

LONGEST_NAME = 150
LONGEST_ID = 12


class AppointForm(forms.Form):
    """Form to give a person a role."""

    person = forms.CharField(max_length=LONGEST_NAME, label=_("Author's name"))
    role = forms.ChoiceField(choices=[("co-organiser", _("co-organiser")), ("judge", _("judge"))])


def organised(page: Callable[[HttpRequest, User, str], HttpResponse]) -> Callable[..., HttpResponse]:
    """Wrap a page: require a signed-in session with the scope `organise`; answer 403 without a role in the league."""

    @wraps(page)
    def opened(request: HttpRequest, slug: str) -> HttpResponse:
        if not isinstance(request.user, User):
            return redirect("account_login")
        check_session(request, "organise")
        try:
            return page(request, request.user, slug)
        except Refused as error:
            raise PermissionDenied(str(error)) from None

    return opened


@asks("match")
@throttled("enter", by=person_of)
@never_cache
@found
@organised
def page(request: HttpRequest, person: User, slug: str) -> HttpResponse:
    """Show the desk to people with a role in the league, and to staff; a POST acts, decides, appoints or dismisses."""
    league = find_league(slug)
    desk, names = read_desk(person, league), list_names(league)
    verb = request.POST.get("act", "")
    act = ActForm(verb, names, request.POST) if verb in desk.verbs else None
    form = AppointForm(request.POST if "person" in request.POST else None)
    wrong = (act is not None and not act.is_valid()) or (form.is_bound and not form.is_valid())
    if request.method == "POST" and not wrong:
        try:
            messages.success(request, _done(request, person, slug, form, act))
        except (NotNow, ObjectDoesNotExist) as error:
            messages.error(request, f"{error}.")
        return redirect("desk", slug)
    context = {"league": league, "desk": desk, "form": form, "names": names, "room": read_room(person, league)}
    context["groups"] = groups_of(desk.verbs, names, act, request.GET.get("match", "")[:LONGEST_ID])
    return render(request, "frontend/desk.html", context | _health(), status=400 if wrong else 200)


@require_safe
@never_cache
@found
@organised
def room(request: HttpRequest, person: User, slug: str) -> HttpResponse:
    """Show only the state of the round, which htmx polls."""
    seen = read_room(person, find_league(slug))
    return render(request, "frontend/parts/room.html", {"room": seen} | _health())


def _health() -> dict[str, object]:
    return {"health": read_health(), "cages": list_cages()}


def _done(request: HttpRequest, person: User, slug: str, form: AppointForm, act: ActForm | None) -> str:
    """Execute a form and return the sentence that confirms it."""
    league = find_league(slug)
    if act:
        waits = propose_or_act(person, league, act.verb, act.told, act.cleaned_data.get("why", ""))
        return (
            gettext("It waits for a second organiser.")
            if waits
            else gettext("Done: %(what)s.") % {"what": gettext(act.what)}
        )
    if "act" in request.POST:
        refuse(person, league, request.POST["act"].replace("\0", ""))
    if form.is_bound:
        waits = propose_or_act(person, league, "appoint", dict(form.cleaned_data))
        return gettext("It waits for a second organiser.") if waits else gettext("The role is given.")
    if "dismiss" in request.POST:
        waits = propose_or_act(
            person, league, "dismiss", {"person": request.POST["dismiss"].replace("\0", "")[:LONGEST_NAME]}
        )
        return gettext("It waits for a second organiser.") if waits else gettext("The role is taken back.")
    if "approve" in request.POST:
        approve(person, league, request.POST["approve"])
        return gettext("It is approved, and done.")
    decline(person, league, request.POST.get("decline", ""))
    return gettext("It is declined.")
