"""Whose the bots of the house are: an account that nobody can sign up as, or sign in to."""

from __future__ import annotations

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User

HOUSE = "house"
"""Its name, which `ACCOUNT_USERNAME_BLACKLIST` keeps from everybody else."""


def house() -> User:
    """Return the account of the house, made when it is first needed."""
    return User.objects.get_or_create(username=HOUSE, defaults={"password": make_password(None)})[0]
