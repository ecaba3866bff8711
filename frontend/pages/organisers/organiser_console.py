"""Page on which organisers run a league: the current round, forms to intervene, proposed interventions, and roles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
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
from django.views.decorators.vary import vary_on_headers

from bots.api.token_scope_permissions import check_session
from bots.worker_sandbox_report_queries import list_worker_sandboxes
from foundation.message_translation import with_full_stop
from foundation.query_parameters import query_parameters
from foundation.ratelimits.limits import rate_limited, request_subject
from frontend.pages.http_error_conversion import handle_missing, redirect_to_sign_in
from frontend.pages.organisers.organiser_action_forms import OrganiserActionForm, OrganiserActionPanel, group_acts
from ftk_core.league.league_state import CommandRejected
from replays.reports.match_health import read_health
from tournaments.organisers.action_proposal_decisions import ActionProposalPreview, approve_as_previewed, decline
from tournaments.organisers.organiser_action_preview import OutdatedActionPreviewError
from tournaments.organisers.organiser_action_submission import preview_act, propose_or_act, refuse
from tournaments.organisers.organiser_actions import actions_by_verb
from tournaments.organisers.organiser_page_queries import (
    find_league,
    read_answer_sheet,
    read_console,
    read_current_terms,
    read_entries,
    read_round_overview,
)
from tournaments.organisers.organiser_permission_checks import MissingRightError

MAX_USERNAME_CHARACTERS = 150
ARGUMENTS = ("act", "find", *sorted({field.name for act in actions_by_verb().values() for field in act.fields}))
"""Query parameters of the page: an act, its arguments, and a text to search for in the names of the entries."""


class LeagueRoleForm(forms.Form):
    """Form that appoints a person as co-organiser or judge of the league."""

    person = forms.CharField(max_length=MAX_USERNAME_CHARACTERS, label=_("Author's name"))
    role = forms.ChoiceField(label=_("Role"), choices=[("co-organiser", _("co-organiser")), ("judge", _("judge"))])


def organiser_view(page: Callable[[HttpRequest, User, str], HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view for organisers, so that it requires a sign-in and the scope `organise`."""
    # It does not check the role itself: it answers 403 if the view raises MissingRightError, as queries and services
    # do.

    @wraps(page)
    def wrapped(request: HttpRequest, slug: str) -> HttpResponse:
        if not isinstance(request.user, User):
            return redirect_to_sign_in(request)
        check_session(request, "organise")
        try:
            return page(request, request.user, slug)
        except MissingRightError as error:
            raise PermissionDenied(str(error)) from None

    return wrapped


@query_parameters(*ARGUMENTS)
@rate_limited("enter", by=request_subject)
@never_cache
@vary_on_headers("HX-Request")
@handle_missing
@organiser_view
def page(request: HttpRequest, person: User, slug: str) -> HttpResponse:
    """Show the organisers' page of a league; a POST previews or executes an intervention."""
    # `confirm` is a hash of the effects that the page has shown; the act is executed only if they are still the same.
    # Other POSTs approve (likewise in two steps) or decline a proposed act, or change a role.
    league = find_league(slug)
    find = request.GET.get("find", "").strip()
    console, entries = read_console(person, league), read_entries(league, find)
    form = LeagueRoleForm(request.POST if "person" in request.POST else None)
    panel = _open_panel(request, person, slug, console.verbs, entries.names)
    if panel and request.headers.get("HX-Request"):
        return render(request, "frontend/parts/act_effects.html", {"panel": panel, "league": league, "partial": True})
    wrong, approval = form.is_bound and not form.is_valid(), None
    if panel and "confirm" in request.POST and panel.form.is_valid():
        outcome = _execute_or_explain(request, person, slug, panel)
        if isinstance(outcome, HttpResponse):
            return outcome
        panel = outcome
    elif request.method == "POST" and not panel and not wrong:
        approval = _handle_form(request, person, slug, form)
        if approval is None:
            return redirect("desk", slug)
    sheet = read_answer_sheet(person, league) if console.asks else None
    wrong |= (panel or approval) is not None and "confirm" in request.POST
    context = {
        "league": league,
        "console": console,
        "form": form,
        "room": read_round_overview(person, league, console.verbs),
    }
    context |= {
        "approval": approval,
        "panel": panel,
        "groups": group_acts(console.verbs),
        "find": find,
        "entries": entries,
        "sheet": sheet,
    }
    context["picked"] = request.GET.get("one", "") if request.GET.get("act") == "exchange" else ""
    return render(request, "frontend/organiser_console.html", context | _read_health(), status=400 if wrong else 200)


