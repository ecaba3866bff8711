"""Invitations: the page behind their links, and the organisers' page to create and revoke them."""

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

from bots.scopes import check_session
from people import invitations
from people.adapter import HELD
from people.roles import is_organiser


class InvitationForm(forms.Form):
    """Form of an invitation: role and validity."""

    role = forms.ChoiceField(choices=invitations.Role.choices)
    days = forms.IntegerField(min_value=1, max_value=invitations.LONGEST_DAYS, initial=7, label=_("Holds for days"))
    note = forms.CharField(max_length=100, required=False, label=_("For whom (organisers see it)"))


@never_cache
def follow(request: HttpRequest, token: str) -> HttpResponse:
    """Store an invitation in the session and redirect to a URL without it; this does not use it up."""
    if request.user.is_authenticated:
        messages.info(request, _("You are signed in, and an invitation is for a new account: sign out first."))
        return redirect("account")
    try:
        held = invitations.find(token)
    except invitations.NotInvited as error:
        messages.error(request, str(error))
    else:
        request.session[HELD] = held.pk
        messages.info(
            request,
            _("You are invited, as an organiser.") if held.role == "organiser" else _("You are invited, as an author."),
        )
    return redirect("account_signup")


@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """Show an organiser all invitations; a POST creates one, whose link is shown once, or revokes one."""
    if not request.user.is_authenticated:
        return redirect("account_login")
    owner = request.user
    if not isinstance(owner, User) or not is_organiser(owner):
        raise PermissionDenied(_("only organisers invite"))
    check_session(request, "organise")
    if request.method == "POST" and "revoke" in request.POST:
        return _taken_back(request)
    form = InvitationForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and _made(request, owner, form):
        return redirect("invitations")
    context = {"form": form, "invitations": invitations.list_invitations()}
    return render(request, "frontend/invitations.html", context, status=400 if form.is_bound else 200)


def _taken_back(request: HttpRequest) -> HttpResponse:
    number = request.POST["revoke"]
    known = number.isascii() and number.isdecimal() and len(number) < 10 and invitations.revoke(int(number))
    messages.info(
        request, _("The invitation is taken back.") if known else _("There is no such invitation to take back.")
    )
    return redirect("invitations")


def _made(request: HttpRequest, owner: User, form: InvitationForm) -> bool:
    said = form.cleaned_data
    try:
        token = invitations.invite(owner, said["role"], said["days"], said["note"])
    except invitations.TooMany as error:
        form.add_error(None, f"{error}.")
        return False
    link = request.build_absolute_uri(reverse("invitation", args=[token]))
    messages.success(request, link, extra_tags="link")
    return True
