"""Fixtures of the tests of people."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@pytest.fixture
def organiser() -> User:
    """Create the organiser olga."""
    from django.contrib.auth.models import User

    from people.person_roles import make_organiser

    user = User.objects.create_user("olga", "olga@example.com")
    make_organiser(user)
    return user
