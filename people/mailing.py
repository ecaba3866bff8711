"""Where mail for a person goes."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User


def mail_address_of(person: User) -> str:
    """Return a person's address that was confirmed, the primary one before others; empty where none was."""
    rows = EmailAddress.objects.filter(user=person, verified=True).order_by("-primary", "pk")
    return str(rows.values_list("email", flat=True).first() or "")
