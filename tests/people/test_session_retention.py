"""Periodic deletion of expired sessions, and of the sign-ins of sessions that have ended."""

from __future__ import annotations

from datetime import timedelta

import pytest
from celery import current_app
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from people.models import SignIn
from tests.support.people import is_signed_in

pytestmark = pytest.mark.django_db(transaction=True)
TASK = "people.delete_expired_sessions"


def start_session(owner: User) -> Client:
    client = Client()
    client.force_login(owner)
    return client


def key_of(client: Client) -> str:
    return str(client.session.session_key)


def expire(client: Client) -> None:
    Session.objects.filter(pk=key_of(client)).update(expire_date=timezone.now() - timedelta(seconds=1))


def test_only_active_sessions_and_their_sign_ins_remain_after_the_periodic_deletion() -> None:
    owner = User.objects.create_user("ada")
    active, expired, signed_out = (start_session(owner) for _ in range(3))
    assert SignIn.objects.count() == 3
    signed_out.post("/sign-out/")
    expire(expired)
    current_app.tasks[TASK]()
    assert list(SignIn.objects.values_list("key", flat=True)) == [key_of(active)]
    assert list(Session.objects.values_list("pk", flat=True)) == [key_of(active)]
    assert is_signed_in(active)


def test_the_periodic_deletion_of_sessions_is_scheduled() -> None:
    assert TASK in {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
