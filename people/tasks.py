"""Celery tasks of the people app."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from people import session_retention


@shared_task(name="people.forget")
def forget() -> int:
    """Delete expired sessions and the sign-ins of ended sessions, and return their number."""
    return session_retention.delete_expired(timezone.now())
