"""Bans of people by staff: a banned person cannot sign in, neither by a session, a token nor a new password."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from people import sessions
from people.models import Ban


class CannotBan(Exception):
    """Raised if a ban, or its end, is impossible; the message gives the reason."""


@transaction.atomic
def ban(person: User, why: str) -> None:
    """Ban an author and end all their sessions, with their sockets; raises CannotBan."""
    person = User.objects.select_for_update().get(pk=person.pk)
    if hasattr(person, "ban"):
        raise CannotBan(
            gettext("%(person)s is banned already: %(why)s") % {"person": person.get_username(), "why": person.ban.why}
        )
    if person.is_staff:
        raise CannotBan(gettext("%(person)s is staff; take that away first") % {"person": person.get_username()})
    if not person.is_active:
        raise CannotBan(gettext("%(person)s cannot sign in anyway") % {"person": person.get_username()})
    Ban.objects.create(person=person, why=why)
    User.objects.filter(pk=person.pk).update(is_active=False)
    sessions.end_all(person)


@transaction.atomic
def lift(person: User) -> None:
    """End a ban; raises CannotBan if the person is not banned."""
    if not Ban.objects.filter(person=person).delete()[0]:
        raise CannotBan(gettext("%(person)s is not banned") % {"person": person.get_username()})
    User.objects.filter(pk=person.pk).update(is_active=True)


def why_banned(person: User) -> str:
    """Return the reason of a person's ban; empty if they are not banned."""
    if person.is_active:
        return ""
    return Ban.objects.filter(person=person).values_list("why", flat=True).first() or ""
