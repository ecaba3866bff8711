"""Notices of a person, their preferences, and the unsubscribe link of mails."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from foundation.throttles import person_of, throttled
from notices import wishes
from notices.mailing import NoSuchLink, read_off, sign_off
from people.mailing import mail_address_of


@throttled("webhook", by=person_of)
@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """Show a person's notices and preferences; a POST stores the preferences, or marks all as read."""
    person = request.user
    if not isinstance(person, User):
        return redirect("account_login")
    if request.method == "POST":
        return _done(request, person)
    rows = [(name, wishes.KINDS[name].when, web, mail) for name, (web, mail) in wishes.read_wishes(person).items()]
    context = {"wishes": rows, "notices": wishes.list_notices(person), "address": mail_address_of(person)}
    return render(request, "frontend/notices.html", context)


def _done(request: HttpRequest, person: User) -> HttpResponse:
    if "read" in request.POST:
        wishes.mark_read(person, timezone.now())
    elif "keep" in request.POST:
        web, mail = set(request.POST.getlist("web")), set(request.POST.getlist("mail"))
        for kind in wishes.KINDS:
            wishes.set_wish(person, kind, web=kind in web, mail=kind in mail)
        messages.success(request, _("Your choices are kept."))
    return redirect("notices")


@csrf_exempt  # the link itself is the authorization, and mail programs send no cookies (RFC 8058)
@throttled("webhook", by=person_of)
@never_cache
def off(request: HttpRequest, token: str) -> HttpResponse:
    """Show the subject of an unsubscribe link; a POST unsubscribes, signed in or not."""
    try:
        _, kind = read_off(token)
        if request.method == "POST":
            sign_off(token)
    except NoSuchLink as error:
        raise Http404(str(error)) from None
    context = {"when": wishes.KINDS[kind].when, "done": request.method == "POST"}
    return render(request, "frontend/notices_off.html", context)
