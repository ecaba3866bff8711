"""Runs of the task that mails notices: one at a time, and a pause while the mail server is unreachable."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.utils import timezone

from notices import tasks
from notices.models import NotificationPreference
from notices.notice_preferences import NoticeContent, notify
from replays.models.failed_background_work import FailedWork
from tests.support.factories import AuthorFactory
from tests.support.waiting import until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def enqueued(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of the mail tasks that `tasks.sweep` enqueues from now on."""
    names: list[str] = []
    monkeypatch.setattr(tasks, "enqueue_task", lambda name, **_: names.append(name) is None)
    cache.clear()
    return names


def notify_people(number: int) -> list[User]:
    """Return people with a mail address, each with a notice to mail."""
    people = AuthorFactory.create_batch(number)
    for person in people:
        EmailAddress.objects.create(user=person, email=f"{person}@example.com", verified=True, primary=True)
    content = NoticeContent(kind="trial", key="1", pattern="ada 1 passed.", link="/")
    notify([person.pk for person in people], content, timezone.now())
    return people


def test_mails_that_are_due_are_sent_by_one_task_at_a_time(enqueued: list[str]) -> None:
    notify_people(1)
    for _ in range(3):
        tasks.sweep()
    assert enqueued == ["notices.mail"]
    assert tasks.mail() == 1
    notify_people(1)
    tasks.sweep()
    assert enqueued == ["notices.mail"] * 2, "the first task has ended"


def test_a_mail_task_ends_when_the_mail_server_is_unreachable(settings: Any, enqueued: list[str]) -> None:
    people = notify_people(3)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    assert tasks.mail() == 0
    assert [row.person_id for row in NotificationPreference.objects.exclude(mailed_at=None)] == [people[0].pk]
    assert not FailedWork.objects.exists(), "it is not the fault of the address"
    tasks.sweep()
    assert enqueued == [], "the next task starts after a pause"


def test_the_pause_until_the_next_mail_to_a_person_starts_when_the_mail_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def send_slowly(_message: mail.EmailMessage) -> int:
        until(time.monotonic() + 0.1)
        return 1

    monkeypatch.setattr(mail.EmailMessage, "send", send_slowly)
    people = notify_people(2)
    assert tasks.mail() == 2
    first, second = (NotificationPreference.objects.get(person=person).mailed_at for person in people)
    assert first
    assert second
    assert second - first >= timedelta(seconds=0.1)
