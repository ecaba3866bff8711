"""The account that owns the built-in bots; nobody can sign up or sign in with it."""

from __future__ import annotations

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User

BUILT_IN_OWNER_NAME = "house"
"""Name of the account; `ACCOUNT_USERNAME_BLACKLIST` keeps people from signing up with it."""


def get_built_in_owner() -> User:
    """Return the account that owns the built-in bots; create it at the first call."""
    return User.objects.get_or_create(username=BUILT_IN_OWNER_NAME, defaults={"password": make_password(None)})[0]
