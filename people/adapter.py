"""Where allauth asks us: who may sign up, what a name may be, from where somebody comes."""

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
"""The word under which a session keeps the number of the invitation that it came with."""
LONGEST_NAME = 40
NAME = RegexValidator(
    r"^[A-Za-z0-9][A-Za-z0-9._-]*\Z",
    "Everybody sees this name: letters, digits, hyphens, dots and underscores, beginning with a letter or a digit.",
)
NAMES = [NAME, MaxLengthValidator(LONGEST_NAME)]
"""What a new author's name has to be. It is no e-mail address, which nobody else is to see."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """What is ours of allauth's sign-up and sign-in."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Tell whether this visitor may sign up: by an invitation, or where anybody may."""
        held = held_by(request)
        if held and held.made_by_id is None:
            return True  # whoever reads the arena's terminal
        return settings.SIGNUP == "open" or (settings.SIGNUP == "invite" and held is not None)

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Make the account; the invitation is used up by it, or neither is done."""
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
        if held.made_by_id is None:  # there may be no other mail yet than what the same terminal shows
            self.stash_verified_email(request, form.cleaned_data["email"])
        return saved

    def _saved(self, request: HttpRequest, user: User, form: Any, *, commit: bool) -> User:
        saved: User = super().save_user(request, user, form, commit=commit)
        return saved

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return a name that may be taken; raises ValidationError, also for one of somebody who left."""
        if was_somebodys(username):
            raise self.validation_error("username_taken")
        name: str = super().clean_username(username, shallow=shallow)
        return name

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Write a mail in the tongue of whoever gets it; to a stranger in that of the page that asks for it."""
        person = context.get("user")
        if not isinstance(person, User):
            super().send_mail(template_prefix, email, context)
            return
        with speaking_to(person, otherwise=spoken()):
            super().send_mail(template_prefix, email, context)

    def send_notification_mail(
        self, template_prefix: str, user: User, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Write of a change to an account to its owner: allauth does not tell the mail whose it is."""
        super().send_notification_mail(template_prefix, user, {"user": user, **(context or {})}, email)

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return whose address it is, as all our throttles believe it."""
        return address_of(request)


def held_by(request: HttpRequest) -> Invitation | None:
    """Return the invitation that a session holds; one that no longer lets in is dropped, and the visitor told."""
    try:
        return invitations.read(request.session.get(HELD))
    except invitations.NotInvited as error:
        raise turned_away(request, error) from error


def turned_away(request: HttpRequest, why: Exception) -> ImmediateHttpResponse:
    """Return what sends a visitor to the sign-up page without the invitation, which says there why it is none."""
    request.session.pop(HELD, None)
    messages.error(request, str(why))
    return ImmediateHttpResponse(redirect("account_signup"))
