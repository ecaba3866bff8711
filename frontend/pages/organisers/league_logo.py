"""Views for the logo of a league: upload, removal and download."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from foundation.message_translation import with_full_stop
from foundation.ratelimits.limits import rate_limited, request_subject
from frontend.pages.http_error_conversion import handle_missing
from frontend.pages.organisers.organiser_console import organiser_view
from ftk_core.league.league_state import CommandRejected
from tournaments.organisers.league_logos import read_logo, remove_logo, set_logo

CACHE_SECONDS = 86_400
"""Seconds for which browsers may cache a logo, whose URL changes with its content."""


@require_POST
@rate_limited("enter", by=request_subject)
@handle_missing
@organiser_view
def page(request: HttpRequest, person: User, slug: str) -> HttpResponse:
    """Set the uploaded picture as the logo of a league, or remove the logo if the POST data contain `remove`."""
    try:
        if "remove" in request.POST:
            remove_logo(person, slug)
            messages.success(request, gettext("The logo is removed."))
        else:
            upload = request.FILES.get("logo")
            set_logo(person, slug, upload.read() if upload else b"")
            messages.success(request, gettext("The league has a new logo."))
    except CommandRejected as error:
        messages.error(request, with_full_stop(error))
    return redirect("desk", slug)


@require_safe
@handle_missing
def picture(_request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    """Return the logo of a league."""
    # The Content-Security-Policy forbids scripts if the file is opened as a page.
    answer = HttpResponse(read_logo(slug, digest), content_type="image/png")
    answer.headers["Content-Security-Policy"] = "default-src 'none'"
    patch_cache_control(answer, public=True, max_age=CACHE_SECONDS, immutable=True)
    return answer
