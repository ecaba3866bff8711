"""Roles as Django groups, so that permission checks can ask for one by its name.

Everybody with an account is an author, and staff is Django's own flag. The only group is that of the organisers.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Group, User
from django.utils.translation import gettext

ORGANISERS = "organisers"
"""The group of people who may open leagues and invite others."""


def is_organiser(user: Any) -> bool:
    """Return True if a user is an organiser; visitors are not."""
    return bool(user.is_authenticated) and user.groups.filter(name=ORGANISERS).exists()


def make_organiser(user: User) -> None:
    """Add a user to the organisers."""
    group, _ = Group.objects.get_or_create(name=ORGANISERS)
    user.groups.add(group)


def make_staff(user: User) -> None:
    """Make a user staff, who bans, sets quotas and sees `/staff/`."""
    User.objects.filter(pk=user.pk).update(is_staff=True)


class HasNoRole(Exception):
    """Raised if there is no role to take away; the message names the user."""


def dismiss_organiser(user: User) -> None:
    """Remove a user from the organisers; raises HasNoRole if they are none. Leagues they opened stay theirs."""
    if not is_organiser(user):
        raise HasNoRole(gettext("%(user)s is no organiser") % {"user": user.get_username()})
    user.groups.remove(Group.objects.get(name=ORGANISERS))


def dismiss_staff(user: User) -> None:
    """Remove a user from the staff; raises HasNoRole if they are not staff."""
    if not User.objects.filter(pk=user.pk, is_staff=True).update(is_staff=False, is_superuser=False):
        raise HasNoRole(gettext("%(user)s is not staff") % {"user": user.get_username()})


def has_organiser() -> bool:
    """Return True if there is an organiser who can sign in."""
    return User.objects.filter(groups__name=ORGANISERS, is_active=True).exists()
