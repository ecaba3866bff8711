"""Our adapter for allauth: permission to sign up, valid names, client addresses, mails."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.validators import MaxLengthValidator, RegexValidator
from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import redirect

from foundation.throttles import address_of
from foundation.tongues import spoken
from people import invitations
from people.leaving import was_somebodys
from people.models import Invitation
from people.tongues import speaking_to

HELD = "invitation"
"""Session key for the id of the visitor's invitation."""
LONGEST_NAME = 40
NAME = RegexValidator(
    r"^[A-Za-z0-9][A-Za-z0-9._-]*\Z",
    "Everybody sees this name: letters, digits, hyphens, dots and underscores, beginning with a letter or a digit.",
)
NAMES = [NAME, MaxLengthValidator(LONGEST_NAME)]
"""Validators of a new author's name. It cannot be an e-mail address, because it is public."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """Our changes to allauth's sign-up and sign-in."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return True if this visitor may sign up: with an invitation, or if sign-up is open."""
        held = held_by(request)
        if held and held.made_by_id is None:
            return True  # an invitation printed on the arena's terminal
        return settings.SIGNUP == "open" or (settings.SIGNUP == "invite" and held is not None)

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Create the account and use up the invitation, in one transaction."""
        held = held_by(request)
        if held is None:
            return self._saved(request, user, form, commit=commit)
        try:
            with transaction.atomic():
                invitations.take(held.pk)
                saved = self._saved(request, user, form, commit=commit)
                invitations.came_by(held.pk, saved)
        except invitations.NotInvited as error:
            raise turned_away(request, error) from error
        del request.session[HELD]
        if held.made_by_id is None:  # mail may not work yet, and the terminal's user is trusted
            self.stash_verified_email(request, form.cleaned_data["email"])
        return saved

    def _saved(self, request: HttpRequest, user: User, form: Any, *, commit: bool) -> User:
        saved: User = super().save_user(request, user, form, commit=commit)
        return saved

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return a valid name; raises ValidationError, also for the name of a deleted account."""
        if was_somebodys(username):
            raise self.validation_error("username_taken")
        name: str = super().clean_username(username, shallow=shallow)
        return name

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail in the recipient's language; to a stranger in the language of the page."""
        person = context.get("user")
        if not isinstance(person, User):
            super().send_mail(template_prefix, email, context)
            return
        with speaking_to(person, otherwise=spoken()):
            super().send_mail(template_prefix, email, context)

    def send_notification_mail(
        self, template_prefix: str, user: User, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Notify the owner of a change to the account, with the owner added to the context, which allauth omits."""
        super().send_notification_mail(template_prefix, user, {"user": user, **(context or {})}, email)

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client's address, determined as in our rate limits."""
        return address_of(request)


def held_by(request: HttpRequest) -> Invitation | None:
    """Return the invitation of a session; an invalid one is removed, with a message to the visitor."""
    try:
        return invitations.read(request.session.get(HELD))
    except invitations.NotInvited as error:
        raise turned_away(request, error) from error


def turned_away(request: HttpRequest, why: Exception) -> ImmediateHttpResponse:
    """Return a redirect to the sign-up page, which shows why the invitation is invalid."""
    request.session.pop(HELD, None)
    messages.error(request, str(why))
    return ImmediateHttpResponse(redirect("account_signup"))
