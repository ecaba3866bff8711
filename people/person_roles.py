"""Roles of people: author, organiser and staff. Everybody with an account is an author."""
# Organisers are the members of Django's group `organisers`. Staff have Django's flag `is_staff`.

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Group, User
from django.db import transaction
from django.utils.translation import gettext

from foundation.advisory_locks import INVITATIONS_LOCK, lock_until_commit

ORGANISERS = "organisers"
"""Name of the group of people who may open leagues and invite others."""


def is_organiser(user: Any) -> bool:
    """Return True if a user is an organiser; False for visitors who are not signed in."""
    return bool(user.is_authenticated) and user.groups.filter(name=ORGANISERS).exists()


def make_organiser(user: User) -> None:
    """Give a user the organiser role."""
    group, _ = Group.objects.get_or_create(name=ORGANISERS)
    user.groups.add(group)


def make_staff(user: User) -> None:
    """Make a user a member of staff, who may ban authors, set quotas and see `/staff/`."""
    User.objects.filter(pk=user.pk).update(is_staff=True)


class RoleMissing(Exception):
    """Raised if a role is taken from a user who does not have it."""


@transaction.atomic
def dismiss_organiser(user: User) -> None:
    """Remove the organiser role from a user, and delete the user's unused invitations; raises RoleMissing.

    The user keeps their own leagues.
    """
    if not is_organiser(user):
        raise RoleMissing(gettext("%(user)s is no organiser") % {"user": user.get_username()})
    user.groups.remove(Group.objects.get(name=ORGANISERS))
    delete_unused_invitations(user)


def delete_unused_invitations(user: User) -> None:
    """Delete a user's unused invitations. Call this in a transaction."""
    lock_until_commit(INVITATIONS_LOCK)  # so that no invitation is created at the same time
    user.invitations.filter(used_at=None).delete()


def dismiss_staff(user: User) -> None:
    """Remove the staff and superuser flags from a user; raises RoleMissing if the user is not staff."""
    if not User.objects.filter(pk=user.pk, is_staff=True).update(is_staff=False, is_superuser=False):
        raise RoleMissing(gettext("%(user)s is not staff") % {"user": user.get_username()})


def has_organiser() -> bool:
    """Return True if at least one organiser has an active account."""
    return User.objects.filter(groups__name=ORGANISERS, is_active=True).exists()
