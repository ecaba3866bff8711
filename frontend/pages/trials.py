"""Report of a trial: the verdict for everybody, the bot's output for its author only."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from bots import queries as bots_queries
from bots.teams import is_author
from bots.version_queries import find_own
from frontend.pages.shared import found
from tournaments.continuous import put_back


@found
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a version's trial; an author of a benched version can return it to the ladder."""
    if request.method == "POST" and "back" in request.POST:
        return _put_back(request, slug, number)
    return render(request, "frontend/trial.html", {"trial": bots_queries.read_trial(slug, number, request.user.pk)})


def _put_back(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    if not is_author(request.user.pk, slug):
        raise PermissionDenied(_("%(slug)s is not yours; its authors have it called again") % {"slug": slug})
    version = find_own(int(request.user.pk or 0), slug, number)
    put_back(version.pk, request.user.get_username(), int(timezone.now().timestamp()))
    return redirect("bot", slug)
