"""Signal receivers for sign-ins, sign-outs and new passwords."""

from __future__ import annotations

from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.account.signals import password_changed, password_reset, password_set
from allauth.mfa.signals import authenticator_added
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest

from foundation.channel_group_notifications import notify_group
from people import login_sessions


@receiver(user_logged_in)
def store_session(request: HttpRequest, user: User, **_words: Any) -> None:
    """Record a new session, with the authentication steps by which the person signed in."""
    steps = [
        str(step.get("type") or step.get("provider") or step["method"])
        for step in _list_authentication_steps(request, user)
    ]
    login_sessions.record_session(request, user, ", ".join(dict.fromkeys(steps)) or "sign-up")


def _list_authentication_steps(request: HttpRequest, user: User) -> list[dict[str, Any]]:
    return list(get_authentication_records(request, user))


@receiver(user_logged_out)
def notify_signed_out(**_words: Any) -> None:
    """Notify all processes that a session has ended, so that they close its WebSocket connections."""
    notify_group(login_sessions.SESSIONS_GROUP)


@receiver([password_changed, password_set, password_reset])
def end_other_sessions(request: HttpRequest, user: User, **_words: Any) -> None:
    """End all other sessions of a person who has set a new password."""
    # Somebody who knows the old password may have started them. Django gives the current session a new key, so it is
    # recorded again.
    # The session of a person who resets the password of another account stays as it is.
    session_key = request.session.session_key if request.user == user else None
    login_sessions.end_all_sessions(user, except_key=session_key)
    if session_key:
        login_sessions.record_session(request, user, "password")


@receiver(authenticator_added)
def end_sessions_without_second_factor(user: User, **_words: Any) -> None:
    """End the sessions that a token started: with a second factor, tokens cannot sign in."""
    login_sessions.end_token_sessions(user)
