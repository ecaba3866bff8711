"""Page of a bot's team (its authors), visible to members and to invited people."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from bots.access.teams import (
    InvalidTeamActionError,
    accept_invitation,
    allow_challenges,
    invite_co_author,
    read_team,
    remove_co_author,
)
from foundation.message_translation import with_full_stop
from foundation.ratelimits.limits import rate_limited, request_subject
from frontend.pages.http_error_conversion import handle_missing, require_sign_in
from people.login_sessions import is_token_session

MAX_USERNAME_CHARACTERS = 150


@rate_limited("enter", by=request_subject)
@never_cache
@handle_missing
@require_sign_in
def page(request: HttpRequest, person: User, slug: str) -> HttpResponse:
    """Show or change the authors of a bot."""
    team = read_team(person, slug)
    if request.method != "POST":
        return render(request, "frontend/team.html", {"team": team})
    name, out, take = (
        request.POST.get(word, "").strip()[:MAX_USERNAME_CHARACTERS] for word in ("name", "out", "challenges")
    )
    take = take if take in ("yes", "no") else ""
    # A co-author would stay when the token is revoked.
    if is_token_session(request) and ("accept" in request.POST or not take):
        raise PermissionDenied(
            _("you signed in with a token, which changes no team; sign in with your password or a passkey")
        )
    if not f"{name}{out}".isprintable():
        messages.error(request, _("There is no such author."))
    elif "accept" in request.POST:
        _run_and_report(request, lambda: accept_invitation(person, slug), _("You share %(slug)s now.") % {"slug": slug})
    elif take:
        done = (
            _("Others may challenge %(slug)s.") if take == "yes" else _("%(slug)s takes no challenges any more.")
        ) % {"slug": slug}
        _run_and_report(request, lambda: allow_challenges(person, slug, allowed=take == "yes"), done)
    elif out:
        _run_and_report(
            request,
            lambda: remove_co_author(person, slug, out),
            _("%(out)s does not share %(slug)s any more.") % {"out": out, "slug": slug},
        )
    else:
        _run_and_report(
            request,
            lambda: invite_co_author(person, slug, name),
            _("%(name)s is invited to share %(slug)s.") % {"name": name, "slug": slug},
        )
    return redirect("account" if out == person.get_username() else request.path)


def _run_and_report(request: HttpRequest, action: Callable[[], None], message: str) -> None:
    try:
        action()
    except InvalidTeamActionError as error:
        messages.error(request, with_full_stop(error))
    else:
        messages.success(request, message)
