"""Notice mails that a mail server refuses."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.utils import timezone

from notices import notice_mails
from notices.notice_preferences import NoticeContent, notify
from replays.models.failed_background_work import FailedWork
from tests.support.factories import AuthorFactory
from tests.support.mail_server import refuse_recipients

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
@pytest.mark.parametrize(("reply", "tries"), [("550 no such user here", 5), ("450 try again later", 7)])
def test_a_mail_to_an_address_that_is_refused_for_good_is_given_up_after_five_attempts(
    settings: Any, reply: str, tries: int
) -> None:
    person, now, tried = AuthorFactory.create(), timezone.now(), 0
    EmailAddress.objects.create(user=person, email="gone@example.com", verified=True, primary=True)
    notify([person.pk], NoticeContent(kind="trial", key="1", pattern="ada 1 passed.", link="/"), now)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with refuse_recipients(reply) as settings.EMAIL_PORT:
        settings.EMAIL_HOST = "127.0.0.1"
        for _ in range(7):
            now += timedelta(minutes=11)
            tried += notice_mails.is_due(now)
            assert notice_mails.send_due(now) == 0
            FailedWork.objects.update(rests_until=None)
    assert tried == tries


def test_after_a_mail_was_given_up_the_next_notice_is_mailed_without_the_notices_of_that_mail(settings: Any) -> None:
    working, settings.EMAIL_BACKEND = settings.EMAIL_BACKEND, "no.such.backend"
    person, now = AuthorFactory.create(), timezone.now()
    EmailAddress.objects.create(user=person, email="gone@example.com", verified=True, primary=True)
    notify([person.pk], NoticeContent(kind="trial", key="1", pattern="ada 1 passed.", link="/"), now)
    for _ in range(5):
        now += timedelta(minutes=11)
        assert notice_mails.send_due(now) == 0
        FailedWork.objects.update(rests_until=None)
    assert FailedWork.objects.get(kind=notice_mails.MAIL_WORK).left_at, "operators see it"
    settings.EMAIL_BACKEND, now = working, now + timedelta(minutes=11)
    EmailAddress.objects.update(email="new@example.com")
    notify([person.pk], NoticeContent(kind="trial", key="2", pattern="ada 2 passed.", link="/"), now)
    assert notice_mails.send_due(now) == 1
    (message,) = mail.outbox
    assert message.to == ["new@example.com"]
    assert ("ada 1 passed." in message.body, "ada 2 passed." in message.body) == (False, True)
    assert not FailedWork.objects.exists()


def test_a_notice_that_arrives_while_a_mail_is_given_up_is_not_lost(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, now = AuthorFactory.create(), timezone.now()
    EmailAddress.objects.create(user=person, email="gone@example.com", verified=True, primary=True)
    notify([person.pk], NoticeContent(kind="trial", key="1", pattern="ada 1 passed.", link="/"), now)

    def notify_and_fail(*_: object) -> bool:
        notify([person.pk], NoticeContent(kind="trial", key="2", pattern="ada 2 passed.", link="/"), now)
        raise ValueError

    settings.ATTEMPTS = 1
    with monkeypatch.context() as failing:
        failing.setattr(mail.EmailMessage, "send", notify_and_fail)
        assert notice_mails.send_due(now) == 0
    assert notice_mails.send_due(now + timedelta(minutes=11)) == 1
    (message,) = mail.outbox
    assert ("ada 1 passed." in message.body, "ada 2 passed." in message.body) == (False, True)
