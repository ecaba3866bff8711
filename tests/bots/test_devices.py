"""A program gets a token through a browser: RFC 8628, word for word, and nobody gets one by guessing or waiting."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from bots import devices
from bots.models import DeviceCode, Token
from bots.tokens import MOST, bearer_of, new_token
from ftk_core.kit.tokens import AUTHORS
from tests.support.allowances import rates
from tests.support.factories import AuthorFactory

pytestmark = pytest.mark.django_db
GRANT = "urn:ietf:params:oauth:grant-type:device_code"


@pytest.fixture
def person() -> Any:
    return AuthorFactory.create()


@pytest.fixture
def browser(person: Any, client: Client) -> Client:
    client.force_login(person)
    return client


def asked(scope: str = "upload read", client_id: str = "ftk on laptop") -> dict[str, Any]:
    answer = APIClient().post("/api/v1/device/", {"client_id": client_id, "scope": scope}, format="json")
    assert answer.status_code == 200, answer.data
    return dict(answer.data)


def fetched(codes: dict[str, Any]) -> dict[str, Any]:
    """Ask for the token in time, and return the answer."""
    DeviceCode.objects.update(polled_at=F("polled_at") - timedelta(minutes=2))
    answer = APIClient().post(
        "/api/v1/device/token/", {"grant_type": GRANT, "device_code": codes["device_code"]}, format="json"
    )
    assert answer.status_code == (200 if "access_token" in answer.data else 400)
    assert answer["Cache-Control"] == "no-store"
    return dict(answer.data)


def answered(browser: Client, codes: dict[str, Any], answer: str) -> str:
    said = browser.post("/device/", {"code": codes["user_code"], "answer": answer}, follow=True)
    return said.content.decode()


def test_who_is_signed_in_sees_who_asks_for_what_and_approves(browser: Client, person: Any) -> None:
    codes = asked(client_id="ftk on <laptop>")
    assert re.fullmatch(r"[BCDFGHJKLMNPQRSTVWXZ]{8}", codes["user_code"])
    assert codes["verification_uri"] == "http://testserver/device/"
    assert fetched(codes)["error"] == "authorization_pending"
    page = browser.post("/device/", {"code": codes["user_code"]}).content.decode()
    for word in ("ftk on &lt;laptop&gt;", "127.0.0.1", "send bots in your name", "read what is yours alone"):
        assert word in page
    assert "enter your bots" not in page
    assert fetched(codes)["error"] == "authorization_pending", "to look is not to approve"
    assert "has its token" in answered(browser, codes, "approve")
    assert not Token.objects.exists(), "it is made when it is fetched"
    given = fetched(codes)
    assert (given["token_type"], given["scope"], given["expires_in"]) == ("Bearer", "upload read", 90 * 86_400)
    token = bearer_of(given["access_token"])
    assert (token.owner, token.name, token.scopes) == (person, "ftk on <laptop>", ["upload", "read"])


def test_the_token_is_given_once(browser: Client) -> None:
    codes = asked()
    answered(browser, codes, "approve")
    assert "access_token" in fetched(codes)
    assert fetched(codes)["error"] == "invalid_grant"
    assert Token.objects.count() == 1


def test_who_is_refused_is_told_so(browser: Client) -> None:
    codes = asked()
    assert "gets nothing" in answered(browser, codes, "refuse")
    assert fetched(codes)["error"] == "access_denied"
    assert "Nobody waits with this code" in answered(browser, codes, "approve")
    assert not Token.objects.exists()


def test_what_is_approved_too_late_is_nothing(browser: Client) -> None:
    codes = asked()
    DeviceCode.objects.update(expires_at=timezone.now())
    assert "Nobody waits with this code" in answered(browser, codes, "approve")
    assert fetched(codes)["error"] == "expired_token"
    DeviceCode.objects.update(expires_at=timezone.now() - devices.LIFE * 2)
    asked()
    assert fetched(codes)["error"] == "invalid_grant"


def test_who_asks_too_often_is_to_slow_down_by_five_seconds_each_time() -> None:
    codes = asked()
    words = {"grant_type": GRANT, "device_code": codes["device_code"]}
    for interval in (10, 15, 20):
        answer = APIClient().post("/api/v1/device/token/", words, format="json")
        assert (answer.status_code, answer.data["error"]) == (400, "slow_down")
        assert DeviceCode.objects.get().interval == interval
    assert fetched(codes)["error"] == "authorization_pending"


@pytest.mark.parametrize("typed", ["{0}-{1}", " {0} {1} ", "{0}{1}"])
def test_a_code_may_be_typed_with_a_hyphen_blanks_and_small_letters(browser: Client, typed: str) -> None:
    code = asked()["user_code"]
    said = browser.post("/device/", {"code": typed.format(code[:4], code[4:]).lower()})
    assert said.status_code == 200


def test_a_code_in_the_address_is_only_filled_in(browser: Client) -> None:
    codes = asked()
    page = browser.get(codes["verification_uri_complete"]).content.decode()
    assert f'value="{codes["user_code"]}"' in page
    assert "ftk on laptop" not in page


def test_who_is_not_signed_in_signs_in_first_and_comes_back_with_the_code(person: Any, client: Client) -> None:
    codes = asked()
    onward = client.get(codes["verification_uri_complete"]).headers["Location"]
    assert onward.startswith("/sign-in/?next=")
    [way_in] = re.findall(r'action="(/sign-in/token/[^"]*)"', client.get(onward).content.decode())
    back = client.post(way_in, {"token": new_token(person)}).headers["Location"]
    assert back == f"/device/?code={codes['user_code']}"


def test_a_form_from_elsewhere_approves_nothing(person: Any) -> None:
    codes, elsewhere = asked(), Client(enforce_csrf_checks=True)
    elsewhere.force_login(person)
    assert elsewhere.post("/device/", {"code": codes["user_code"], "answer": "approve"}).status_code == 403
    assert Client().post("/device/", {"code": codes["user_code"], "answer": "approve"}).status_code == 302
    assert fetched(codes)["error"] == "authorization_pending"


def test_who_guesses_codes_waits(browser: Client) -> None:
    codes = [browser.post("/device/", {"code": "BBBBBBBB"}).status_code for _ in range(6)]
    assert codes == [400] * 5 + [429]
    assert browser.post("/device/", {"code": asked()["user_code"]}).status_code == 429


def test_codes_are_not_asked_for_without_end(settings: Any) -> None:
    rates(settings, device="3/hour")
    codes = [APIClient().post("/api/v1/device/", {"client_id": "x"}, format="json").status_code for _ in range(4)]
    assert codes == [200, 200, 200, 429]


def test_a_session_gives_away_no_more_than_it_may_itself(person: Any, client: Client) -> None:
    client.post("/sign-in/token/", {"token": new_token(person)})
    codes = asked("organise upload")
    assert "organise what" not in client.post("/device/", {"code": codes["user_code"]}).content.decode()
    answered(client, codes, "approve")
    assert fetched(codes)["scope"] == "upload"


def test_who_has_as_many_tokens_as_there_may_be_is_told_before_anything_is_given(browser: Client, person: Any) -> None:
    codes = asked()
    for _ in range(MOST):
        new_token(person)
    assert f"you have {MOST} tokens" in answered(browser, codes, "approve")
    assert fetched(codes)["error"] == "authorization_pending"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ({}, "client_id"),
        ({"client_id": "x" * 61}, "client_id"),
        ({"client_id": "two\nlines"}, "client_id"),
        ({"client_id": "x", "scope": "everything"}, "'everything' is no scope; there are upload, enter"),
    ],
)
def test_what_is_asked_for_wrongly_is_named(words: dict[str, str], named: str) -> None:
    answer = APIClient().post("/api/v1/device/", words, format="json")
    assert answer.status_code == 400
    assert named in answer.content.decode()
    assert not DeviceCode.objects.exists()


def test_what_is_not_said_is_what_an_author_may() -> None:
    APIClient().post("/api/v1/device/", {"client_id": "x"}, format="json")
    assert DeviceCode.objects.get().scopes == list(AUTHORS)


def test_only_hashes_of_what_opens_anything_are_kept() -> None:
    codes = asked()
    assert codes["device_code"] not in str(DeviceCode.objects.values().get())


@pytest.mark.django_db(transaction=True)
def test_of_many_who_fetch_at_the_same_time_one_is_given_the_token(person: Any) -> None:
    codes = asked()
    devices.approve(codes["user_code"], person, AUTHORS)
    DeviceCode.objects.update(interval=0)

    def fetch(_: int) -> bool:
        with closing(connection):
            try:
                return bool(devices.fetch(codes["device_code"]).token)
            except devices.Pending:
                return False

    with ThreadPoolExecutor(4) as hands:
        assert sum(hands.map(fetch, range(4))) == 1
    assert Token.objects.count() == 1
