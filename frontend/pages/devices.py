"""Device authorization: a person types a program's code, sees its request, and approves or refuses it."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from bots import devices
from bots.tokens import DAYS, TooMany
from foundation.throttles import address_of, attempt, person_of, refusal, succeeded, throttled
from foundation.words import asks
from frontend.pages.token_forms import scopes_here
from ftk_core.kit.tokens import SCOPES

APPROVE, REFUSE = "approve", "refuse"


@asks("code")
@throttled("device", by=person_of)
@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """Ask for a code; a POST shows the waiting program, and one with an answer decides."""
    person, typed = request.user, request.GET.get("code", "")[:40]
    if not isinstance(person, User):
        onward = reverse("device") + (f"?{urlencode({'code': typed})}" if typed else "")
        return redirect(f"{reverse('account_login')}?{urlencode({'next': onward})}")
    if request.method != "POST":
        return render(request, "frontend/device.html", {"typed": typed})
    whose = (person_of(request), address_of(request))
    for who in whose:
        if seconds := attempt("device", who):
            return refusal(seconds)
    try:
        answer = _answered(request, person)
    except (devices.Unknown, TooMany) as error:
        context = {"typed": request.POST.get("code", "")[:40], "error": error}
        return render(request, "frontend/device.html", context, status=400)
    for who in whose:
        succeeded("device", who)
    return answer


def _answered(request: HttpRequest, person: User) -> HttpResponse:
    """Answer the waiting program, or show it; raises Unknown, TooMany."""
    code, answer = request.POST.get("code", ""), request.POST.get("answer", "")
    waiting = devices.waiting_with(code)
    most = scopes_here(request)
    if answer == APPROVE:
        devices.approve(code, person, most)
        messages.success(
            request,
            _("%(client)s has its token. You can close this page and go back to it.") % {"client": waiting.client},
        )
        return redirect("device")
    if answer == REFUSE:
        devices.refuse(code)
        messages.info(request, _("%(client)s gets nothing.") % {"client": waiting.client})
        return redirect("device")
    may = [(scope, words) for scope, words in SCOPES.items() if scope in waiting.scopes and scope in most]
    return render(request, "frontend/device.html", {"waiting": waiting, "may": may, "days": DAYS})
