"""API tokens with scopes and an expiry date."""

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

from bots.bot_bans import ON_TRIAL
from bots.models import ApiToken, BotVersion
from ftk_core.kit.client.api_token_format import (
    DEFAULT_SCOPES,
    RANDOM_LETTERS,
    TOKEN_LETTERS,
    append_checksum,
    is_token,
)
from people import person_bans
from people.login_sessions import end_sessions_of_tokens

REVOKED_REASON = "its token was revoked before its trial was over"
MAX_TOKENS = 20
"""Maximum number of an author's unexpired tokens."""
PREFIX_LENGTH = 15
"""Number of characters at the start of a token that are stored unhashed, so that the owner recognises the token."""
LIFETIME_DAYS, MAX_LIFETIME_DAYS = 90, 366
"""Default and maximum lifetime in days; `manage.py token` can create tokens without expiry."""
MAX_NAME_LETTERS = 60
EXPIRED_RETENTION = timedelta(days=30)
"""Time for which an expired token is kept before it is deleted."""
USE_RESOLUTION = timedelta(minutes=1)
"""Minimum time between two database updates of `ApiToken.used_at`, the time of a token's last use."""


class TokenQuotaExceeded(Exception):
    """Raised if an author has the maximum number of tokens."""


class InvalidTokenError(Exception):
    """Raised if a token is not valid, or if its owner is banned or inactive."""

    # The message gives the reason and never contains the token.


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenSummary:
    """Token as listed for its owner, without the secret."""

    start: str
    """First characters of the token."""
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    used_at: datetime | None
    expired: bool


def hash_token(secret: str) -> str:
    """Return the SHA-512 hash of a token in hexadecimal."""
    # Also used for device codes. The database stores this hash instead of the secret.
    return sha512(secret.encode(errors="surrogateescape")).hexdigest()


def rate_limit_key_of(token: str) -> str:
    """Return the key by which rate limits count sign-in attempts with a token: the same key for all tokens of an owner.

    Return an empty string if no stored token has the same first `PREFIX_LENGTH` characters.
    """
    # Compares only the first characters, so that guesses of the other characters also count against the owner.
    stored = ApiToken.objects.filter(start=token[:PREFIX_LENGTH].replace("\0", "")).first()
    return f"#{stored.owner_id}" if stored else ""


def authenticate_token(token: str) -> ApiToken:
    """Return the stored token with this secret, and record its use. Raises InvalidTokenError if it is not valid."""
    if not is_token(token):
        raise InvalidTokenError(gettext("This is no token: a letter of it is missing or wrong; copy it once more."))
    stored = ApiToken.objects.select_related("owner").filter(digest=hash_token(token)).first()
    if stored is not None and (ban_reason := person_bans.find_ban_reason(stored.owner)):
        raise InvalidTokenError(gettext("This account is banned: %(why)s; ask the organisers.") % {"why": ban_reason})
    if stored is None or not stored.owner.is_active:
        raise InvalidTokenError(gettext("Nobody has this token; it may have been revoked."))
    now = timezone.now()
    if stored.expires_at is not None and stored.expires_at <= now:
        raise InvalidTokenError(
            gettext("This token expired on %(expires_at)s; make a new one.")
            % {"expires_at": f"{stored.expires_at:%Y-%m-%d}"}
        )
    if stored.used_at is None or stored.used_at <= now - USE_RESOLUTION:
        use_outdated = Q(used_at=None) | Q(used_at__lte=now - USE_RESOLUTION)
        ApiToken.objects.filter(use_outdated, pk=stored.pk).update(used_at=now)
    return stored


def find_token_owners(token_ids: Collection[int]) -> dict[int, int]:
    """Return the owner's user id for each valid token among the given token ids."""
    unexpired = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    valid = ApiToken.objects.filter(unexpired, pk__in=token_ids, owner__is_active=True)
    return dict(valid.values_list("pk", "owner_id"))


