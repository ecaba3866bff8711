"""Deletion of expired sessions, and of the sign-ins whose sessions have ended."""

from __future__ import annotations

from datetime import datetime

from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef

from people.models import SignIn


def delete_expired(now: datetime) -> None:
    """Delete expired sessions, and sign-ins without an active session."""
    SessionStore.clear_expired()
    active = Session.objects.filter(pk=OuterRef("key"), expire_date__gt=now)
    SignIn.objects.filter(~Exists(active)).delete()
