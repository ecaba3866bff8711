"""Bans of people by staff. A banned person cannot sign in."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from people import login_sessions
from people.models import Ban
from people.person_roles import delete_unused_invitations


class BanChangeRefusedError(Exception):
    """Raised if a person cannot be banned, or a ban cannot be lifted."""


@transaction.atomic
def ban_person(person: User, why: str) -> None:
    """Ban an author, end all their sessions and WebSocket connections, and delete their unused invitations.

    Raises BanChangeRefusedError if the person is banned, inactive or staff.
    """
    delete_unused_invitations(person)  # first, as it takes the lock that creating an invitation takes first
    person = User.objects.select_for_update().get(pk=person.pk)
    if hasattr(person, "ban"):
        raise BanChangeRefusedError(
            gettext("%(person)s is banned already: %(why)s") % {"person": person.get_username(), "why": person.ban.why}
        )
    if person.is_staff:
        raise BanChangeRefusedError(
            gettext("%(person)s is staff; take that away first") % {"person": person.get_username()}
        )
    if not person.is_active:
        raise BanChangeRefusedError(gettext("%(person)s cannot sign in anyway") % {"person": person.get_username()})
    Ban.objects.create(person=person, why=why)
    User.objects.filter(pk=person.pk).update(is_active=False)
    login_sessions.end_all_sessions(person)


@transaction.atomic
def lift_ban(person: User) -> None:
    """Lift the ban of a person; raises BanChangeRefusedError if the person is not banned."""
    if not Ban.objects.filter(person=person).delete()[0]:
        raise BanChangeRefusedError(gettext("%(person)s is not banned") % {"person": person.get_username()})
    User.objects.filter(pk=person.pk).update(is_active=True)


def find_ban_reason(person: User) -> str:
    """Return the reason of a person's ban, or an empty string."""
    if person.is_active:
        return ""
    return Ban.objects.filter(person=person).values_list("why", flat=True).first() or ""
