"""Audit trail of staff actions, such as bans."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Q, Value
from django.db.models.functions import Left, Replace
from django.utils.translation import gettext

from foundation.ratelimits.limits import CLIENT_ADDRESS
from people.models import StaffAct

MAX_REASON_CHARACTERS = 200
MAX_OBJECT_CHARACTERS = 200


class InvalidStaffActionError(Exception):
    """Raised if the actor is not staff, or the reason is empty or too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActingStaffMember:
    """Actor and reason of a staff action, as the audit trail records them."""

    by: User | None
    """The user's account; None for a command in the arena's shell."""
    name: str
    why: str = ""


def require_staff(person: User, why: str) -> ActingStaffMember:
    """Return the actor and reason of a staff action, to record in the audit trail.

    Raises InvalidStaffActionError if the person is not staff, or the reason is empty or too long.
    """
    if not (person.is_active and person.is_staff):
        raise InvalidStaffActionError(gettext("only staff does that"))
    return ActingStaffMember(by=person, name=person.get_username(), why=check_reason(why))


def make_shell_actor(name: str, why: str = "") -> ActingStaffMember:
    """Return the actor to record in the audit trail for a command in the server's shell."""
    return ActingStaffMember(by=None, name=name[:150], why=why)


def check_reason(why: str) -> str:
    """Return a reason as one line. Raises InvalidStaffActionError if it is empty or too long."""
    line = " ".join(why.split())
    if not 0 < len(line) <= MAX_REASON_CHARACTERS:
        raise InvalidStaffActionError(gettext("say why, in 1 to %(most)s characters") % {"most": MAX_REASON_CHARACTERS})
    return line


def record_staff_act(staff: ActingStaffMember, what: str, on: str, person: User | None = None) -> None:
    """Store a staff action in the audit trail: a verb such as ``ban``, and its object such as ``bot ada``."""
    # To be called in the transaction of the action.
    StaffAct.objects.create(
        by=staff.by,
        name=staff.name,
        what=what[:40],
        on=on[:MAX_OBJECT_CHARACTERS],
        person=person,
        why=staff.why,
        address=CLIENT_ADDRESS.get()[:60],
    )


def anonymise_acts(person: User, replacement: str) -> None:
    """Replace the name of an erased person in the audit trail."""
    # Records of the person's own acts as staff keep the name, to say who acted, but lose the network address.
    name = person.get_username()
    named = Q(person=person) | Q(on__contains=f"person={name}") | Q(on__contains=f"author={name}")
    whole_name = re.compile(rf"(?<![\w@.+-]){re.escape(name)}(?![\w@+-]|\.\w)")
    labelled_name = re.compile(rf"(?:author |(?<=person=)|(?<=author=)){re.escape(name)}(?![\w@+-]|\.\w)")
    for act in StaffAct.objects.filter(named):
        act.on = labelled_name.sub(replacement, act.on)[:MAX_OBJECT_CHARACTERS]
        act.why = whole_name.sub(replacement, act.why)[:MAX_REASON_CHARACTERS]
        act.save(update_fields=("on", "why"))
    StaffAct.objects.filter(by=person).update(address="")


def rename_bot_in_acts(person: User, slug: str, new_slug: str) -> None:
    """Replace a bot's old name by its new one in the audit records about `person`, the bot's owner."""
    StaffAct.objects.filter(person=person).update(
        on=Left(Replace("on", Value(slug), Value(new_slug)), MAX_OBJECT_CHARACTERS),
        why=Left(Replace("why", Value(slug), Value(new_slug)), MAX_REASON_CHARACTERS),
    )
