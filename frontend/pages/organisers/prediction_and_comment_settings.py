"""Storage of a league's audience settings (predictions and comments), and moderation of comments."""

from __future__ import annotations

import re

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import BadRequest, ObjectDoesNotExist
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from foundation.message_translation import with_full_stop
from foundation.ratelimits.limits import rate_limited, request_subject
from frontend.pages.http_error_conversion import handle_missing
from frontend.pages.organisers.organiser_console import organiser_view
from ftk_core.league.league_state import CommandRejected
from tournaments.comments.queries import read_moderation
from tournaments.comments.services import moderate_comment
from tournaments.organisers.prediction_and_comment_settings import CHOICES, set_audience

ID = re.compile(r"\d{1,18}", re.ASCII)


@require_POST
@rate_limited("enter", by=request_subject)
@handle_missing
@organiser_view
def page(request: HttpRequest, person: User, slug: str) -> HttpResponse:
    """Store the submitted audience settings (predictions and comments), and redirect to the league's organiser page."""
    try:
        set_audience(person, slug, {name: request.POST[name] for name in CHOICES if name in request.POST})
    except CommandRejected as error:
        raise BadRequest(with_full_stop(error)) from None
    messages.success(request, gettext("The settings for the audience are saved."))
    return redirect("desk", slug)


@rate_limited("enter", by=request_subject)
@never_cache
@handle_missing
@organiser_view
def comments(request: HttpRequest, person: User, slug: str) -> HttpResponse:
    """List the comments on a league; a POST shows or hides one."""
    if request.method != "POST":
        return render(request, "frontend/moderation.html", {"league": read_moderation(person, slug)})
    hide = "hide" in request.POST
    number = request.POST["hide" if hide else "show"] if hide or "show" in request.POST else ""
    try:
        comment_id = int(number) if ID.fullmatch(number) else 0
        said = {"why": request.POST.get("why", ""), "seen": request.POST.get("seen", "")}
        moderate_comment(person, slug, comment_id, hide=hide, **said)
    except ObjectDoesNotExist:
        messages.error(request, gettext("There is no such comment; perhaps it was deleted or hidden."))
    except CommandRejected as error:
        messages.error(request, with_full_stop(error))
    else:
        messages.success(request, gettext("The comment is hidden.") if hide else gettext("The comment is shown."))
    return redirect("desk-comments", slug)
