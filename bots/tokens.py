"""What an author shows instead of a password: a token, for the API and to sign in with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from knox.auth import TokenAuthentication
from knox.models import AuthToken
from rest_framework.exceptions import AuthenticationFailed

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


def user_of(token: str) -> User | None:
    """Return whose token it is; None for one that nobody has (or has any more)."""
    try:
        user, _ = ByToken().authenticate_credentials(token.encode())
    except AuthenticationFailed:
        return None
    assert isinstance(user, User)
    return user


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
    """Forget a token by its beginning; False when the author has none such."""
    forgotten: int = AuthToken.objects.filter(user=owner, token_key=start).delete()[0]
    return forgotten > 0
