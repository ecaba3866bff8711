"""Pages on which a person downloads their stored data, and erases their account."""

from __future__ import annotations

from contextlib import suppress

from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.reauthentication import get_reauthentication_flows
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from bots.access.api_tokens import InvalidTokenError, authenticate_token
from foundation.ratelimits.limits import charge_or_wait, request_subject, too_many_requests
from frontend.pages.http_error_conversion import redirect_to_sign_in, require_sign_in
from people.account_erasure import erase_person, export_person as exported


class AccountErasureForm(forms.Form):
    """Form in which a person confirms the erasure of an account."""

    # Asks for an API token only if the account has no other credential.

    name = forms.CharField(label=_("Your name, to confirm"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
    token = forms.CharField(
        max_length=200, label=_("One of your tokens"), widget=forms.PasswordInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, owner: User, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]  # `args` has the data of the form, or is empty
        self._owner = owner
        if get_reauthentication_flows(owner):
            del self.fields["token"]  # a password or a passkey was checked just before

    def clean_name(self) -> str:
        """Return the username; raises ValidationError if it is not the person's own."""
        name = str(self.cleaned_data["name"])
        if name != self._owner.get_username():
            raise forms.ValidationError(_("That is not your name; nothing was deleted."))
        return name

    def clean_token(self) -> str:
        """Return the token; raises ValidationError if it is invalid or belongs to another person."""
        token = str(self.cleaned_data["token"])
        try:
            owner = authenticate_token(token).owner
        except InvalidTokenError:
            owner = None
        if owner != self._owner:
            raise forms.ValidationError(_("That is no token of yours; nothing was deleted."))
        return token


@require_POST
@never_cache
@require_sign_in
def export(request: HttpRequest, owner: User) -> HttpResponse:
    """Return all stored data of the person as a zip file."""
    if seconds := charge_or_wait("export", request_subject(request)):
        return too_many_requests(seconds)
    name = content_disposition_header(as_attachment=True, filename=f"{owner.get_username()}.zip")
    with exported(owner) as file:
        return HttpResponse(file.read(), content_type="application/zip", headers={"Content-Disposition": str(name)})


@never_cache
@sensitive_post_parameters("token")
def leave(request: HttpRequest) -> HttpResponse:
    """Explain the erasure of the account; a POST with a confirmation erases it."""
    return _erase_account(request) if request.user.is_authenticated else redirect_to_sign_in(request)


@reauthentication_required
def _erase_account(request: HttpRequest) -> HttpResponse:
    owner = request.user
    assert isinstance(owner, User)
    form = AccountErasureForm(owner, request.POST) if request.method == "POST" else AccountErasureForm(owner)
    if form.is_valid():
        with suppress(User.DoesNotExist):  # another request, as of a second click, was quicker
            erase_person(owner)
        logout(request)
        messages.success(request, _("Your account is deleted."))
        return redirect("account_login")
    return render(request, "frontend/leave.html", {"form": form}, status=400 if form.is_bound else 200)
