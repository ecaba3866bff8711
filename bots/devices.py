"""Device flow of RFC 8628, by which a program gets a token through a browser elsewhere.

The program requests two codes, keeps the device code and shows the user code to its user. The user types it on a page
where they are signed in, sees which program requests which scopes, and approves or refuses. Meanwhile the program
polls. The token is created when it is fetched, so that only its hash is ever stored.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from bots.models import DeviceCode
from bots.tokens import DAYS, TooMany, check_room, digest_of, new_token

ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"
"""Letters of user codes: no vowels, so that they form no words, and none that looks like a digit (RFC 8628, 6.1)."""
LETTERS = 8
"""Gives 25 thousand million codes; guesses are rate limited."""
LIFE = timedelta(minutes=10)
INTERVAL = 5
"""Minimum seconds between two polls, and the seconds added for each early poll."""
LONGEST_CLIENT = 60


class Unknown(Exception):
    """Raised for a user code without a pending request."""


class Pending(Exception):
    """Raised if the program must keep polling, or will not get a token; `code` is the error code of RFC 8628."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Codes:
    """The codes of a pending request."""

    device_code: str
    user_code: str
    seconds: int
    """Lifetime of the codes."""
    interval: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingProgram:
    """A pending request as shown to the person who decides."""

    user_code: str
    client: str
    scopes: tuple[str, ...]
    address: str
    asked_at: datetime


@dataclass(frozen=True, slots=True)
class GivenToken:
    """A new token and its scopes."""

    token: str
    scopes: tuple[str, ...]
    seconds: int


def ask(client: str, scopes: Collection[str], address: str) -> Codes:
    """Store a program's request and return its codes."""
    now = timezone.now()
    DeviceCode.objects.filter(expires_at__lt=now - LIFE).delete()  # until then the answer is expired_token
    device_code = secrets.token_urlsafe(32)
    user_code = "".join(secrets.choice(ALPHABET) for _ in range(LETTERS))
    DeviceCode.objects.create(
        digest=digest_of(device_code),
        user_code=user_code,
        client=client,
        scopes=list(scopes),
        address=address[:60],
        asked_at=now,
        polled_at=now,
        expires_at=now + LIFE,
        interval=INTERVAL,
    )
    seconds = int(LIFE.total_seconds())
    return Codes(device_code=device_code, user_code=user_code, seconds=seconds, interval=INTERVAL)


def waiting_with(typed: str) -> AskingProgram:
    """Return the pending request with a user code, ignoring case and separators; raises Unknown."""
    row = _undecided(typed)
    scopes = tuple(row.scopes)
    return AskingProgram(
        user_code=row.user_code, client=row.client, scopes=scopes, address=row.address, asked_at=row.asked_at
    )


def approve(typed: str, person: User, most: Collection[str]) -> None:
    """Approve a device's request for a token with those scopes that are also in `most`; raises Unknown, TooMany."""
    check_room(person)
    row = _undecided(typed)
    _decide(row, approved_by=person, scopes=[scope for scope in row.scopes if scope in most])


def refuse(typed: str) -> None:
    """Refuse a pending request; raises Unknown."""
    _decide(_undecided(typed), refused=True)


def _undecided(typed: str) -> DeviceCode:
    code = "".join(letter for letter in typed.upper() if letter.isalpha())
    waiting = DeviceCode.objects.filter(expires_at__gt=timezone.now(), approved_by=None, refused=False)
    row = waiting.filter(user_code=code).first()
    if row is None:
        raise Unknown("Nobody waits with this code; it may have expired. Ask for a new one where you got it.")
    return row


def _decide(row: DeviceCode, **answer: Any) -> None:
    if not DeviceCode.objects.filter(pk=row.pk, approved_by=None, refused=False).update(**answer):
        raise Unknown("This code has been answered already.")


def fetch(device_code: str) -> GivenToken:
    """Create and return the token of an approved request, once; raises Pending if it is not approved."""
    with transaction.atomic():
        found = DeviceCode.objects.select_for_update().filter(digest=digest_of(device_code)).first()
        answer = _answer_to(found)
    if isinstance(answer, Pending):
        raise answer
    return answer


def _answer_to(row: DeviceCode | None) -> GivenToken | Pending:
    now = timezone.now()
    if row is None:
        return Pending("invalid_grant", "nobody waits with this device code; its token may have been fetched already")
    if row.expires_at <= now:
        return Pending("expired_token", "nobody approved in time; ask for new codes")
    early = now < row.polled_at + timedelta(seconds=row.interval)
    row.polled_at, row.interval = now, min(row.interval + INTERVAL * early, 60)
    row.save(update_fields=("polled_at", "interval"))
    if early:
        return Pending("slow_down", f"ask again in {row.interval} s, not earlier")
    if row.refused:
        return Pending("access_denied", "the person has refused")
    if row.approved_by is None:
        return Pending("authorization_pending", "the person has not decided yet")
    return _given(row, row.approved_by)


def _given(row: DeviceCode, person: User) -> GivenToken | Pending:
    try:
        token = new_token(person, row.client, row.scopes)
    except TooMany as error:
        return Pending("access_denied", str(error))
    row.delete()
    return GivenToken(token, tuple(row.scopes), DAYS * 86_400)
