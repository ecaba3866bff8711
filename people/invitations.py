"""Invitations: single-use links to sign up with a role, until they expire or are revoked."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from people.models import Invitation
from people.roles import make_organiser

Role = Invitation.Role
TOKEN_BYTES = 32
LONGEST_TOKEN = 100
MOST_OPEN = 200
"""Maximum number of usable invitations."""
LONGEST_DAYS = 90


class NotInvited(Exception):
    """Raised for a link that is not valid; the message gives the reason and the remedy."""


class TooMany(Exception):
    """Raised if the maximum number of invitations exists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationRow:
    """An invitation as shown to organisers; its link is shown only once, when it is created."""

    id: int
    role: str
    note: str
    made_by: str
    made_at: datetime
    expires_at: datetime | None
    used_by: str
    """Name of the person who signed up with it; empty if it is unused."""
    state: str
    """``open``, ``used`` or ``expired``."""


def digest_of(token: str) -> str:
    """Return the hash under which a token is stored."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def invite(by: User, role: str, days: int, note: str = "") -> str:
    """Create an invitation with a lifetime in days and return its token; raises TooMany."""
    if Invitation.objects.filter(_usable()).count() >= MOST_OPEN:
        raise TooMany(
            gettext("there are %(most)s invitations that nobody has used; take some of them back first")
            % {"most": MOST_OPEN}
        )
    token = secrets.token_urlsafe(TOKEN_BYTES)
    expires = timezone.now() + timedelta(days=days)
    Invitation.objects.create(digest=digest_of(token), role=role, note=note, made_by=by, expires_at=expires)
    return token


@transaction.atomic
def invite_first() -> str:
    """Create the invitation of the first organiser and return its token; this revokes any earlier one."""
    Invitation.objects.filter(made_by=None, used_at=None).delete()
    token = secrets.token_urlsafe(TOKEN_BYTES)
    Invitation.objects.create(digest=digest_of(token), role=Role.ORGANISER)
    return token


def list_invitations() -> list[InvitationRow]:
    """Return the latest invitations by organisers, the newest first."""
    rows = Invitation.objects.exclude(made_by=None).select_related("made_by", "used_by").order_by("-made_at", "-pk")
    return [_row(row) for row in rows[: 2 * MOST_OPEN]]


def _row(row: Invitation) -> InvitationRow:
    return InvitationRow(
        id=row.pk,
        role=row.role,
        note=row.note,
        made_by=row.made_by.get_username() if row.made_by else "",
        made_at=row.made_at,
        expires_at=row.expires_at,
        used_by=row.used_by.get_username() if row.used_by else "",
        state=_state(row),
    )


def _state(row: Invitation) -> str:
    if row.used_at:
        return "used"
    return "expired" if row.expires_at and row.expires_at <= timezone.now() else "open"


def revoke(number: int) -> bool:
    """Revoke an unused invitation; return False if it does not exist."""
    return Invitation.objects.filter(pk=number, used_at=None).exclude(made_by=None).delete()[0] > 0


def find(token: str) -> Invitation:
    """Return the invitation of a link; raises NotInvited."""
    row = Invitation.objects.filter(digest=digest_of(token[:LONGEST_TOKEN])).first()
    if row is None:
        raise NotInvited(_("This invitation is unknown, or was taken back; ask for a new one."))
    return check(row)


def check(row: Invitation) -> Invitation:
    """Return an invitation if it can still be used; raises NotInvited."""
    if (state := _state(row)) != "open":
        said = {
            "used": _("This invitation was used already; ask for a new one."),
            "expired": _("This invitation has expired; ask for a new one."),
        }
        raise NotInvited(said[state])
    return row


def read(number: object) -> Invitation | None:
    """Return the invitation with the id stored in a session, or None; raises NotInvited if it is no longer valid."""
    row = Invitation.objects.filter(pk=number).first() if isinstance(number, int) else None
    return check(row) if row else None


def take(number: int) -> None:
    """Mark an invitation as used, atomically; raises NotInvited."""
    if not Invitation.objects.filter(_usable(), pk=number).update(used_at=timezone.now()):
        raise NotInvited(_("This invitation was used already, or has expired; ask for a new one."))


def came_by(number: int, user: User) -> None:
    """Store the person who signed up with an invitation, and give them its role."""
    row = Invitation.objects.get(pk=number)
    row.used_by = user
    row.save(update_fields=["used_by"])
    if row.role == Role.ORGANISER:
        make_organiser(user)


def _usable() -> Q:
    return Q(used_at=None) & (Q(expires_at=None) | Q(expires_at__gt=timezone.now()))
