"""What a program shows instead of its person: a token with a name, scopes and an end. Signing in takes one, too."""

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
"""The word under which a session keeps the beginning of the token that it began with."""
REVOKED = "its token was revoked before its trial was over"
MOST = 20
"""An author has no more tokens than this at a time that have not expired."""
START = 15
"""So many letters of a token are kept to know it by."""
DAYS, MOST_DAYS = 90, 366
"""After how many days a token expires unless something else is said, and at most; a shell may leave the end out."""
LONGEST_NAME = 60
FORGOTTEN = timedelta(days=30)
"""Tokens that expired longer ago are not even listed."""
USE = timedelta(minutes=1)
"""The last use of a token is written no more often."""


class TooMany(Exception):
    """Raised for one token more than an author may have."""


class NoToken(Exception):
    """Raised for what is nobody's token, or is one no longer; the message says which, and never the token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRow:
    """A token as its owner sees it again: only its beginning is known."""

    start: str
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    used_at: datetime | None
    expired: bool


def digest_of(secret: str) -> str:
    """Return the hash by which a secret is kept and found again."""
    return sha512(secret.encode(errors="surrogateescape")).hexdigest()


def account_of(token: str) -> str:
    """Return whose token it would be by its beginning, as a word; empty where nobody has one that begins so."""
    known = Token.objects.filter(start=token[:START].replace("\0", "")).first()
    return f"#{known.owner_id}" if known else ""


def bearer_of(token: str) -> Token:
    """Return the token that this is, with its owner, and note that it was shown; raises NoToken."""
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
    """Return those of these tokens, by their keys, that are still good: not revoked, not expired, the owner active."""
    good = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    rows = Token.objects.filter(good, pk__in=numbers, owner__is_active=True)
    return set(rows.values_list("pk", flat=True))


def new_token(owner: User, name: str = "token", scopes: Collection[str] = AUTHORS, days: int | None = DAYS) -> str:
    """Return a new token, which cannot be shown a second time; raises TooMany.

    It expires after so many days; None is for one that does not.
    """
    now = timezone.now()
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)  # of two at once the second counts the first
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
    """Raise TooMany where an author has as many tokens as there may be."""
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
    """Forget a token by its beginning, and end what it began; False when the author has none such.

    Sessions that began with it end, with their sockets; trials of what came by it, and what waits for one, are refused.
    """
    with transaction.atomic():
        forgotten: int = Token.objects.filter(owner=owner, start=start).delete()[0]
        if forgotten:
            end_begun_with(owner, start)
            waiting = BotVersion.objects.filter(bot__owner=owner, token=start, status=BotVersion.Status.TRIAL)
            waiting.update(status=BotVersion.Status.REFUSED, reason=REVOKED)
    return forgotten > 0
