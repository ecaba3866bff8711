"""Whom staff has banned: who is cannot sign in, whether by a session, a token or a new password."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from people import sessions
from people.models import Ban


class CannotBan(Exception):
    """Raised for a ban, or the end of one, that cannot be; the message says why."""


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
    """Let somebody in again; raises CannotBan for who is not banned."""
    if not Ban.objects.filter(person=person).delete()[0]:
        raise CannotBan(gettext("%(person)s is not banned") % {"person": person.get_username()})
    User.objects.filter(pk=person.pk).update(is_active=True)


def why_banned(person: User) -> str:
    """Return why somebody is banned; empty where they are not."""
    if person.is_active:
        return ""
    return Ban.objects.filter(person=person).values_list("why", flat=True).first() or ""
