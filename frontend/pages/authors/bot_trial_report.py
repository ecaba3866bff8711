"""Page about the trial match that decides whether a new bot version is accepted."""
# All see the verdict, but only the bot's authors see the log.

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from bots import queries as bots_queries
from bots.access.teams import is_author
from bots.versions.queries import find_own
from frontend.pages.http_error_conversion import handle_missing
from tournaments.continuous_ladder.services import reinstate_version


@handle_missing
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the trial match of a bot version. A POST by an author of the bot readmits the version to the ladder.

    The continuous ladder (rated matches outside leagues) excludes a version that crashes repeatedly.
    """
    if request.method == "POST" and "back" in request.POST:
        return _reinstate_version(request, slug, number)
    return render(request, "frontend/trial.html", {"trial": bots_queries.read_trial(slug, number, request.user.pk)})


def _reinstate_version(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    if not is_author(request.user.pk, slug):
        raise PermissionDenied(
            _("%(slug)s is not your bot; only its authors can return it to the continuous ladder") % {"slug": slug}
        )
    version = find_own(int(request.user.pk or 0), slug, number)
    reinstate_version(version.pk, request.user.get_username(), int(timezone.now().timestamp()))
    return redirect("bot", slug)
