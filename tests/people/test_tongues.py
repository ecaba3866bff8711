"""Mails speak the tongue of whoever gets them: that of the first sign-in, until another is chosen."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.db import connection
from django.test import Client
from django.utils import timezone, translation

from notices import tasks
from notices.models import Notice
from notices.wishes import Telling, list_notices, notify
from people.tongues import tongue_of
from tests.support.factories import AuthorFactory
from tests.support.migrating import migrated_back
from tests.support.people import PASSWORD, sign_in, sign_up, verify

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _open(settings: Any) -> None:
    settings.SIGNUP = "open"


def signed_up(tongue: str) -> Client:
    client = Client(headers={"Accept-Language": tongue})
    sign_up(client)
    verify(client)
    return client


def with_mail(tongue: str) -> User:
    person: User = AuthorFactory.create()
    EmailAddress.objects.create(user=person, email=f"{person}@example.com", verified=True, primary=True)
    client = Client(headers={"Accept-Language": tongue})
    client.force_login(person)
    client.get("/account/", {"lang": tongue})
    return person


def told(person: User) -> None:
    words = {"bot": "ada", "number": 1, "reason": ("it is late", {})}
    telling = Telling(
        kind="trial", key="1", pattern="%(bot)s %(number)s was refused: %(reason)s.", link="/", words=words
    )
    notify([person.pk], telling, timezone.now())


def test_the_mail_that_confirms_an_address_speaks_the_tongue_of_the_browser_that_signs_up() -> None:
    sign_up(Client(headers={"Accept-Language": "zh-TW"}))
    assert mail.outbox[-1].subject == "The Court: 確認您的電子郵件"
    assert "驗證代碼" in mail.outbox[-1].body


def test_the_first_sign_in_says_which_tongue_is_kept_and_a_later_one_does_not() -> None:
    signed_up("zh-TW")
    person = User.objects.get()
    assert tongue_of(person) == "zh-Hant"
    assert sign_in(Client(headers={"Accept-Language": "en"})).status_code == 302
    assert tongue_of(person) == "zh-Hant"


def test_the_pages_of_a_new_browser_speak_the_kept_tongue_from_the_sign_in_on() -> None:
    signed_up("zh-TW")
    english = Client(headers={"Accept-Language": "en"})
    assert sign_in(english).status_code == 302
    assert '<html lang="zh-Hant"' in english.get("/account/").content.decode()


def test_a_browser_that_has_chosen_keeps_its_choice_when_somebody_signs_in() -> None:
    signed_up("zh-TW")
    english = Client()
    english.get("/leagues/", {"lang": "en"})
    sign_in(english)
    assert '<html lang="en"' in english.get("/account/").content.decode()


def test_a_new_password_is_told_of_in_the_kept_tongue_also_when_an_english_browser_set_it() -> None:
    signed_up("zh-TW")
    client = Client(headers={"Accept-Language": "en"})
    sign_in(client)
    said = {"oldpassword": PASSWORD, "password1": "another long one", "password2": "another long one"}
    client.post("/account/password/", said)
    assert mail.outbox[-1].subject == "The Court: 密碼已更改"
    assert translation.get_language() == "en", "nobody else is spoken to so"


def test_the_switch_and_the_account_page_change_the_kept_tongue() -> None:
    client = signed_up("en")
    person = User.objects.get()
    page = client.get("/account/", {"lang": "zh-Hant"}).content.decode()
    assert '<html lang="zh-Hant"' in page
    assert tongue_of(person) == "zh-Hant"
    assert '<option value="zh-Hant" lang="zh-Hant" selected>' in client.get("/account/").content.decode()
    client.get("/leagues/", {"lang": "en"})
    assert tongue_of(person) == "en"


def test_what_is_no_tongue_of_ours_and_what_a_stranger_chooses_is_kept_of_nobody() -> None:
    client = signed_up("zh-TW")
    client.get("/", {"lang": "tlh"})
    Client().get("/", {"lang": "en"})
    assert tongue_of(User.objects.get()) == "zh-Hant"


def test_a_worker_writes_to_everybody_in_their_own_tongue() -> None:
    people = [with_mail("zh-Hant"), with_mail("en"), with_mail("zh-Hant")]
    for person in people:
        told(person)
    assert tasks.mail() == 3
    subjects = {message.to[0]: message.subject for message in mail.outbox}
    chinese, english = "The Court: ada 1 遭退回：it is late。", "The Court: ada 1 was refused: it is late."
    assert list(subjects.values()) == [chinese, english, chinese]
    first, second, _ = mail.outbox
    assert "不再收到這類通知：http" in first.body
    assert "您要求在下列情況收到通知：我的機器人的某個版本通過試賽或遭退回。" in first.body
    assert "No more of these: http" in second.body
    assert [m.extra_headers["Content-Language"] for m in mail.outbox] == ["zh-Hant", "en", "zh-Hant"]


def test_a_notice_is_read_in_the_tongue_of_the_page_and_kept_in_english_for_programs() -> None:
    person = with_mail("zh-Hant")
    told(person)
    client = Client()
    client.force_login(person)
    assert "ada 1 遭退回：it is late。" in client.get("/account/notices/", {"lang": "zh-Hant"}).content.decode()
    assert "ada 1 was refused: it is late." in client.get("/account/notices/", {"lang": "en"}).content.decode()
    with translation.override("zh-hant"):
        told(person)
    assert {row.text for row in list_notices(person)} == {"ada 1 was refused: it is late."}


def test_a_notice_that_was_told_before_there_were_patterns_is_read_as_it_was_told() -> None:
    person: User = AuthorFactory.create()
    with migrated_back(("notices", "0002_from_now_on")), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO notices_notice (person_id, kind, key, text, link, at, on_web, to_mail)"
            " VALUES (%s, 'trial', '1', 'ada 1 passed its trial.', '/', now(), true, false)",
            [person.pk],
        )
    assert Notice.objects.get().told == "ada 1 passed its trial."
