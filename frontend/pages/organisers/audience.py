"""The form with a league's settings for its audience."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from foundation.ratelimits.limits import rate_limited, request_subject
from frontend.pages.missing_objects import handle_missing
from frontend.pages.organisers.organiser_console import require_league_role
from tournaments.organisers.audience_settings import set_predictions_allowed


@require_POST
@rate_limited("enter", by=request_subject)
@handle_missing
@require_league_role
def page(request: HttpRequest, person: User, slug: str) -> HttpResponse:
    """Allow predictions of a league, or turn them off."""
    choice = request.POST.get("predictions", "")
    if choice not in ("on", "off"):
        raise BadRequest(
            gettext("Say in the field “predictions”: on or off (got %(choice)r).") % {"choice": choice[:20]}
        )
    set_predictions_allowed(person, slug, allowed=choice == "on")
    messages.success(request, gettext("The settings for the audience are saved."))
    return redirect("desk", slug)
