"""Account page of an author: token sign-in, bot uploads, trials, tokens, sessions."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from django import forms
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from bots import queries as bots_queries
from bots.scopes import CEILING
from bots.services import take_in
from bots.teams import list_invited
from bots.tokens import BEGUN_BY, NoToken, TooMany, account_of, bearer_of, new_token, revoke, tokens_of
from foundation.games import games
from foundation.throttles import address_of, attempt, person_of, refusal, succeeded, throttled
from foundation.words import asks
from frontend.pages.token_forms import NewTokenForm, scopes_here
from ftk_core.kit.archive import BadUpload
from ftk_core.kit.limits import UPLOAD
from ftk_core.kit.names import BOT_NAME, LONGEST_BOT_NAME
from ftk_core.kit.tokens import AUTHORS
from people import sessions
from people.roles import is_organiser
from people.tongues import tongue_of

BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignInForm(forms.Form):
    """Form of a sign-in by token."""

    token = forms.CharField(
        max_length=200, strip=True, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )

    def clean_token(self) -> str:
        """Refuse an unknown token, and one whose scopes are too narrow for a session."""
        token = str(self.cleaned_data["token"])
        try:
            self.shown = bearer_of(token)
        except NoToken as error:
            raise forms.ValidationError(str(error)) from None
        if missing := [scope for scope in AUTHORS if scope not in self.shown.scopes]:
            raise forms.ValidationError(
                _("This token is for programs: to sign in it lacks %(join)s.") % {"join": ", ".join(missing)}
            )
        if is_mfa_enabled(self.shown.owner):
            raise forms.ValidationError(_("This account has a second factor: sign in with its password or a passkey."))
        return token

    def open(self, request: HttpRequest) -> None:
        """Start the session, which has the token's scopes and expires no later than the token."""
        user, start = self.shown.owner, self.shown.start
        login(request, user, backend=BACKEND)
        request.session[BEGUN_BY] = start
        request.session[CEILING] = list(self.shown.scopes)
        longest = timezone.now() + timedelta(seconds=request.session.get_expiry_age())
        if self.shown.expires_at is not None and self.shown.expires_at < longest:
            request.session.set_expiry(self.shown.expires_at)
            request.session.save()
        sessions.begin(request, user, "token", start)


class UploadForm(forms.Form):
    """Upload form for the next version of a bot."""

    game = forms.ChoiceField()
    bot = forms.RegexField(
        BOT_NAME,
        max_length=LONGEST_BOT_NAME,
        error_messages={"invalid": _("Small letters, digits and hyphens, beginning with a letter or a digit.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "list": "own"}),
    )
    file = forms.FileField(allow_empty_file=True, label=_("one .py file or a .zip"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        game = self.fields["game"]
        assert isinstance(game, forms.ChoiceField)
        game.choices = games()

    def clean_file(self) -> Any:
        """Refuse a file larger than the limit before it is read."""
        file = self.cleaned_data["file"]
        if file.size > UPLOAD.packed_bytes:
            raise forms.ValidationError(
                _("The file has %(size)s bytes, %(packed_bytes)s are allowed.")
                % {"size": file.size, "packed_bytes": UPLOAD.packed_bytes}
            )
        return file

    def send(self, owner: User, token: str) -> None:
        """Accept the upload; add its errors to the form."""
        said = self.cleaned_data
        try:
            take_in(owner, said["game"], said["bot"], said["file"].name, said["file"].read(), token)
        except BadUpload as error:
            self.add_error("bot" if error.code == "taken" else "file", f"{error}.")


@asks("next")
@throttled("sign-in")
@sensitive_post_parameters("token")
@never_cache
def sign_in(request: HttpRequest) -> HttpResponse:
    """Open a session for the owner of a token."""
    form = SignInForm(request.POST or None)
    onward = request.GET.get("next", "")
    whose = _whose(request) if request.method == "POST" else []
    for who in whose:
        if seconds := attempt("sign-in", who):
            return refusal(seconds)
    if request.method == "POST" and form.is_valid():
        for who in whose:
            succeeded("sign-in", who)
        form.open(request)
        safe = url_has_allowed_host_and_scheme(onward, {request.get_host()}, require_https=request.is_secure())
        return redirect(onward if safe else "account")
    status = 400 if form.is_bound else 200
    return render(request, "frontend/sign_in.html", {"form": form}, status=status)


def _whose(request: HttpRequest) -> list[str]:
    """Return the keys by which attempts are counted: the address, and the account from any address."""
    account = account_of(request.POST.get("token", "").strip())
    return [address_of(request), *([account] if account else [])]


@throttled("upload", by=person_of)
@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """Show an author's bots and tokens; a POST uploads a bot."""
    owner = request.user
    if not isinstance(owner, User):
        return redirect("account_login")
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        form.send(owner, request.session.get(BEGUN_BY, ""))
        if form.is_valid():
            return redirect("account")
    context = {"form": form, "bots": bots_queries.list_own_bots(owner.pk), "tokens": tokens_of(owner)}
    context["invited"] = list_invited(owner)
    context["organiser"] = is_organiser(owner)
    context["kept_tongue"] = tongue_of(owner)
    context["new"] = NewTokenForm(most=scopes_here(request))
    context["sessions"] = sessions.sessions_of(owner, request.session.session_key)
    status = 400 if form.is_bound else 200
    return render(request, "frontend/account.html", context, status=status)


@require_POST
def tokens(request: HttpRequest) -> HttpResponse:
    """Create a token, which is shown once, or revoke one."""
    owner = request.user
    if not isinstance(owner, User):
        return redirect("account_login")
    start = request.POST.get("revoke", "")
    if start:
        revoked = revoke(owner, start)
        messages.info(
            request,
            _("The token %(start)s… is revoked.") % {"start": start} if revoked else _("You have no such token."),
        )
    else:
        _make_token(request, owner)
    return redirect("account")


def _make_token(request: HttpRequest, owner: User) -> None:
    form = NewTokenForm(request.POST, most=scopes_here(request))
    if not form.is_valid():
        messages.error(request, form.first_error())
        return
    said = form.cleaned_data
    try:
        messages.success(request, new_token(owner, said["name"], said["scopes"], said["days"]), extra_tags="token")
    except TooMany as error:
        messages.error(request, f"{error}.")


@require_POST
def end_session(request: HttpRequest) -> HttpResponse:
    """End one of the author's sessions, here or elsewhere."""
    owner, number = request.user, request.POST.get("end", "")
    if not isinstance(owner, User):
        return redirect("account_login")
    ended = number.isascii() and number.isdecimal() and len(number) < 10 and sessions.end(owner, int(number))
    messages.info(request, _("The session is ended.") if ended else _("You have no such session."))
    return redirect("account")
