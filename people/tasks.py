"""Celery tasks of the people app."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from people.session_retention import delete_expired


@shared_task(name="people.delete_expired_sessions")
def delete_expired_sessions() -> None:
    """Delete expired sessions and the sign-ins of ended sessions."""
    delete_expired(timezone.now())
