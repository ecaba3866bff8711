"""Who is signed in where, and how that ends: by its person, or with the token that it began with."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from bots.models import SignIn

GROUP = "sessions"
"""Whoever keeps sockets open for sessions is poked through this group when one of them has ended."""
REVOKED = "its token was revoked before its trial was over"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """A session as its person sees it."""

    id: int
    token: str
    """The beginning of the token that it began with."""
    address: str
    browser: str
    at: datetime
    here: bool
    """Whether it is the one that asks."""


def begin(owner: User, key: str, token: str, address: str, browser: str) -> None:
    """Note a session that has begun."""
    fields = {"owner": owner, "token": token, "address": address[:60], "browser": browser.replace("\0", "")[:120]}
    SignIn.objects.update_or_create(key=key, defaults=fields)


def sessions_of(owner: User, here: str | None) -> list[SessionRow]:
    """Return a person's sessions that go on, the newest first, and forget the others."""
    rows = list(SignIn.objects.filter(owner=owner).order_by("-at", "-pk"))
    going = alive([row.key for row in rows])
    SignIn.objects.filter(owner=owner).exclude(key__in=going).delete()
    return [
        SessionRow(
            id=row.pk, token=row.token, address=row.address, browser=row.browser, at=row.at, here=row.key == here
        )
        for row in rows
        if row.key in going
    ]


def alive(keys: Collection[str]) -> set[str]:
    """Return those of these sessions that have not ended."""
    going = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    return set(going.values_list("session_key", flat=True))


def end(owner: User, number: int) -> bool:
    """End one of a person's sessions; False when there is none such."""
    return _end(SignIn.objects.filter(owner=owner, pk=number)) > 0


def end_begun_with(owner: User, token: str) -> int:
    """End all sessions that began with a token; returns how many."""
    return _end(SignIn.objects.filter(owner=owner, token=token))


def _end(rows: QuerySet[SignIn]) -> int:
    keys = list(rows.values_list("key", flat=True))
    Session.objects.filter(session_key__in=keys).delete()
    rows.filter(key__in=keys).delete()
    transaction.on_commit(poke)
    return len(keys)


def poke() -> None:
    """Let all servers look which of their sockets' sessions have ended."""
    layer = get_channel_layer()
    if layer is not None:
        async_to_sync(layer.group_send)(GROUP, {"type": "poke"})
