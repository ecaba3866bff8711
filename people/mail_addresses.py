"""Confirmed mail addresses of people."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext


def find_mail_address(person: User) -> str:
    """Return a confirmed mail address of a person, the primary address if possible; empty if none is confirmed."""
    rows = EmailAddress.objects.filter(user=person, verified=True).order_by("-primary", "pk")
    return str(rows.values_list("email", flat=True).first() or "")


def confirm_mail_address(person: User, address: str) -> None:
    """Store `address` as the person's primary mail address, confirmed by the operator.

    A person who could only sign in with tokens can then set a password on the page for forgotten passwords. Raises
    ValidationError if the text is no mail address, or if another account has it.
    """
    validate_email(address)
    if EmailAddress.objects.filter(email__iexact=address).exclude(user=person).exists():
        raise ValidationError(gettext("another account has the mail address %(address)r") % {"address": address})
    stored, _ = EmailAddress.objects.update_or_create(user=person, email=address.lower(), defaults={"verified": True})
    stored.set_as_primary()
