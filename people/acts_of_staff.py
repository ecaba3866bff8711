"""Audit trail of staff: each act is stored with actor, object, reason, time and address, in the act's transaction."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils.translation import gettext

from foundation.throttles import ASKED_FROM
from people.models import StaffAct

LONGEST_REASON = 200


class NotStaff(Exception):
    """Raised for a person who is not staff, and for an act without a valid reason; the message says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Staff:
    """The actor and the reason of an act."""

    by: User | None
    """None for a person with access to the arena's shell."""
    name: str
    why: str = ""


def staff_of(person: User, why: str) -> Staff:
    """Return a person as staff; raises NotStaff for anybody else, and for a missing or too long reason."""
    if not (person.is_active and person.is_staff):
        raise NotStaff(gettext("only staff does that"))
    return Staff(by=person, name=person.get_username(), why=checked(why))


def at_the_shell(name: str, why: str = "") -> Staff:
    """Return the user of the arena's shell, who has more rights than staff."""
    return Staff(by=None, name=name[:150], why=why)


def checked(why: str) -> str:
    """Return a reason as one line; raises NotStaff if it is missing or too long."""
    line = " ".join(why.split())
    if not 0 < len(line) <= LONGEST_REASON:
        raise NotStaff(gettext("say why, in 1 to %(most)s characters") % {"most": LONGEST_REASON})
    return line


def note(staff: Staff, what: str, on: str, person: User | None = None) -> None:
    """Store an act, and the person it concerns if any; call it in the act's own transaction."""
    StaffAct.objects.create(
        by=staff.by,
        name=staff.name,
        what=what[:40],
        on=on[:200],
        person=person,
        why=staff.why,
        address=ASKED_FROM.get()[:60],
    )
