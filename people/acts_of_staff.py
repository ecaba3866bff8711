"""What staff does is kept: who, what, on what, why, when, and from which address; with the act, or not at all."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils.translation import gettext

from foundation.throttles import ASKED_FROM
from people.models import StaffAct

LONGEST_REASON = 200


class NotStaff(Exception):
    """Raised for whoever is not staff, and for an act without a reason; the message says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Staff:
    """Who acts, and why."""

    by: User | None
    """None for whoever has the arena's shell."""
    name: str
    why: str = ""


def staff_of(person: User, why: str) -> Staff:
    """Return somebody as staff; raises NotStaff for whoever is not, or gives no reason or too long a one."""
    if not (person.is_active and person.is_staff):
        raise NotStaff(gettext("only staff does that"))
    return Staff(by=person, name=person.get_username(), why=checked(why))


def at_the_shell(name: str, why: str = "") -> Staff:
    """Return whoever has the arena's shell, which is more than staff has."""
    return Staff(by=None, name=name[:150], why=why)


def checked(why: str) -> str:
    """Return a reason in one line; raises NotStaff where there is none, or too long a one."""
    line = " ".join(why.split())
    if not 0 < len(line) <= LONGEST_REASON:
        raise NotStaff(gettext("say why, in 1 to %(most)s characters") % {"most": LONGEST_REASON})
    return line


def note(staff: Staff, what: str, on: str, person: User | None = None) -> None:
    """Keep an act, which concerns a person or nobody; call it in the act's own transaction."""
    StaffAct.objects.create(
        by=staff.by,
        name=staff.name,
        what=what[:40],
        on=on[:200],
        person=person,
        why=staff.why,
        address=ASKED_FROM.get()[:60],
    )
