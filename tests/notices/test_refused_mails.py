"""Notice mails that a mail server refuses."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from notices import notice_mails
from notices.notice_preferences import NoticeContent, notify
from replays.models.failed_background_work import FailedWork
from tests.support.factories import AuthorFactory
from tests.support.mail_server import refuse_recipients

pytestmark = pytest.mark.django_db(transaction=True)


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
