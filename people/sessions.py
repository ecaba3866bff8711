"""Sessions of people: a list for their owner, and their end by the owner, with a token, or with a new password."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from foundation.poking import poke
from foundation.throttles import address_of
from people.models import SignIn

GROUP = "sessions"
"""Channel group that is notified when sessions end, for processes with open sockets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """A session as shown to its owner."""

    id: int
    way: str
    """Way of signing in; empty if it is unknown."""
    token: str
    """First characters of the token, if it was started with one."""
    address: str
    browser: str
    at: datetime
    here: bool
    """True for the session of the request."""


def begin(request: HttpRequest, owner: User, way: str, token: str = "") -> None:
    """Store that the request's session has begun."""
    browser = str(request.META.get("HTTP_USER_AGENT", "")).replace("\0", "")[:120]
    fields = {"owner": owner, "way": way[:60], "token": token, "address": address_of(request)[:60], "browser": browser}
    SignIn.objects.update_or_create(key=str(request.session.session_key), defaults=fields)


def sessions_of(owner: User, here: str | None) -> list[SessionRow]:
    """Return a person's active sessions, the newest first, and delete the descriptions of ended ones."""
    rows = list(SignIn.objects.filter(owner=owner).order_by("-at", "-pk"))
    going = alive([row.key for row in rows])
    SignIn.objects.filter(owner=owner).exclude(key__in=going).delete()
    return [_row(row, here) for row in rows if row.key in going]


def _row(row: SignIn, here: str | None) -> SessionRow:
    return SessionRow(
        id=row.pk,
        way=row.way,
        token=row.token,
        address=row.address,
        browser=row.browser,
        at=row.at,
        here=row.key == here,
    )


def alive(keys: Collection[str]) -> set[str]:
    """Return the sessions among these that have not ended."""
    going = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    return set(going.values_list("session_key", flat=True))


def end(owner: User, number: int) -> bool:
    """End one of a person's sessions; return False if it does not exist."""
    return _end(SignIn.objects.filter(owner=owner, pk=number)) > 0


def end_begun_with(owner: User, token: str) -> int:
    """End all sessions that were started with a token; returns their number."""
    return _end(SignIn.objects.filter(owner=owner, token=token))


def end_all(owner: User, but: str | None = None) -> int:
    """End all of a person's sessions, except the one with the key `but`; returns their number."""
    return _end(SignIn.objects.filter(owner=owner).exclude(key=but or ""))


def _end(rows: QuerySet[SignIn]) -> int:
    keys = list(rows.values_list("key", flat=True))
    Session.objects.filter(session_key__in=keys).delete()
    rows.filter(key__in=keys).delete()
    transaction.on_commit(partial(poke, GROUP))
    return len(keys)
