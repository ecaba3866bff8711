"""Mail addresses of people."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User


def mail_address_of(person: User) -> str:
    """Return a person's confirmed address, preferably the primary one; empty if there is none."""
    rows = EmailAddress.objects.filter(user=person, verified=True).order_by("-primary", "pk")
    return str(rows.values_list("email", flat=True).first() or "")