def _open_panel(
    request: HttpRequest, person: User, slug: str, verbs: Sequence[str], names: Sequence[str]
) -> OrganiserActionPanel | None:
    """Return the form of the action that the request names, with a preview of its effects.

    `verbs` lists the actions that the person may take. Return None for any other action.
    """
    # A confirming request gets no effects: the execution computes them anyway.
    given = request.POST if request.method == "POST" else request.GET
    verb = given.get("act", "")
    if verb not in verbs:
        return None
    current = read_current_terms(find_league(slug), verb)
    form = OrganiserActionForm(verb, names, current, given)
    if not form.is_complete or (current and request.method != "POST"):
        if request.method != "POST":
            form = OrganiserActionForm(verb, names, current, initial=given.dict())
        return OrganiserActionPanel(form=form)
    if "confirm" not in given:
        form.errors.pop("why", None)
    elif form.is_valid():
        return OrganiserActionPanel(form=form)
    try:
        return OrganiserActionPanel(form=form, effects=preview_act(person, find_league(slug), verb, form.arguments))
    except (CommandRejected, ObjectDoesNotExist) as error:
        return OrganiserActionPanel(form=form, impossible=with_full_stop(error))


def _execute_or_explain(
    request: HttpRequest, person: User, slug: str, panel: OrganiserActionPanel
) -> HttpResponse | OrganiserActionPanel:
    """Execute a confirmed intervention and return the redirect, or return the form with the reason why it was not."""
    try:
        return _execute_as_previewed(request, person, slug, panel.form)
    except OutdatedActionPreviewError as error:
        return replace(panel, effects=error.effects, outdated=True)
    except (CommandRejected, ObjectDoesNotExist) as error:
        panel.form.add_error(None, with_full_stop(error))
        return panel


def _execute_as_previewed(request: HttpRequest, person: User, slug: str, form: OrganiserActionForm) -> HttpResponse:
    """Execute or propose an organiser's intervention, and redirect to the organisers' page.

    Raises OutdatedActionPreviewError if the effects differ from those that the page has shown, and CommandRejected or
    ObjectDoesNotExist if the intervention is refused.
    """
    # An organiser who has a bot in the league only proposes it to a second organiser.
    league, why, digest = find_league(slug), form.cleaned_data.get("why", ""), request.POST["confirm"]
    proposal = propose_or_act(person, league, form.verb, form.arguments, why, digest)
    done = gettext("Done. %(summary)s") % {"summary": form.act.summary}
    messages.success(request, gettext("It waits for a second organiser.") if proposal else done)
    return redirect("desk", slug)


@require_safe
@never_cache
@handle_missing
@organiser_view
def room(request: HttpRequest, person: User, slug: str) -> HttpResponse:
    """Show only the overview of the current round, which htmx polls."""
    seen = read_round_overview(person, find_league(slug))
    return render(request, "frontend/parts/room.html", {"room": seen} | _read_health())


@require_safe
@never_cache
@handle_missing
@organiser_view
def answer_sheet(_request: HttpRequest, person: User, slug: str) -> HttpResponse:
    """Return the bots in a league and their authors' answers as a CSV file."""
    sheet = read_answer_sheet(person, find_league(slug)).to_csv()
    headers = {"Content-Disposition": f'attachment; filename="{slug}-entries.csv"'}
    return HttpResponse(sheet, content_type="text/csv; charset=utf-8", headers=headers)


def _read_health() -> dict[str, object]:
    return {"health": read_health(), "cages": list_worker_sandboxes()}


def _handle_form(request: HttpRequest, person: User, slug: str, form: LeagueRoleForm) -> ActionProposalPreview | None:
    """Decide on a proposal or change a role, as the submitted form says. Add a message with the result or the error.

    If the person must first confirm the effects of a proposal, return these effects; otherwise return None.
    """
    try:
        result = _execute_form(request, person, slug, form)
    except (CommandRejected, ObjectDoesNotExist) as error:
        messages.error(request, with_full_stop(error))
        return None
    if isinstance(result, ActionProposalPreview):
        return result
    messages.success(request, result)
    return None


def _execute_form(request: HttpRequest, person: User, slug: str, form: LeagueRoleForm) -> str | ActionProposalPreview:
    """Approve or decline a proposed intervention, or change a role, as the submitted form says.

    Return a confirmation message. If the person must first confirm the effects of a proposal, return these effects.
    """
    league = find_league(slug)
    if "act" in request.POST:
        refuse(person, league, request.POST["act"])
    if form.is_bound:
        waits = propose_or_act(person, league, "appoint", dict(form.cleaned_data))
        return gettext("It waits for a second organiser.") if waits else gettext("The role is given.")
    if "dismiss" in request.POST:
        waits = propose_or_act(person, league, "dismiss", {"person": request.POST["dismiss"][:MAX_USERNAME_CHARACTERS]})
        return gettext("It waits for a second organiser.") if waits else gettext("The role is taken back.")
    if "approve" in request.POST:
        return approve_as_previewed(person, league, request.POST["approve"], request.POST.get("confirm")) or gettext(
            "It is approved, and done."
        )
    decline(person, league, request.POST.get("decline", ""))
    return gettext("It is declined.")
