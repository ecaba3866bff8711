"""Page on which a person grants a program an API token."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from bots.access import device_authorization
from bots.access.api_tokens import InvalidTokenError, TokenQuotaExceeded, expiry_of, find_sign_in_token
from foundation.query_parameters import query_parameters
from foundation.ratelimits.limits import (
    clear_failures,
    count_attempt,
    rate_limited,
    request_address,
    request_subject,
    too_many_requests,
)
from frontend.pages.authors.token_forms import list_session_scopes
from ftk_core.kit.client.api_token_format import SCOPES
from people.login_sessions import SESSION_TOKEN_KEY

APPROVE, REFUSE = "approve", "refuse"


@query_parameters("code")
@rate_limited("device", by=request_subject)
@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """Ask for the code that a program displays, then approve or refuse the program's request for an API token."""
    person, typed = request.user, request.GET.get("code", "")[:40]
    if not isinstance(person, User):
        onward = reverse("device") + (f"?{urlencode({'code': typed})}" if typed else "")
        return redirect_to_login(onward)
    if request.method != "POST":
        return render(request, "frontend/device.html", {"typed": typed})
    whose = (request_subject(request), request_address(request))
    for who in whose:
        if seconds := count_attempt("device", who):
            return too_many_requests(seconds)
    try:
        answer = _decide(request, person)
    except (device_authorization.InvalidUserCodeError, InvalidTokenError, TokenQuotaExceeded) as error:
        context = {"typed": request.POST.get("code", "")[:40], "error": error}
        return render(request, "frontend/device.html", context, status=400)
    for who in whose:
        clear_failures("device", who)
    return answer


def _decide(request: HttpRequest, person: User) -> HttpResponse:
    """Approve or refuse a program's request for a token. If the form contains no decision, show the request."""
    code, answer = request.POST.get("code", ""), request.POST.get("answer", "")
    waiting = device_authorization.find_request(code)
    most, session_token = list_session_scopes(request), request.session.get(SESSION_TOKEN_KEY, "")
    if answer == APPROVE:
        device_authorization.approve_request(code, person, most, session_token)
        messages.success(
            request,
            _("%(client)s has its token. You can close this page and go back to it.") % {"client": waiting.client},
        )
        return redirect("device")
    if answer == REFUSE:
        device_authorization.refuse_request(code)
        messages.info(request, _("You refused the request. %(client)s got no token.") % {"client": waiting.client})
        return redirect("device")
    may = [(scope, words) for scope, words in SCOPES.items() if scope in waiting.scopes and scope in most]
    until = expiry_of(find_sign_in_token(person, session_token), timezone.now())
    return render(request, "frontend/device.html", {"waiting": waiting, "may": may, "until": until})
