"""Sections of an account that have a page each: API tokens, sessions, and the profile."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from bots.access.api_tokens import InvalidTokenError, TokenQuotaExceeded, create_token, list_tokens, revoke_token
from foundation.message_translation import with_full_stop
from foundation.response_language import CODES, LANGUAGE_PARAMETER, active_language
from frontend.pages.authors.token_forms import NewTokenForm, list_session_scopes
from frontend.pages.http_error_conversion import require_sign_in
from ftk_core.i18n import ENGLISH
from people import login_sessions
from people.person_languages import read_language


@never_cache
@require_sign_in
def profile(request: HttpRequest, owner: User) -> HttpResponse:
    """Show the language of the account, and links to download its data and to delete it."""
    # a language in the address is stored only after the page is written
    is_chosen = request.GET.get(LANGUAGE_PARAMETER) in CODES
    language = active_language() if is_chosen else read_language(owner) or ENGLISH
    return render(request, "frontend/profile.html", {"account_language": language})


@never_cache
@require_sign_in
def tokens(request: HttpRequest, owner: User) -> HttpResponse:
    """Show, create or revoke a person's API tokens."""
    if request.method != "POST":
        context = {"tokens": list_tokens(owner), "new": NewTokenForm(most=list_session_scopes(request))}
        return render(request, "frontend/tokens.html", context)
    start = request.POST.get("revoke", "")
    if start:
        revoked = revoke_token(owner, start)
        messages.info(
            request,
            _("The token %(start)s… is revoked.") % {"start": start} if revoked else _("You have no such token."),
        )
    else:
        form = NewTokenForm(request.POST, most=list_session_scopes(request))
        if not _make_token(request, owner, form):
            return render(request, "frontend/tokens.html", {"tokens": list_tokens(owner), "new": form}, status=400)
    return redirect("tokens")


def _make_token(request: HttpRequest, owner: User, form: NewTokenForm) -> bool:
    """Create the token of a form; return False if that is refused, for which a message gives the reason."""
    if not form.is_valid():
        messages.error(request, form.first_error())
        return False
    said = form.cleaned_data
    parent = request.session.get(login_sessions.SESSION_TOKEN_KEY, "")
    try:
        token = create_token(owner, said["name"], said["scopes"], said["days"], parent=parent)
        messages.success(request, token, extra_tags="token")
    except (TokenQuotaExceeded, InvalidTokenError) as error:
        messages.error(request, with_full_stop(error))
        return False
    return True


@never_cache
@require_sign_in
def sessions(request: HttpRequest, owner: User) -> HttpResponse:
    """Show or end a person's sessions."""
    number = request.POST.get("end", "")
    if request.method != "POST":
        context = {"sessions": login_sessions.list_sessions(owner, request.session.session_key)}
        return render(request, "frontend/sessions.html", context)
    ended = (
        number.isascii() and number.isdecimal() and len(number) < 10 and login_sessions.end_session(owner, int(number))
    )
    messages.info(request, _("The session is ended.") if ended else _("You have no such session."))
    return redirect("sessions")
