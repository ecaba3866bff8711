"""Invitations: single-use links with which a person signs up as an author or organiser."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, gettext as _

from foundation.advisory_locks import INVITATIONS_LOCK, lock_until_commit
from people.models import Invitation
from people.person_roles import is_organiser, make_organiser

Role = Invitation.Role
TOKEN_BYTES = 32
MAX_TOKEN_CHARACTERS = 100
MAX_OPEN_INVITATIONS = 200
"""Maximum number of invitations that are neither used nor expired."""
MAX_DAYS = 90


class InvitationError(Exception):
    """Raised for an invalid invitation link; the message gives the reason and the remedy."""


class InvitationForbiddenError(Exception):
    """Raised if a person who wants to invite is not an organiser with an active account."""


class InvitationQuotaExceeded(Exception):
    """Raised if the maximum number of open (unused and unexpired) invitations exists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationListEntry:
    """Row of the organisers' list of invitations."""

    # It has no link, because an invitation's link is shown only once.

    id: int
    role: str
    note: str
    made_by: str
    made_at: datetime
    expires_at: datetime | None
    used_by: str
    """Name of the person who signed up with the invitation; empty if it is unused or the account was erased."""
    state: str
    """``open``, ``used`` or ``expired``."""


def compute_digest(token: str) -> str:
    """Return the SHA-256 of an invitation token in hexadecimal; the token itself is not stored."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


@transaction.atomic
def invite(by: User, role: str, days: int, note: str = "") -> str:
    """Create an invitation that is valid for the given number of days, and return its token.

    Raises InvitationQuotaExceeded, or InvitationForbiddenError unless `by` is an organiser with an active account.
    """
    # The lock makes the limit hold for concurrent requests, and a ban or dismissal find all invitations.
    lock_until_commit(INVITATIONS_LOCK)
    if not (User.objects.filter(pk=by.pk, is_active=True).exists() and is_organiser(by)):
        raise InvitationForbiddenError(gettext("only organisers invite"))
    if Invitation.objects.filter(_is_usable()).count() >= MAX_OPEN_INVITATIONS:
        raise InvitationQuotaExceeded(
            gettext("there are %(most)s invitations that nobody has used; take some of them back first")
            % {"most": MAX_OPEN_INVITATIONS}
        )
    token = secrets.token_urlsafe(TOKEN_BYTES)
    expires = timezone.now() + timedelta(days=days)
    Invitation.objects.create(digest=compute_digest(token), role=role, note=note, made_by=by, expires_at=expires)
    return token


@transaction.atomic
def invite_first() -> str:
    """Create an invitation for the first organiser and return its token."""
    # Earlier unused invitations of this kind are deleted.
    Invitation.objects.filter(made_by=None, used_at=None).delete()
    token = secrets.token_urlsafe(TOKEN_BYTES)
    Invitation.objects.create(digest=compute_digest(token), role=Role.ORGANISER)
    return token


def list_invitations() -> list[InvitationListEntry]:
    """Return the latest invitations made by organisers, newest first, used and expired ones included."""
    invitations = (
        Invitation.objects.exclude(made_by=None).select_related("made_by", "used_by").order_by("-made_at", "-pk")
    )
    return [_make_row(invitation) for invitation in invitations[: 2 * MAX_OPEN_INVITATIONS]]


def _make_row(invitation: Invitation) -> InvitationListEntry:
    return InvitationListEntry(
        id=invitation.pk,
        role=invitation.role,
        note=invitation.note,
        made_by=invitation.made_by.get_username() if invitation.made_by else "",
        made_at=invitation.made_at,
        expires_at=invitation.expires_at,
        used_by=invitation.used_by.get_username() if invitation.used_by else "",
        state=_find_state(invitation),
    )


def _find_state(invitation: Invitation) -> str:
    if invitation.used_at:
        return "used"
    return "expired" if invitation.expires_at and invitation.expires_at <= timezone.now() else "open"


def revoke(number: int) -> bool:
    """Delete an unused invitation made by an organiser. Return False if it does not exist."""
    return Invitation.objects.filter(pk=number, used_at=None).exclude(made_by=None).delete()[0] > 0


def find_by_token(token: str) -> Invitation:
    """Return the usable invitation with this token; raises InvitationError."""
    invitation = Invitation.objects.filter(digest=compute_digest(token[:MAX_TOKEN_CHARACTERS])).first()
    if invitation is None:
        raise InvitationError(_("This invitation is unknown, or was taken back; ask for a new one."))
    return check_usable(invitation)


def check_usable(invitation: Invitation) -> Invitation:
    """Return an invitation unchanged if it can still be used; raises InvitationError otherwise."""
    if (state := _find_state(invitation)) != "open":
        messages = {
            "used": _("This invitation was used already; ask for a new one."),
            "expired": _("This invitation has expired; ask for a new one."),
        }
        raise InvitationError(messages[state])
    return invitation


def read_by_id(number: object) -> Invitation | None:
    """Return the invitation with a primary key, or None. Raises InvitationError if it is used or expired."""
    invitation = Invitation.objects.filter(pk=number).first() if isinstance(number, int) else None
    return check_usable(invitation) if invitation else None


def mark_used(number: int) -> None:
    """Mark an invitation as used in one atomic update; raises InvitationError if it is used or expired."""
    if not Invitation.objects.filter(_is_usable(), pk=number).update(used_at=timezone.now()):
        raise InvitationError(_("This invitation was used already, or has expired; ask for a new one."))


def assign_person(number: int, user: User) -> None:
    """Store the person who signed up with an invitation, and give that person the invitation's role."""
    invitation = Invitation.objects.get(pk=number)
    invitation.used_by = user
    invitation.save(update_fields=["used_by"])
    if invitation.role == Role.ORGANISER:
        make_organiser(user)


def _is_usable() -> Q:
    return Q(used_at=None) & (Q(expires_at=None) | Q(expires_at__gt=timezone.now()))
