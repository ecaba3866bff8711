"""Functions to list and end the sessions of a person, together with their WebSocket connections."""

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

from foundation.channel_group_notifications import notify_group
from foundation.ratelimits.limits import request_address
from people.models import SignIn

SESSIONS_GROUP = "sessions"
"""Channels group that is notified when sessions end, so that processes close the WebSockets of these sessions."""

SESSION_TOKEN_KEY = "begun_by"  # noqa: S105 - a key of the session
"""Session key of the first characters of the API token, if the person signed in with a token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginSessionListEntry:
    """Entry in the list of a person's own sessions."""

    id: int
    way: str
    """Way of signing in, such as ``password`` or ``token``; empty if it is unknown. `SignIn.way` lists the values."""
    token: str
    """First characters of the API token that started the session; empty if none did."""
    address: str
    browser: str
    at: datetime
    here: bool
    """True for the session of the current request."""


def record_session(request: HttpRequest, owner: User, way: str, token: str = "") -> None:
    """Store how the request's session was started: person, way of signing in, address and browser."""
    if request.session.session_key is None:  # Django's login has emptied the session of another person
        request.session.create()
    browser = str(request.META.get("HTTP_USER_AGENT", "")).replace("\0", "")[:120]
    fields = {
        "owner": owner,
        "way": way[:60],
        "token": token,
        "address": request_address(request)[:60],
        "browser": browser,
    }
    SignIn.objects.update_or_create(key=str(request.session.session_key), defaults=fields)


def is_token_session(request: HttpRequest) -> bool:
    """Return True if the request's session was started with an API token."""
    return SESSION_TOKEN_KEY in request.session


def list_sessions(owner: User, current_key: str | None) -> list[LoginSessionListEntry]:
    """Return the active sessions of a person, newest first, with the current one marked."""
    # Records of ended sessions are deleted on the way.
    sign_ins = list(SignIn.objects.filter(owner=owner).order_by("-at", "-pk"))
    active_keys = list_active_keys([sign_in.key for sign_in in sign_ins])
    SignIn.objects.filter(owner=owner).exclude(key__in=active_keys).delete()
    return [_make_row(sign_in, current_key) for sign_in in sign_ins if sign_in.key in active_keys]


def _make_row(sign_in: SignIn, current_key: str | None) -> LoginSessionListEntry:
    return LoginSessionListEntry(
        id=sign_in.pk,
        way=sign_in.way,
        token=sign_in.token,
        address=sign_in.address,
        browser=sign_in.browser,
        at=sign_in.at,
        here=sign_in.key == current_key,
    )


def list_active_keys(keys: Collection[str]) -> set[str]:
    """Return the keys in `keys` that belong to active sessions."""
    active = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    return set(active.values_list("session_key", flat=True))


def end_session(owner: User, number: int) -> bool:
    """End one session of a person. Return False if it does not exist."""
    return _end_sessions(SignIn.objects.filter(owner=owner, pk=number)) > 0


def end_sessions_of_tokens(owner: User, tokens: Collection[str]) -> int:
    """End a person's sessions that were started with given API tokens, and return their number.

    `tokens` contains the first characters of each token, as stored in `SignIn.token`.
    """
    return _end_sessions(SignIn.objects.filter(owner=owner, token__in=tokens))


def end_token_sessions(owner: User) -> int:
    """End a person's sessions that were started with an API token, and return their number."""
    return _end_sessions(SignIn.objects.filter(owner=owner).exclude(token=""))


def end_all_sessions(owner: User, except_key: str | None = None) -> int:
    """End all sessions of a person except the session with the key `except_key`; return their number."""
    return _end_sessions(SignIn.objects.filter(owner=owner).exclude(key=except_key or ""))


def _end_sessions(rows: QuerySet[SignIn]) -> int:
    keys = list(rows.values_list("key", flat=True))
    Session.objects.filter(session_key__in=keys).delete()
    rows.filter(key__in=keys).delete()
    transaction.on_commit(partial(notify_group, SESSIONS_GROUP))
    return len(keys)
