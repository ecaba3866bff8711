"""What an author shows instead of a password: a token, for the API and to sign in with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from knox.auth import TokenAuthentication
from knox.models import AuthToken
from knox.settings import CONSTANTS
from rest_framework.exceptions import AuthenticationFailed

from bots.models import BotVersion
from people.sessions import end_begun_with

BEGUN_BY = "begun_by"
"""The word under which a session keeps the beginning of the token that it began with."""
REVOKED = "its token was revoked before its trial was over"
MOST = 20
"""An author has no more tokens than this at a time."""


class TooMany(Exception):
    """Raised for one token more than an author may have."""


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token as its owner sees it again: only its beginning is known."""

    start: str
    created_at: datetime


class ByToken(TokenAuthentication):  # type: ignore[misc]  # knox ships no types
    """Finds out who asks by a token in the header."""

    def authenticate_credentials(self, token: bytes) -> tuple[User, AuthToken]:
        """Return whose token it is; raises AuthenticationFailed, also for what no token can be."""
        if not token.isascii() or b"\0" in token:
            raise AuthenticationFailed("Invalid token.")
        user, known = super().authenticate_credentials(token)
        return user, known


def account_of(token: str) -> str:
    """Return whose token it would be by its beginning, as a word; empty where nobody has one that begins so."""
    known = AuthToken.objects.filter(token_key=token[: CONSTANTS.TOKEN_KEY_LENGTH].replace("\0", "")).first()
    return f"#{known.user_id}" if known else ""


def bearer_of(token: str) -> tuple[User, str] | None:
    """Return whose token it is and its beginning; None for one that nobody has (or has any more)."""
    try:
        user, known = ByToken().authenticate_credentials(token.encode())
    except AuthenticationFailed:
        return None
    return user, str(known.token_key)


def new_token(owner: User) -> str:
    """Return a new token, which cannot be shown a second time; raises TooMany."""
    if AuthToken.objects.filter(user=owner).count() >= MOST:
        raise TooMany(f"you have {MOST} tokens; revoke one first")
    _, token = AuthToken.objects.create(owner)
    return str(token)


def tokens_of(owner: User) -> list[TokenRow]:
    """Return an author's tokens, the newest first."""
    rows = AuthToken.objects.filter(user=owner).order_by("-created")
    return [TokenRow(row.token_key, row.created) for row in rows]


def revoke(owner: User, start: str) -> bool:
    """Forget a token by its beginning, and end what it began; False when the author has none such.

    Sessions that began with it end, with their sockets; trials of what came by it, and what waits for one, are refused.
    """
    with transaction.atomic():
        forgotten: int = AuthToken.objects.filter(user=owner, token_key=start).delete()[0]
        if forgotten:
            end_begun_with(owner, start)
            waiting = BotVersion.objects.filter(bot__owner=owner, token=start, status=BotVersion.Status.TRIAL)
            waiting.update(status=BotVersion.Status.REFUSED, reason=REVOKED)
    return forgotten > 0
