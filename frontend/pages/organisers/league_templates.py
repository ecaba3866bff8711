"""Page of league templates, where organisers save the settings of their leagues, and rename or remove templates."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache

from bots.api.token_scope_permissions import check_session
from foundation.game_titles import games
from foundation.message_translation import with_full_stop
from foundation.query_parameters import query_parameters
from frontend.pages.http_error_conversion import handle_missing, require_sign_in
from ftk_core.league.league_state import CommandRejected
from people.person_roles import is_organiser
from tournaments.organisers.league_templates import list_templates, remove_template, rename_template, save_template
from tournaments.organisers.organiser_page_queries import find_league
from tournaments.organisers.organiser_permission_checks import MissingRightError


@query_parameters("league")
@never_cache
@handle_missing
@require_sign_in
def page(request: HttpRequest, person: User) -> HttpResponse:
    """List the league templates (saved settings); a POST saves, renames or removes one template."""
    if not (is_organiser(person) or person.is_staff):
        raise PermissionDenied(_("only organisers use templates"))
    check_session(request, "organise")
    if request.method == "POST":
        try:
            messages.success(request, _execute_form(request, person))
        except MissingRightError as error:
            raise PermissionDenied(str(error)) from None
        except (CommandRejected, ObjectDoesNotExist) as error:
            messages.error(request, with_full_stop(error))
        else:
            return redirect("templates")
    slug = request.POST.get("league", "") or request.GET.get("league", "")
    league = find_league(slug) if slug else None
    context = {"templates": list_templates(), "league": league, "games": games(), "name": request.POST.get("name", "")}
    return render(request, "frontend/templates.html", context, status=400 if request.method == "POST" else 200)


def _execute_form(request: HttpRequest, person: User) -> str:
    """Save, rename or remove a template, as the submitted form says; return a sentence that confirms it."""
    name = request.POST.get("name", "")
    if "remove" in request.POST:
        remove_template(person, _read_id(request.POST["remove"]))
        return gettext("The template is removed. Leagues that were announced with it stay as they are.")
    if "rename" in request.POST:
        rename_template(person, _read_id(request.POST["rename"]), name)
        return gettext("The template has another name.")
    save_template(person, request.POST.get("league", ""), name)
    return gettext("The template is saved. It is beside the other kinds of leagues when you announce one.")


def _read_id(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
