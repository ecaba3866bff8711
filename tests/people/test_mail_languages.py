"""Language of mails: the stored language of the recipient."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.utils import timezone, translation

from notices import tasks
from notices.notice_preferences import NoticeContent, list_notices, notify
from people.person_languages import read_language
from tests.support.factories import AuthorFactory
from tests.support.people import PASSWORD, sign_in, sign_up, submit_mailed_code

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _open(settings: Any) -> None:
    settings.SIGNUP = "open"


def sign_up_in(language: str) -> Client:
    client = Client(headers={"Accept-Language": language})
    sign_up(client)
    submit_mailed_code(client)
    return client


def make_person_with_mail(language: str) -> User:
    person: User = AuthorFactory.create()
    EmailAddress.objects.create(user=person, email=f"{person}@example.com", verified=True, primary=True)
    client = Client(headers={"Accept-Language": language})
    client.force_login(person)
    client.get("/account/", {"lang": language})
    return person


def send_notice(person: User) -> None:
    words = {"bot": "ada", "number": 1, "reason": ("it is late", {})}
    telling = NoticeContent(
        kind="trial", key="1", pattern="%(bot)s %(number)s was refused: %(reason)s.", link="/", words=words
    )
    notify([person.pk], telling, timezone.now())


def test_the_confirmation_mail_uses_the_language_of_the_browser() -> None:
    sign_up(Client(headers={"Accept-Language": "zh-TW"}))
    assert mail.outbox[-1].subject == "The Court: 確認您的電子郵件"
    assert "驗證代碼" in mail.outbox[-1].body


def test_only_the_first_sign_in_stores_the_browser_language_as_preference() -> None:
    sign_up_in("zh-TW")
    person = User.objects.get()
    assert read_language(person) == "zh-Hant"
    assert sign_in(Client(headers={"Accept-Language": "en"})).status_code == 302
    assert read_language(person) == "zh-Hant"


@pytest.mark.parametrize(("stored", "shown", "other"), [("zh-TW", "zh-Hant", "en"), ("en", "en", "zh-TW")])
def test_pages_use_the_stored_language_after_sign_in(stored: str, shown: str, other: str) -> None:
    sign_up_in(stored)
    client = Client(headers={"Accept-Language": other})
    assert sign_in(client).status_code == 302
    assert f'<html lang="{shown}"' in client.get("/account/").content.decode()


def test_a_language_chosen_in_the_browser_survives_the_sign_in() -> None:
    sign_up_in("zh-TW")
    english = Client()
    english.get("/leagues/", {"lang": "en"})
    sign_in(english)
    assert '<html lang="en"' in english.get("/account/").content.decode()


def test_mails_about_a_forgotten_or_changed_password_use_the_stored_language() -> None:
    sign_up_in("zh-TW")
    client = Client(headers={"Accept-Language": "en"})
    client.post("/password/", {"email": "ada@example.com"})
    assert mail.outbox[-1].subject == "The Court: 密碼重設代碼"
    sign_in(client)
    said = {"oldpassword": PASSWORD, "password1": "another long one", "password2": "another long one"}
    client.post("/account/password/", said)
    assert mail.outbox[-1].subject == "The Court: 密碼已更改"
    assert translation.get_language() == "en", "nobody else is spoken to so"


def test_the_language_switch_and_the_account_page_change_the_stored_language() -> None:
    client = sign_up_in("en")
    person = User.objects.get()
    page = client.get("/account/", {"lang": "zh-Hant"}).content.decode()
    assert '<html lang="zh-Hant"' in page
    assert read_language(person) == "zh-Hant"
    assert '<option value="zh-Hant" lang="zh-Hant" selected>' in client.get("/account/profile/").content.decode()
    page = client.get("/account/profile/", {"lang": "en"}).content.decode()
    assert ('value="en" lang="en" selected' in page, page.count(" selected")) == (True, 1)
    assert read_language(person) == "en"


def test_unsupported_languages_and_languages_chosen_by_visitors_are_not_stored() -> None:
    client = sign_up_in("zh-TW")
    client.get("/", {"lang": "tlh"})
    Client().get("/", {"lang": "en"})
    assert read_language(User.objects.get()) == "zh-Hant"


@pytest.mark.slow
def test_mails_use_the_language_of_each_recipient() -> None:
    people = [make_person_with_mail("zh-Hant"), make_person_with_mail("en"), make_person_with_mail("zh-Hant")]
    for person in people:
        send_notice(person)
    assert tasks.mail() == 3
    subjects = {message.to[0]: message.subject for message in mail.outbox}
    chinese, english = "The Court: ada 1 遭退回：it is late。", "The Court: ada 1 was refused: it is late."
    assert list(subjects.values()) == [chinese, english, chinese]
    first, second, _ = mail.outbox
    assert "不再收到這類通知：http" in first.body
    assert "您選擇接收這類郵件：我的機器人的試賽結果。" in first.body
    assert "No more of these: http" in second.body
    assert [m.extra_headers["Content-Language"] for m in mail.outbox] == ["zh-Hant", "en", "zh-Hant"]


def test_notices_are_translated_on_pages_and_english_in_the_api() -> None:
    person = make_person_with_mail("zh-Hant")
    send_notice(person)
    client = Client()
    client.force_login(person)
    assert "ada 1 遭退回：it is late。" in client.get("/account/notices/", {"lang": "zh-Hant"}).content.decode()
    assert "ada 1 was refused: it is late." in client.get("/account/notices/", {"lang": "en"}).content.decode()
    with translation.override("zh-hant"):
        send_notice(person)
    assert {row.text for row in list_notices(person)} == {"ada 1 was refused: it is late."}
