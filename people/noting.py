"""Signal receivers for sign-ins, sign-outs and new passwords."""

from __future__ import annotations

from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.account.signals import password_changed, password_reset, password_set
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest

from foundation.poking import poke
from people import sessions


@receiver(user_logged_in)
def signed_in(request: HttpRequest, user: User, **_words: Any) -> None:
    """Store the session and the way of signing in."""
    steps = [str(step.get("type") or step.get("provider") or step["method"]) for step in _steps(request, user)]
    sessions.begin(request, user, ", ".join(dict.fromkeys(steps)) or "sign-up")


def _steps(request: HttpRequest, user: User) -> list[dict[str, Any]]:
    return list(get_authentication_records(request, user))


@receiver(user_logged_out)
def signed_out(**_words: Any) -> None:
    """Notify the sockets of the session that has ended, so that they close."""
    poke(sessions.GROUP)


@receiver([password_changed, password_set, password_reset])
def has_a_new_password(request: HttpRequest, user: User, **_words: Any) -> None:
    """End all other sessions, because somebody with the old password may hold them.

    The session of the request has a new key by now.
    """
    here = request.session.session_key if request.user.is_authenticated else None
    sessions.end_all(user, but=here)
    if here:
        sessions.begin(request, user, "password")
