"""First page of an account, and page to sign in with an API token."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from django import forms
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from bots import queries as bots_queries
from bots.access.api_tokens import InvalidTokenError, authenticate_token, rate_limit_key_of
from bots.access.teams import list_invitations
from bots.api.token_scope_permissions import SESSION_SCOPES_KEY
from bots.services import accept_upload
from bots.upload_checks import read_upload_limits
from foundation.game_titles import games
from foundation.message_translation import with_full_stop
from foundation.query_parameters import query_parameters
from foundation.ratelimits.limits import (
    clear_failures,
    count_attempt,
    rate_limited,
    request_address,
    request_subject,
    too_many_requests,
)
from frontend.pages.http_error_conversion import require_sign_in
from ftk_core.kit.client.api_token_format import DEFAULT_SCOPES
from ftk_core.kit.uploads.bot_names import BOT_NAME, MAX_BOT_NAME_CHARACTERS
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from people import login_sessions
from people.person_roles import is_organiser

AUTH_BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignInForm(forms.Form):
    """Form for signing in with an API token."""

    token = forms.CharField(
        label=_("Token"),
        max_length=200,
        strip=True,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def clean_token(self) -> str:
        """Return the token. Raises ValidationError if it cannot be used to sign in."""
        # A token would bypass a second factor of its owner, so such tokens are refused.
        token = str(self.cleaned_data["token"])
        try:
            self.shown = authenticate_token(token)
        except InvalidTokenError as error:
            raise forms.ValidationError(str(error)) from None
        if missing := [scope for scope in DEFAULT_SCOPES if scope not in self.shown.scopes]:
            raise forms.ValidationError(
                _("This token is for programs: to sign in it lacks %(join)s.") % {"join": ", ".join(missing)}
            )
        if is_mfa_enabled(self.shown.owner):
            raise forms.ValidationError(_("This account has a second factor: sign in with its password or a passkey."))
        return token

    def open(self, request: HttpRequest) -> None:
        """Start a session with the scopes of the token; the session expires no later than the token."""
        user, start = self.shown.owner, self.shown.start
        login(request, user, backend=AUTH_BACKEND)
        request.session[login_sessions.SESSION_TOKEN_KEY] = start
        request.session[SESSION_SCOPES_KEY] = list(self.shown.scopes)
        # A fixed time: otherwise every change of the session would move its end, past that of the token.
        longest = timezone.now() + timedelta(seconds=request.session.get_expiry_age())
        request.session.set_expiry(min(longest, self.shown.expires_at or longest))
        request.session.save()
        login_sessions.record_session(request, user, "token", start)


class BotUploadForm(forms.Form):
    """Form for uploading the next version of a bot."""

    game = forms.ChoiceField(choices=games, label=_("Game"))
    bot = forms.RegexField(
        BOT_NAME,
        label=_("Bot"),
        max_length=MAX_BOT_NAME_CHARACTERS,
        error_messages={"invalid": _("Small letters, digits and hyphens, beginning with a letter or a digit.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "list": "own"}),
    )
    file = forms.FileField(allow_empty_file=True, label=_("one .py file or a .zip"))

    def clean_file(self) -> Any:
        """Return the file; raises ValidationError if it is larger than the limit, before its content is read."""
        file = self.cleaned_data["file"]
        if file.size > (max_bytes := read_upload_limits().max_bytes(file.name)):
            raise forms.ValidationError(
                _("The file has %(size)s bytes, %(packed_bytes)s are allowed.")
                % {"size": file.size, "packed_bytes": max_bytes}
            )
        return file

    def send(self, owner: User, token: str) -> None:
        """Store the upload as a new version of the bot, or show why it is refused."""
        said = self.cleaned_data
        try:
            accept_upload(owner, said["game"], said["bot"], said["file"].name, said["file"].read(), token)
        except InvalidUploadError as error:
            self.add_error("bot" if error.code == "taken" else "file", with_full_stop(error))


@query_parameters("next")
@rate_limited("sign-in")
@sensitive_post_parameters("token")
@never_cache
def sign_in(request: HttpRequest) -> HttpResponse:
    """Sign in a person with an API token."""
    form = SignInForm(request.POST or None)
    onward = request.GET.get("next", "")
    whose = _list_throttle_keys(request) if request.method == "POST" else []
    for who in whose:
        if seconds := count_attempt("sign-in", who):
            return too_many_requests(seconds)
    if request.method == "POST" and form.is_valid():
        for who in whose:
            clear_failures("sign-in", who)
        form.open(request)
        safe = url_has_allowed_host_and_scheme(onward, {request.get_host()}, require_https=request.is_secure())
        return redirect(onward if safe else "account")
    status = 400 if form.is_bound else 200
    return render(request, "frontend/sign_in.html", {"form": form}, status=status)


def _list_throttle_keys(request: HttpRequest) -> list[str]:
    """Return the keys under which rate limits count a sign-in attempt."""
    # They are the client's IP address and, if the token begins like a stored token, that token's owner.
    account = rate_limit_key_of(request.POST.get("token", "").strip())
    return [request_address(request), *([account] if account else [])]


@rate_limited("upload", by=request_subject)
@never_cache
@require_sign_in
def page(request: HttpRequest, owner: User) -> HttpResponse:
    """Show the bots of the author; a POST uploads a bot."""
    form = BotUploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        form.send(owner, request.session.get(login_sessions.SESSION_TOKEN_KEY, ""))
        if form.is_valid():
            return redirect("account")
    context = {"form": form, "bots": bots_queries.list_own_bots(owner.pk)}
    context |= {"invited": list_invitations(owner), "organiser": is_organiser(owner)}
    status = 400 if form.is_bound else 200
    return render(request, "frontend/account.html", context, status=status)
