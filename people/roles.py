"""Who may do what, as Django's groups, so that whatever checks a permission can ask for one by its name.

Everybody with an account is an author; staff is Django's own flag. What is left is one group.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Group, User
from django.utils.translation import gettext

ORGANISERS = "organisers"
"""The group of those who may open leagues and invite others."""


def is_organiser(user: Any) -> bool:
    """Tell whether somebody, who may be a visitor, is an organiser."""
    return bool(user.is_authenticated) and user.groups.filter(name=ORGANISERS).exists()


def make_organiser(user: User) -> None:
    """Put somebody among the organisers."""
    group, _ = Group.objects.get_or_create(name=ORGANISERS)
    user.groups.add(group)


def make_staff(user: User) -> None:
    """Make somebody staff: who bans, sets quotas and sees `/staff/`."""
    User.objects.filter(pk=user.pk).update(is_staff=True)


class HasNoRole(Exception):
    """Raised where there is no role to take away; the message says whose."""


def dismiss_organiser(user: User) -> None:
    """Take somebody from among the organisers; raises HasNoRole for who is none. Leagues they opened stay theirs."""
    if not is_organiser(user):
        raise HasNoRole(gettext("%(user)s is no organiser") % {"user": user.get_username()})
    user.groups.remove(Group.objects.get(name=ORGANISERS))


def dismiss_staff(user: User) -> None:
    """Take somebody from among the staff; raises HasNoRole for who is not."""
    if not User.objects.filter(pk=user.pk, is_staff=True).update(is_staff=False, is_superuser=False):
        raise HasNoRole(gettext("%(user)s is not staff") % {"user": user.get_username()})


def has_organiser() -> bool:
    """Tell whether there is an organiser who can sign in."""
    return User.objects.filter(groups__name=ORGANISERS, is_active=True).exists()
