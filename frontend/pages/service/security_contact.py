"""The file security.txt with the contact for reports about security (RFC 9116)."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

VALIDITY = timedelta(days=90)
"""Time from the request to the date in the field Expires."""


@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """Return security.txt; answer 404 if the settings contain no contact."""
    if not settings.SECURITY_CONTACT:
        raise Http404(gettext("no FTK_SECURITY_CONTACT is set"))
    until = (timezone.now() + VALIDITY).strftime("%Y-%m-%dT00:00:00Z")
    lines = {
        "Contact": settings.SECURITY_CONTACT,
        "Expires": until,
        "Preferred-Languages": "en",
        "Canonical": request.build_absolute_uri(reverse("security")),
    }
    said = "".join(f"{name}: {value}\n" for name, value in lines.items())
    return HttpResponse(said, content_type="text/plain; charset=utf-8")
