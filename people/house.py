"""The account that owns the built-in bots; nobody can sign up as it or sign in to it."""

from __future__ import annotations

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User

HOUSE = "house"
"""Its name, which `ACCOUNT_USERNAME_BLACKLIST` reserves."""


def house() -> User:
    """Return the account, and create it when it is first needed."""
    return User.objects.get_or_create(username=HOUSE, defaults={"password": make_password(None)})[0]
