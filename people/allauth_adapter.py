"""Adapter that configures allauth: permission to sign up, valid names, clients' IP addresses, and mails."""

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
from django.utils.translation import gettext_lazy as _

from foundation.branding.arena_brand import read_brand
from foundation.ratelimits.limits import request_address
from foundation.response_language import active_language
from people import invitations
from people.account_erasure import is_name_of_erased_person
from people.mail_addresses import find_person_by_address
from people.models import Invitation
from people.person_languages import use_language_of

INVITATION_SESSION_KEY = "invitation"
"""Key in Django's session under which the primary key of the visitor's invitation is stored."""
MAX_NAME_CHARACTERS = 40
NAME_VALIDATOR = RegexValidator(
    r"^[A-Za-z0-9][A-Za-z0-9._-]*\Z",
    _("Everybody sees this name: letters, digits, hyphens, dots and underscores, beginning with a letter or a digit."),
)
NAME_VALIDATORS = [NAME_VALIDATOR, MaxLengthValidator(MAX_NAME_CHARACTERS)]
"""Validators for the public name of a new account, which must not be an e-mail address."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """Adapter with this project's changes to allauth's sign-up, sign-in and mails."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return True if the visitor may sign up, by the setting SIGNUP or an invitation."""
        invitation = find_session_invitation(request)
        if invitation and invitation.made_by_id is None:
            return True  # an invitation printed by `manage.py organiser`
        return settings.SIGNUP == "open" or (settings.SIGNUP == "invite" and invitation is not None)

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Create the account and mark its invitation as used, in one transaction."""
        invitation = find_session_invitation(request)
        if invitation is None:
            return self._save(request, user, form, commit=commit)
        try:
            with transaction.atomic():
                invitations.mark_used(invitation.pk)
                saved = self._save(request, user, form, commit=commit)
                invitations.assign_person(invitation.pk, saved)
        except invitations.InvitationError as error:
            raise redirect_to_sign_up(request, error) from error
        del request.session[INVITATION_SESSION_KEY]
        # without a mail server nobody would get the code; a link from `manage.py organiser` is for a trusted operator
        if invitation.made_by_id is None or not settings.HAS_MAIL_SERVER:
            self.stash_verified_email(request, form.cleaned_data["email"])
        return saved

    def _save(self, request: HttpRequest, user: User, form: Any, *, commit: bool) -> User:
        saved: User = super().save_user(request, user, form, commit=commit)
        return saved

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return a valid user name. Raises ValidationError for names that are taken or reserved."""
        if is_name_of_erased_person(username):
            raise self.validation_error("username_taken")
        name: str = super().clean_username(username, shallow=shallow)
        return name

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail in the recipient's stored language, or else the page's language."""
        person = context.get("user") or find_person_by_address(email)  # a mail with a reset code has no user
        if not isinstance(person, User):
            super().send_mail(template_prefix, email, context)
            return
        with use_language_of(person, otherwise=active_language()):
            super().send_mail(template_prefix, email, context)

    def get_from_email(self) -> str:
        """Return the From header of mails, such as ``"Chess Club" <arena@example.org>``."""
        return read_brand().format_sender()

    def format_email_subject(self, subject: str) -> str:
        """Return the subject of a mail, which begins with the name of the site."""
        return read_brand().mail_prefix + subject

    def send_notification_mail(
        self, template_prefix: str, user: User, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Notify the owner of an account by mail that the account has changed."""
        # Adds the owner to the template context, because allauth omits it.
        super().send_notification_mail(template_prefix, user, {"user": user, **(context or {})}, email)

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the IP address of a request's client, as `foundation.ratelimits` determines it for its rate limits."""
        return request_address(request)


def find_session_invitation(request: HttpRequest) -> Invitation | None:
    """Return the invitation stored in a visitor's session, or None.

    Raises ImmediateHttpResponse if the invitation is invalid.
    """
    # The response redirects to the sign-up page, which shows the reason.
    try:
        return invitations.read_by_id(request.session.get(INVITATION_SESSION_KEY))
    except invitations.InvitationError as error:
        raise redirect_to_sign_up(request, error) from error


def redirect_to_sign_up(request: HttpRequest, error: Exception) -> ImmediateHttpResponse:
    """Remove the invitation from the session. Return a redirect to the sign-up page, where `error` is shown."""
    request.session.pop(INVITATION_SESSION_KEY, None)
    messages.error(request, str(error))
    return ImmediateHttpResponse(redirect("account_signup"))
