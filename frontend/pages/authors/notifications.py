"""Pages of a person's notifications: the list, the preferences, and the page behind unsubscribe links in mails."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from bots.api.token_scope_permissions import check_session
from foundation.ratelimits.limits import rate_limited, request_subject
from frontend.pages.http_error_conversion import require_sign_in
from notices import notice_preferences
from notices.follow_subscriptions import list_followed
from notices.notice_mails import UnsubscribeLinkError, read_unsubscribe_token, unsubscribe
from people.mail_addresses import find_mail_address


@rate_limited("webhook", by=request_subject)
@never_cache
@require_sign_in
def page(request: HttpRequest, person: User) -> HttpResponse:
    """Show the person's notifications and preferences; a POST stores preferences or marks all notifications as read."""
    if request.method == "POST":
        check_session(request, "notify")
        return _handle_post(request, person)
    rows = [
        (name, notice_preferences.KINDS[name].label, web, mail)
        for name, (web, mail) in notice_preferences.read_preferences(person).items()
    ]
    context = {"wishes": rows, "notices": notice_preferences.list_notices(person), "address": find_mail_address(person)}
    context["followed"] = list_followed(person)
    return render(request, "frontend/notices.html", context)


def _handle_post(request: HttpRequest, person: User) -> HttpResponse:
    if "read" in request.POST:
        notice_preferences.mark_read(person, timezone.now())
    elif "keep" in request.POST:
        web, mail = set(request.POST.getlist("web")), set(request.POST.getlist("mail"))
        for kind in notice_preferences.KINDS:
            notice_preferences.set_preference(person, kind, web=kind in web, mail=kind in mail)
        messages.success(request, _("Your choices are kept."))
    return redirect("notices")


@csrf_exempt  # the link itself is the authorization, and mail programs send no cookies (RFC 8058)
@rate_limited("webhook", by=request_subject)
@never_cache
def off(request: HttpRequest, token: str) -> HttpResponse:
    """Show an unsubscribe page for one kind of mail; a POST unsubscribes the person."""
    # The person need not sign in, because the link contains a token.
    try:
        _, kind = read_unsubscribe_token(token)
        if request.method == "POST":
            unsubscribe(token)
    except UnsubscribeLinkError as error:
        raise Http404(str(error)) from None
    context = {"label": notice_preferences.KINDS[kind].label, "done": request.method == "POST"}
    return render(request, "frontend/notices_off.html", context)
