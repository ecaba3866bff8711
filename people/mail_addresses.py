"""Confirmed mail addresses of people."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User


def find_mail_address(person: User) -> str:
    """Return a confirmed mail address of a person, the primary address if possible; empty if none is confirmed."""
    rows = EmailAddress.objects.filter(user=person, verified=True).order_by("-primary", "pk")
    return str(rows.values_list("email", flat=True).first() or "")
