"""Attacks on forms and limits that no other hostile test covers, each with the bound that stops it."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.test import Client

from bots.author_quotas import set_quota
from people.staff_audit_trail import make_shell_actor
from replays.reviews.review_requests import ReviewRequestRefusedError, request_review
from tests.support.factories import AuthorFactory
from tests.support.live import LiveMatch
from tests.support.people import PASSWORD, sign_in
from tests.support.rate_limits import set_rate_limits

pytestmark = pytest.mark.django_db(transaction=True)
HASHED = list[str]()


class CountingHasher(PBKDF2PasswordHasher):
    """Password hasher that records every hash, because hashing determines the duration of a sign-in."""

    algorithm = "counting"
    iterations = 1

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        HASHED.append(password)
        return super().encode(password, salt, iterations)


@pytest.mark.slow
def test_an_account_can_cause_at_most_twenty_mails_to_added_email_addresses(ada: Client) -> None:
    ada.post("/account/confirm/", {"password": PASSWORD})
    mail.outbox.clear()
    for number in range(60):
        ada.post("/account/email/", {"action_add": "", "email": f"victim{number}@example.com"})
    assert len([message for message in mail.outbox if "victim" in message.to[0]]) <= 20


def test_changing_an_email_address_requires_signing_in_again(ada: Client) -> None:
    session = ada.session
    session["account_authentication_methods"] = [{"method": "password", "at": 0}]
    session.save()
    answer = ada.post("/account/email/", {"action_add": "", "email": "eve@example.com"})
    assert answer.headers["Location"].startswith("/account/confirm/")
    assert not User.objects.get(username="ada").emailaddress_set.filter(email="eve@example.com").exists()


def test_a_sign_in_attempt_hashes_the_password_equally_often_whether_or_not_the_account_exists(
    settings: Any, ada: Client
) -> None:
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    ada_account = User.objects.get(username="ada")
    ada_account.set_password(PASSWORD)
    ada_account.save()
    hashed = dict[str, int]()
    for name in ("ada", "eve"):
        cache.clear()
        HASHED.clear()
        sign_in(Client(), f"{name}@example.com", "wrong and long")
        hashed[name] = len(HASHED)
    assert hashed["ada"] == hashed["eve"] >= 1


def test_a_forged_x_forwarded_for_header_does_not_change_the_rate_limited_ip_address(settings: Any) -> None:
    set_rate_limits(settings, sign_in="3/hour")
    codes = [
        Client(REMOTE_ADDR="10.0.0.7", HTTP_X_FORWARDED_FOR=f"10.9.9.{number}")
        .post("/sign-in/", {"login": f"n{number}@example.com", "password": "wrong and long"})
        .status_code
        for number in range(6)
    ]
    assert codes == [200] * 3 + [429] * 3


def test_review_requests_over_the_quota_are_refused(settings: Any) -> None:
    person = AuthorFactory.create()
    set_quota(make_shell_actor("root", "they teach a class"), person, {"reviews": 2})
    matches = [LiveMatch() for _ in range(3)]
    for match in matches:
        match.grow(match.left)
    for match in matches[:2]:
        request_review(match.match.pk, "public", person)
    with pytest.raises(ReviewRequestRefusedError, match="2 reviews"):
        request_review(matches[2].match.pk, "public", person)


def test_staff_sign_in_shares_the_rate_limit_of_the_sign_in_form(settings: Any) -> None:
    set_rate_limits(settings, sign_in="3/hour")
    User.objects.create_user("stella", password=PASSWORD, is_staff=True)
    client = Client(REMOTE_ADDR="10.0.0.8")
    form = {"username": "stella", "password": PASSWORD, "login": "stella@example.com"}
    answers = [client.post("/staff/login/", form) for _ in range(6)]
    assert {(answer.status_code, answer.headers.get("Location")) for answer in answers} == {(302, "/sign-in/")}
    assert "_auth_user_id" not in client.session
    form["password"] = "guess"
    codes = [client.post("/sign-in/", form).status_code for _ in range(6)]
    assert codes.count(200) <= 3
    assert codes[-1] == 429
