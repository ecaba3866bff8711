"""Page of a bot's team, for its members and invited people."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from bots.teams import NotShared, accept, part, read_team, share, take_challenges
from foundation.throttles import person_of, throttled
from frontend.pages.shared import found

LONGEST_NAME = 150


@throttled("enter", by=person_of)
@never_cache
@found
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a bot's authors; a POST changes them, or the bot's consent to challenges."""
    person = request.user
    if not isinstance(person, User):
        return redirect("account_login")
    team = read_team(person, slug)
    if request.method != "POST":
        return render(request, "frontend/team.html", {"team": team})
    name, out, take = (request.POST.get(word, "").strip()[:LONGEST_NAME] for word in ("name", "out", "challenges"))
    if not f"{name}{out}".isprintable():
        messages.error(request, _("There is no such author."))
    elif "accept" in request.POST:
        _try(request, lambda: accept(person, slug), _("You share %(slug)s now.") % {"slug": slug})
    elif take in ("yes", "no"):
        done = (
            _("Others may challenge %(slug)s.") if take == "yes" else _("%(slug)s takes no challenges any more.")
        ) % {"slug": slug}
        _try(request, lambda: take_challenges(person, slug, take=take == "yes"), done)
    elif out:
        _try(
            request,
            lambda: part(person, slug, out),
            _("%(out)s does not share %(slug)s any more.") % {"out": out, "slug": slug},
        )
    else:
        _try(
            request,
            lambda: share(person, slug, name),
            _("%(name)s is invited to share %(slug)s.") % {"name": name, "slug": slug},
        )
    return redirect("account" if out == person.get_username() else request.path)


def _try(request: HttpRequest, do: Callable[[], None], done: str) -> None:
    try:
        do()
    except NotShared as error:
        messages.error(request, f"{error}.")
    else:
        messages.success(request, done)