def create_token(
    owner: User,
    name: str = "token",
    scopes: Collection[str] = DEFAULT_SCOPES,
    days: int | None = LIFETIME_DAYS,
    *,
    parent: str = "",
) -> str:
    """Create a token and return its secret.

    `parent` holds the first characters of the token with which the owner signed in. The new token expires no later than
    that token. Raises TokenQuotaExceeded if the owner has too many tokens, and InvalidTokenError if the parent does not
    exist.
    """
    # With `days=None` the token never expires by itself.
    now = timezone.now()
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)  # lock, so that the limit holds for concurrent requests
        ApiToken.objects.filter(owner=owner, expires_at__lt=now - EXPIRED_RETENTION).delete()
        check_token_quota(owner)
        parent_token = find_sign_in_token(owner, parent)
        token = append_checksum("".join(secrets.choice(TOKEN_LETTERS) for _ in range(RANDOM_LETTERS)))
        ApiToken.objects.create(
            owner=owner,
            name=name,
            scopes=list(scopes),
            start=token[:PREFIX_LENGTH],
            digest=hash_token(token),
            created_at=now,
            expires_at=expiry_of(parent_token, now, days),
            parent=parent_token,
        )
    return token


def find_sign_in_token(owner: User, start: str) -> ApiToken | None:
    """Return the owner's token that begins with `start`, or None if `start` is empty.

    Raises InvalidTokenError if the token was revoked.
    """
    # `start` is from the session; it is empty if the owner signed in without a token. The result becomes the parent of
    # the tokens created in this session: they are revoked with it.
    if not start:
        return None
    parent = ApiToken.objects.filter(owner=owner, start=start).first()
    if parent is None:
        raise InvalidTokenError(gettext("The token with which you signed in was revoked; sign in again."))
    return parent


def expiry_of(parent: ApiToken | None, now: datetime, days: int | None = LIFETIME_DAYS) -> datetime | None:
    """Return the expiry time of a new token: `days` after `now`, but not later than the expiry of its parent.

    Return None if the token never expires.
    """
    # A token never outlives the token with which its owner signed in.
    own = now + timedelta(days=days) if days is not None else None
    return min((time for time in (own, parent and parent.expires_at) if time), default=None)


def check_token_quota(owner: User) -> None:
    """Raise TokenQuotaExceeded if an author has the maximum number of tokens."""
    unexpired = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    if ApiToken.objects.filter(unexpired, owner=owner).count() >= MAX_TOKENS:
        raise TokenQuotaExceeded(gettext("you have %(most)s tokens; revoke one first") % {"most": MAX_TOKENS})


def list_tokens(owner: User) -> list[TokenSummary]:
    """Return an author's tokens, the newest first."""
    now = timezone.now()
    return [
        TokenSummary(
            start=token.start,
            name=token.name,
            scopes=tuple(token.scopes),
            created_at=token.created_at,
            expires_at=token.expires_at,
            used_at=token.used_at,
            expired=token.expires_at is not None and token.expires_at <= now,
        )
        for token in ApiToken.objects.filter(owner=owner).order_by("-created_at", "-pk")
    ]


def revoke_token(owner: User, start: str) -> bool:
    """Revoke a token, and all tokens created in its sessions. Return False if the token does not exist.

    Ends the sessions of the revoked tokens. Refuses bot versions on trial that were uploaded with a revoked token.
    """
    # Includes versions of bots of which the owner is only a co-author.
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)  # lock, so that no child is created meanwhile
        starts = _list_descendants(owner, start)
        if starts:
            ApiToken.objects.filter(owner=owner, start__in=starts).delete()
            end_sessions_of_tokens(owner, starts)
            pending = BotVersion.objects.filter(ON_TRIAL, token__in=starts)  # a ban may have stopped the trial
            pending.update(status=BotVersion.Status.REFUSED, reason=REVOKED_REASON)
    return bool(starts)


def _list_descendants(owner: User, start: str) -> list[str]:
    # The token itself, the tokens created in its sessions, the tokens created with those, and so on.
    generation = set(ApiToken.objects.filter(owner=owner, start=start).values_list("start", flat=True))
    found: set[str] = set()
    while generation:
        found |= generation
        children = ApiToken.objects.filter(owner=owner, parent__start__in=generation)
        generation = set(children.values_list("start", flat=True)) - found
    return sorted(found)
