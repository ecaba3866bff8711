"""Confirmed mail addresses of people."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext


def find_mail_address(person: User) -> str:
    """Return a person's confirmed mail address, preferably the primary one, or an empty string."""
    rows = EmailAddress.objects.filter(user=person, verified=True).order_by("-primary", "pk")
    return str(rows.values_list("email", flat=True).first() or "")


def find_person_by_address(address: str) -> User | None:
    """Return the person with a confirmed mail address, or None."""
    row = EmailAddress.objects.filter(email__iexact=address, verified=True).select_related("user").first()
    person: User | None = row.user if row else None
    return person


def confirm_mail_address(person: User, address: str) -> None:
    """Set a person's primary mail address, and mark it as confirmed.

    Raises ValidationError if the address is invalid or belongs to another account.
    """
    # The operator vouches for the address. A person who signs in only with tokens can then set a password with "forgot
    # password".
    validate_email(address)
    if EmailAddress.objects.filter(email__iexact=address).exclude(user=person).exists():
        raise ValidationError(gettext("another account has the mail address %(address)r") % {"address": address})
    stored, _ = EmailAddress.objects.update_or_create(user=person, email=address.lower(), defaults={"verified": True})
    stored.set_as_primary()
