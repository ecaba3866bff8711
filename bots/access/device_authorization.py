"""OAuth device flow (RFC 8628): a person approves a program's token in a browser."""
# The token is created when the program fetches it, so that the database never stores its secret.

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from bots.access.api_tokens import (
    InvalidTokenError,
    TokenQuotaExceeded,
    check_token_quota,
    create_token,
    find_sign_in_token,
    hash_token,
)
from bots.models import ApiToken, DeviceAuthorizationRequest

ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"
"""Letters of user codes: no vowels, so that codes form no words; no letter looks like a digit (RFC 8628, 6.1)."""
USER_CODE_LETTERS = 8
"""Number of letters in a user code. There are about 25 billion codes, and guesses are rate limited."""
CODE_LIFETIME = timedelta(minutes=10)
POLL_SECONDS = 5
"""Minimum seconds between two polls of a program. Each early poll adds 5 s to that program's minimum, up to 60 s."""
MAX_CLIENT_LETTERS = 60


class InvalidUserCodeError(Exception):
    """Raised for a user code that is unknown, expired, or already approved or refused."""


class DeviceFlowError(Exception):
    """Raised if a poll yields no token; carries the error code of RFC 8628."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedDeviceCodes:
    """Device code for the program, and user code for the person who approves it."""

    device_code: str
    user_code: str
    seconds: int
    """Lifetime of both codes in seconds."""
    interval: int
    """Minimum seconds between two polls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingDeviceAuthorization:
    """A program's pending request for a token, as shown to the person who approves or refuses it."""

    user_code: str
    client: str
    """Name that the program gave for itself."""
    scopes: tuple[str, ...]
    address: str
    """Network address of the program."""
    asked_at: datetime


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A new token, its scopes, and its lifetime in seconds."""

    token: str
    scopes: tuple[str, ...]
    seconds: int


def request_codes(client: str, scopes: Collection[str], address: str) -> IssuedDeviceCodes:
    """Store a program's request for a token, and return the request's device code and user code."""
    now = timezone.now()
    # expired codes stay a while for late polls
    DeviceAuthorizationRequest.objects.filter(expires_at__lt=now - CODE_LIFETIME).delete()
    device_code = secrets.token_urlsafe(32)
    user_code = "".join(secrets.choice(ALPHABET) for _ in range(USER_CODE_LETTERS))
    DeviceAuthorizationRequest.objects.create(
        digest=hash_token(device_code),
        user_code=user_code,
        client=client,
        scopes=list(scopes),
        address=address[:60],
        asked_at=now,
        polled_at=now,
        expires_at=now + CODE_LIFETIME,
        interval=POLL_SECONDS,
    )
    seconds = int(CODE_LIFETIME.total_seconds())
    return IssuedDeviceCodes(device_code=device_code, user_code=user_code, seconds=seconds, interval=POLL_SECONDS)


def find_request(typed: str) -> PendingDeviceAuthorization:
    """Return the pending token request with this user code. Raises InvalidUserCodeError for an unknown code."""
    device_code = _find_undecided(typed)
    scopes = tuple(device_code.scopes)
    return PendingDeviceAuthorization(
        user_code=device_code.user_code,
        client=device_code.client,
        scopes=scopes,
        address=device_code.address,
        asked_at=device_code.asked_at,
    )


def approve_request(typed: str, person: User, allowed_scopes: Collection[str], parent: str = "") -> None:
    """Approve a pending token request.

    Raises InvalidUserCodeError, InvalidTokenError if the person's own token was revoked, or TokenQuotaExceeded.
    """
    # Scopes outside `allowed_scopes` are dropped. `parent` holds the first characters of the token with which the
    # person signed in; the new token is revoked together with it.
    check_token_quota(person)
    device_code = _find_undecided(typed)
    scopes = [scope for scope in device_code.scopes if scope in allowed_scopes]
    _decide(device_code, approved_by=person, scopes=scopes, parent=find_sign_in_token(person, parent))


def refuse_request(typed: str) -> None:
    """Refuse the pending request with the typed user code; raises InvalidUserCodeError."""
    _decide(_find_undecided(typed), refused=True)


def _find_undecided(typed: str) -> DeviceAuthorizationRequest:
    code = "".join(letter for letter in typed.upper() if letter.isalpha())
    undecided = DeviceAuthorizationRequest.objects.filter(
        expires_at__gt=timezone.now(), approved_by=None, refused=False
    )
    device_code = undecided.filter(user_code=code).first()
    if device_code is None:
        raise InvalidUserCodeError(
            gettext("This code is unknown, expired or already answered. Ask the program for a new one.")
        )
    return device_code


def _decide(device_code: DeviceAuthorizationRequest, **answer: Any) -> None:
    undecided = DeviceAuthorizationRequest.objects.filter(pk=device_code.pk, approved_by=None, refused=False)
    if not undecided.update(**answer):
        raise InvalidUserCodeError(gettext("This code has been answered already."))


def fetch_token(device_code: str) -> IssuedToken:
    """Create and return the token of an approved request. Otherwise raise DeviceFlowError with the reason."""
    with transaction.atomic():
        stored_code = (
            DeviceAuthorizationRequest.objects.select_for_update().filter(digest=hash_token(device_code)).first()
        )
        answer = _answer_poll(stored_code)
    if isinstance(answer, DeviceFlowError):
        raise answer
    return answer


def _answer_poll(device_code: DeviceAuthorizationRequest | None) -> IssuedToken | DeviceFlowError:
    now = timezone.now()
    if device_code is None:
        return DeviceFlowError(
            "invalid_grant", "nobody waits with this device code; its token may have been fetched already"
        )
    if device_code.expires_at <= now:
        return DeviceFlowError("expired_token", "nobody approved in time; ask for new codes")
    early = now < device_code.polled_at + timedelta(seconds=device_code.interval)
    device_code.polled_at, device_code.interval = now, min(device_code.interval + POLL_SECONDS * early, 60)
    device_code.save(update_fields=("polled_at", "interval"))
    if early:
        return DeviceFlowError("slow_down", f"ask again in {device_code.interval} s, not earlier")
    if device_code.refused:
        return DeviceFlowError("access_denied", "the person has refused")
    if device_code.approved_by is None:
        return DeviceFlowError("authorization_pending", "the person has not decided yet")
    return _issue_token(device_code, device_code.approved_by)


def _issue_token(device_code: DeviceAuthorizationRequest, person: User) -> IssuedToken | DeviceFlowError:
    parent = device_code.parent
    try:
        token = create_token(person, device_code.client, device_code.scopes, parent=parent.start if parent else "")
    except (TokenQuotaExceeded, InvalidTokenError) as error:
        return DeviceFlowError("access_denied", str(error))
    device_code.delete()
    stored = ApiToken.objects.get(digest=hash_token(token))
    assert stored.expires_at is not None
    seconds = round((stored.expires_at - stored.created_at).total_seconds())
    return IssuedToken(token, tuple(device_code.scopes), seconds)
