"""API tokens, which programs use instead of a password: each has a name, scopes and an expiry. They also sign in."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha512

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from bots.models import BotVersion, Token
from ftk_core.kit.tokens import AUTHORS, CHANCE, LETTERS, is_token, with_checksum
from people import bans
from people.sessions import end_begun_with

BEGUN_BY = "begun_by"
"""Session key for the first characters of the token that the session was started with."""
REVOKED = "its token was revoked before its trial was over"
MOST = 20
"""Maximum number of an author's unexpired tokens."""
START = 15
"""Number of stored first characters of a token."""
DAYS, MOST_DAYS = 90, 366
"""Default and maximum lifetime in days; `manage.py token` can create tokens without expiry."""
LONGEST_NAME = 60
FORGOTTEN = timedelta(days=30)
"""Tokens that expired longer ago are deleted."""
USE = timedelta(minutes=1)
"""Resolution of the stored time of last use."""


class TooMany(Exception):
    """Raised if an author has the maximum number of tokens."""


class NoToken(Exception):
    """Raised for an unknown, revoked or expired token; the message says which, and never contains the token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRow:
    """A token in its owner's list, without its secret."""

    start: str
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    used_at: datetime | None
    expired: bool


def digest_of(secret: str) -> str:
    """Return the hash under which a secret is stored."""
    return sha512(secret.encode(errors="surrogateescape")).hexdigest()


def account_of(token: str) -> str:
    """Return a word for the owner of tokens with these first characters, for rate limits; empty if there is none."""
    known = Token.objects.filter(start=token[:START].replace("\0", "")).first()
    return f"#{known.owner_id}" if known else ""


def bearer_of(token: str) -> Token:
    """Return the stored token with its owner, and store the time of use; raises NoToken."""
    if not is_token(token):
        raise NoToken(gettext("This is no token: a letter of it is missing or wrong; copy it once more."))
    known = Token.objects.select_related("owner").filter(digest=digest_of(token)).first()
    if known is not None and (why := bans.why_banned(known.owner)):
        raise NoToken(gettext("This account is banned: %(why)s; ask the organisers.") % {"why": why})
    if known is None or not known.owner.is_active:
        raise NoToken(gettext("Nobody has this token; it may have been revoked."))
    now = timezone.now()
    if known.expires_at is not None and known.expires_at <= now:
        raise NoToken(
            gettext("This token expired on %(expires_at)s; make a new one.")
            % {"expires_at": f"{known.expires_at:%Y-%m-%d}"}
        )
    if known.used_at is None or known.used_at <= now - USE:
        unwritten = Q(used_at=None) | Q(used_at__lte=now - USE)
        Token.objects.filter(unwritten, pk=known.pk).update(used_at=now)
    return known


def alive_tokens(numbers: Collection[int]) -> set[int]:
    """Return those of these tokens that are valid: not revoked, not expired, the owner active."""
    good = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    rows = Token.objects.filter(good, pk__in=numbers, owner__is_active=True)
    return set(rows.values_list("pk", flat=True))


def new_token(owner: User, name: str = "token", scopes: Collection[str] = AUTHORS, days: int | None = DAYS) -> str:
    """Create a token and return it, which is the only time it can be shown; raises TooMany.

    It expires after `days`; None means never.
    """
    now = timezone.now()
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)  # lock, so that the limit holds for concurrent requests
        Token.objects.filter(owner=owner, expires_at__lt=now - FORGOTTEN).delete()
        check_room(owner)
        token = with_checksum("".join(secrets.choice(LETTERS) for _ in range(CHANCE)))
        Token.objects.create(
            owner=owner,
            name=name,
            scopes=list(scopes),
            start=token[:START],
            digest=digest_of(token),
            created_at=now,
            expires_at=None if days is None else now + timedelta(days=days),
        )
    return token


def check_room(owner: User) -> None:
    """Raise TooMany if an author has the maximum number of tokens."""
    alive = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    if Token.objects.filter(alive, owner=owner).count() >= MOST:
        raise TooMany(gettext("you have %(most)s tokens; revoke one first") % {"most": MOST})


def tokens_of(owner: User) -> list[TokenRow]:
    """Return an author's tokens, the newest first."""
    now = timezone.now()
    return [
        TokenRow(
            start=row.start,
            name=row.name,
            scopes=tuple(row.scopes),
            created_at=row.created_at,
            expires_at=row.expires_at,
            used_at=row.used_at,
            expired=row.expires_at is not None and row.expires_at <= now,
        )
        for row in Token.objects.filter(owner=owner).order_by("-created_at", "-pk")
    ]


def revoke(owner: User, start: str) -> bool:
    """Revoke a token by its first characters, and end everything created with it; return False if it does not exist.

    Sessions that were started with it end, with their sockets. Pending trials of its uploads are refused.
    """
    with transaction.atomic():
        forgotten: int = Token.objects.filter(owner=owner, start=start).delete()[0]
        if forgotten:
            end_begun_with(owner, start)
            waiting = BotVersion.objects.filter(bot__owner=owner, token=start, status=BotVersion.Status.TRIAL)
            waiting.update(status=BotVersion.Status.REFUSED, reason=REVOKED)
    return forgotten > 0
