"""Pages on which people accept, create or revoke invitations to create an account."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from bots.api.token_scope_permissions import check_session
from foundation.message_translation import with_full_stop
from frontend.pages.http_error_conversion import redirect_to_sign_in
from people import invitations
from people.allauth_adapter import INVITATION_SESSION_KEY
from people.login_sessions import is_token_session
from people.person_roles import is_organiser


class InvitationForm(forms.Form):
    """Form for a new invitation: the role of the new account, and the lifetime in days."""

    role = forms.ChoiceField(label=_("Role"), choices=invitations.Role.choices)
    days = forms.IntegerField(min_value=1, max_value=invitations.MAX_DAYS, initial=7, label=_("Valid for (days)"))
    note = forms.CharField(max_length=100, required=False, label=_("For whom (organisers see it)"))


@never_cache
def accept_link(request: HttpRequest, token: str) -> HttpResponse:
    """Store an invitation in the session and redirect to the sign-up page."""
    # The URL of the sign-up page has no token. The invitation stays unused until the account is created.
    if request.user.is_authenticated:
        messages.info(request, _("You are signed in, and an invitation is for a new account: sign out first."))
        return redirect("account")
    try:
        held = invitations.find_by_token(token)
    except invitations.InvitationError as error:
        messages.error(request, str(error))
    else:
        request.session[INVITATION_SESSION_KEY] = held.pk
        messages.info(
            request,
            _("You are invited, as an organiser.") if held.role == "organiser" else _("You are invited, as an author."),
        )
    return redirect("account_signup")


@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """Show organisers all invitations. A POST creates or revokes an invitation."""
    # The link of a new invitation is shown once.
    if not request.user.is_authenticated:
        return redirect_to_sign_in(request)
    owner = request.user
    if not isinstance(owner, User) or not is_organiser(owner):
        raise PermissionDenied(_("only organisers invite"))
    check_session(request, "organise")
    if request.method == "POST" and "revoke" in request.POST:
        return _revoke(request)
    form = InvitationForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and _create(request, owner, form):
        return redirect("invitations")
    context = {"form": form, "invitations": invitations.list_invitations()}
    return render(request, "frontend/invitations.html", context, status=400 if form.is_bound else 200)


def _revoke(request: HttpRequest) -> HttpResponse:
    number = request.POST["revoke"]
    known = number.isascii() and number.isdecimal() and len(number) < 10 and invitations.revoke(int(number))
    messages.info(
        request, _("The invitation is taken back.") if known else _("There is no such invitation to take back.")
    )
    return redirect("invitations")


def _create(request: HttpRequest, owner: User, form: InvitationForm) -> bool:
    said = form.cleaned_data
    if said["role"] == invitations.Role.ORGANISER and is_token_session(request):
        # The new organiser would stay when the token is revoked.
        form.add_error(
            "role",
            _("You signed in with a token, which invites no organisers. Sign in with your password or a passkey."),
        )
        return False
    try:
        token = invitations.invite(owner, said["role"], said["days"], said["note"])
    except invitations.InvitationForbiddenError as error:
        raise PermissionDenied(str(error)) from None
    except invitations.InvitationQuotaExceeded as error:
        form.add_error(None, with_full_stop(error))
        return False
    link = request.build_absolute_uri(reverse("invitation", args=[token]))
    messages.success(request, link, extra_tags="link")
    return True
