"""Page on which organisers run a league: overview of the current round, forms of acts, roles and proposed acts."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bots.api.scopes import check_session
from bots.worker_queries import list_worker_sandboxes
from foundation.message_punctuation import with_full_stop
from foundation.query_parameters import query_parameters
from foundation.ratelimits.limits import rate_limited, request_subject
from frontend.pages.missing_objects import handle_missing
from frontend.pages.organisers.act_forms import ActForm, groups_of
from ftk_core.league.league_state import CommandRejected
from replays.reports.match_health import read_health
from tournaments.organisers.act_requests import (
    MissingRightError,
    approve,
    decline,
    find_league,
    list_names,
    propose_or_act,
    read_desk,
    read_room,
    refuse,
)

MAX_USERNAME_CHARACTERS = 150
MAX_MATCH_ID_CHARACTERS = 12


class RoleForm(forms.Form):
    """Form that appoints a person as co-organiser or judge of the league."""

    person = forms.CharField(max_length=MAX_USERNAME_CHARACTERS, label=_("Author's name"))
    role = forms.ChoiceField(choices=[("co-organiser", _("co-organiser")), ("judge", _("judge"))])


def require_league_role(page: Callable[[HttpRequest, User, str], HttpResponse]) -> Callable[..., HttpResponse]:
    """Return a view that answers 403 to people without a role in the league and redirects visitors to the sign-in page.

    The session needs the scope `organise`.
    """

    @wraps(page)
    def wrapped(request: HttpRequest, slug: str) -> HttpResponse:
        if not isinstance(request.user, User):
            return redirect("account_login")
        check_session(request, "organise")
        try:
            return page(request, request.user, slug)
        except MissingRightError as error:
            raise PermissionDenied(str(error)) from None

    return wrapped


@query_parameters("match")
@rate_limited("enter", by=request_subject)
@never_cache
@handle_missing
@require_league_role
def page(request: HttpRequest, person: User, slug: str) -> HttpResponse:
    """Show the organisers' page; a POST executes an act, decides on a proposed act, or gives or takes a role."""
    league = find_league(slug)
    desk, names = read_desk(person, league), list_names(league)
    verb = request.POST.get("act", "")
    act = ActForm(verb, names, request.POST) if verb in desk.verbs else None
    form = RoleForm(request.POST if "person" in request.POST else None)
    wrong = (act is not None and not act.is_valid()) or (form.is_bound and not form.is_valid())
    if request.method == "POST" and not wrong:
        try:
            messages.success(request, _execute_form(request, person, slug, form, act))
        except (CommandRejected, ObjectDoesNotExist) as error:
            messages.error(request, with_full_stop(error))
        return redirect("desk", slug)
    context = {"league": league, "desk": desk, "form": form, "names": names, "room": read_room(person, league)}
    context["groups"] = groups_of(desk.verbs, names, act, request.GET.get("match", "")[:MAX_MATCH_ID_CHARACTERS])
    return render(request, "frontend/desk.html", context | _read_health(), status=400 if wrong else 200)


@require_safe
@never_cache
@handle_missing
@require_league_role
def room(request: HttpRequest, person: User, slug: str) -> HttpResponse:
    """Show only the overview of the current round, which htmx polls."""
    seen = read_room(person, find_league(slug))
    return render(request, "frontend/parts/room.html", {"room": seen} | _read_health())


def _read_health() -> dict[str, object]:
    return {"health": read_health(), "cages": list_worker_sandboxes()}


def _execute_form(request: HttpRequest, person: User, slug: str, form: RoleForm, act: ActForm | None) -> str:
    """Execute the submitted act or decision and return a sentence that confirms it."""
    league = find_league(slug)
    if act:
        waits = propose_or_act(person, league, act.verb, act.arguments, act.cleaned_data.get("why", ""))
        return (
            gettext("It waits for a second organiser.")
            if waits
            else gettext("Done. %(summary)s") % {"summary": act.act.summary}
        )
    if "act" in request.POST:
        refuse(person, league, request.POST["act"].replace("\0", ""))
    if form.is_bound:
        waits = propose_or_act(person, league, "appoint", dict(form.cleaned_data))
        return gettext("It waits for a second organiser.") if waits else gettext("The role is given.")
    if "dismiss" in request.POST:
        waits = propose_or_act(
            person, league, "dismiss", {"person": request.POST["dismiss"].replace("\0", "")[:MAX_USERNAME_CHARACTERS]}
        )
        return gettext("It waits for a second organiser.") if waits else gettext("The role is taken back.")
    if "approve" in request.POST:
        approve(person, league, request.POST["approve"])
        return gettext("It is approved, and done.")
    decline(person, league, request.POST.get("decline", ""))
    return gettext("It is declined.")
