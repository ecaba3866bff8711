"""Form with which a person follows or unfollows a bot, an author, a league or a game."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from bots.api.token_scope_permissions import check_session
from foundation.ratelimits.limits import rate_limited, request_subject
from frontend.pages.http_error_conversion import require_sign_in
from notices.follow_subscriptions import FollowRefusedError, follow, unfollow


@require_POST
@rate_limited("webhook", by=request_subject)
@never_cache
@require_sign_in
def page(request: HttpRequest, person: User) -> HttpResponse:
    """Follow or unfollow a bot, author, league or game."""
    check_session(request, "notify")
    kind, name, wish = (request.POST.get(word, "") for word in ("kind", "name", "follow"))
    if wish not in ("yes", "no"):
        raise BadRequest(_("Say in the field “follow”: yes or no (got %(wish)r).") % {"wish": wish[:20]})
    if wish == "no":
        unfollow(person, kind, name)
        return redirect("notices")
    try:
        follow(person, kind, name)
    except FollowRefusedError as error:
        messages.error(request, str(error))
        return redirect("notices")
    return redirect(_find_page(kind, name))


def _find_page(kind: str, name: str) -> str:
    """Return the URL of the page of a bot, author, league or game."""
    return f"{reverse('bots')}?{urlencode({'author': name})}" if kind == "author" else reverse(kind, args=[name])
