"""The device flow of RFC 8628: a program gets a token through a browser, and device codes cannot be guessed."""

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

from bots.access import device_authorization
from bots.access.api_tokens import MAX_TOKENS, authenticate_token, create_token
from bots.models import ApiToken, DeviceAuthorizationRequest
from ftk_core.kit.client.api_token_format import DEFAULT_SCOPES
from tests.support.factories import AuthorFactory
from tests.support.rate_limits import set_rate_limits

pytestmark = pytest.mark.django_db
GRANT = "urn:ietf:params:oauth:grant-type:device_code"


@pytest.fixture
def person() -> Any:
    return AuthorFactory.create()


@pytest.fixture
def browser(person: Any, client: Client) -> Client:
    client.force_login(person)
    return client


def request_codes(scope: str = "upload read", client_id: str = "ftk on laptop") -> dict[str, Any]:
    answer = APIClient().post("/api/v1/device/", {"client_id": client_id, "scope": scope}, format="json")
    assert answer.status_code == 200, answer.data
    return dict(answer.data)


def fetch_token(codes: dict[str, Any]) -> dict[str, Any]:
    """Request the token after the polling interval, and return the response."""
    DeviceAuthorizationRequest.objects.update(polled_at=F("polled_at") - timedelta(minutes=2))
    answer = APIClient().post(
        "/api/v1/device/token/", {"grant_type": GRANT, "device_code": codes["device_code"]}, format="json"
    )
    assert answer.status_code == (200 if "access_token" in answer.data else 400)
    assert answer["Cache-Control"] == "no-store"
    return dict(answer.data)


def answer_request(browser: Client, codes: dict[str, Any], answer: str) -> str:
    body = browser.post("/device/", {"code": codes["user_code"], "answer": answer}, follow=True)
    return body.content.decode()


def test_a_signed_in_user_sees_and_approves_a_device_login_request(browser: Client, person: Any) -> None:
    codes = request_codes(client_id="ftk on <laptop>")
    assert re.fullmatch(r"[BCDFGHJKLMNPQRSTVWXZ]{8}", codes["user_code"])
    assert codes["verification_uri"] == "http://testserver/device/"
    assert fetch_token(codes)["error"] == "authorization_pending"
    page = browser.post("/device/", {"code": codes["user_code"]}).content.decode()
    for word in ("ftk on &lt;laptop&gt;", "127.0.0.1", "upload bots in your name", "read your private data"):
        assert word in page
    assert "enter your bots" not in page
    assert fetch_token(codes)["error"] == "authorization_pending", "to look is not to approve"
    assert "has its token" in answer_request(browser, codes, "approve")
    assert not ApiToken.objects.exists(), "it is made when it is fetched"
    given = fetch_token(codes)
    assert (given["token_type"], given["scope"], given["expires_in"]) == ("Bearer", "upload read", 90 * 86_400)
    token = authenticate_token(given["access_token"])
    assert (token.owner, token.name, token.scopes) == (person, "ftk on <laptop>", ["upload", "read"])


def test_a_device_code_can_be_exchanged_for_a_token_only_once(browser: Client) -> None:
    codes = request_codes()
    answer_request(browser, codes, "approve")
    assert "access_token" in fetch_token(codes)
    assert fetch_token(codes)["error"] == "invalid_grant"
    assert ApiToken.objects.count() == 1


def test_a_denied_device_gets_an_error(browser: Client) -> None:
    codes = request_codes()
    assert "got no token" in answer_request(browser, codes, "refuse")
    assert fetch_token(codes)["error"] == "access_denied"
    assert "This code is unknown, expired or already answered" in answer_request(browser, codes, "approve")
    assert not ApiToken.objects.exists()


def test_an_expired_device_code_cannot_be_approved(browser: Client) -> None:
    codes = request_codes()
    DeviceAuthorizationRequest.objects.update(expires_at=timezone.now())
    assert "This code is unknown, expired or already answered" in answer_request(browser, codes, "approve")
    assert fetch_token(codes)["error"] == "expired_token"
    DeviceAuthorizationRequest.objects.update(expires_at=timezone.now() - device_authorization.CODE_LIFETIME * 2)
    request_codes()
    assert fetch_token(codes)["error"] == "invalid_grant"


def test_the_polling_interval_of_a_device_grows_by_five_seconds_each_time_it_polls_too_often() -> None:
    codes = request_codes()
    query = {"grant_type": GRANT, "device_code": codes["device_code"]}
    for interval in (10, 15, 20):
        answer = APIClient().post("/api/v1/device/token/", query, format="json")
        assert (answer.status_code, answer.data["error"]) == (400, "slow_down")
        assert DeviceAuthorizationRequest.objects.get().interval == interval
    assert fetch_token(codes)["error"] == "authorization_pending"


@pytest.mark.parametrize("typed", ["{0}-{1}", " {0} {1} ", "{0}{1}"])
def test_a_device_code_may_be_typed_with_hyphens_blanks_and_lower_case_letters(browser: Client, typed: str) -> None:
    code = request_codes()["user_code"]
    body = browser.post("/device/", {"code": typed.format(code[:4], code[4:]).lower()})
    assert body.status_code == 200


def test_a_device_code_in_the_url_fills_in_the_form_but_approves_nothing(browser: Client) -> None:
    codes = request_codes()
    page = browser.get(codes["verification_uri_complete"]).content.decode()
    assert f'value="{codes["user_code"]}"' in page
    assert "ftk on laptop" not in page
    assert fetch_token(codes)["error"] == "authorization_pending"


def test_sign_in_redirects_back_to_the_device_page_with_the_code(person: Any, client: Client) -> None:
    codes = request_codes()
    onward = client.get(codes["verification_uri_complete"]).headers["Location"]
    assert onward.startswith("/sign-in/?next=")
    [way_in] = re.findall(r'action="(/sign-in/token/[^"]*)"', client.get(onward).content.decode())
    back = client.post(way_in, {"token": create_token(person)}).headers["Location"]
    assert back == f"/device/?code={codes['user_code']}"


def test_a_form_submitted_from_another_site_cannot_approve_a_device(person: Any) -> None:
    codes, elsewhere = request_codes(), Client(enforce_csrf_checks=True)
    elsewhere.force_login(person)
    assert elsewhere.post("/device/", {"code": codes["user_code"], "answer": "approve"}).status_code == 403
    assert Client().post("/device/", {"code": codes["user_code"], "answer": "approve"}).status_code == 302
    assert fetch_token(codes)["error"] == "authorization_pending"


def test_guessing_device_codes_is_rate_limited(browser: Client) -> None:
    codes = [browser.post("/device/", {"code": "BBBBBBBB"}).status_code for _ in range(6)]
    assert codes == [400] * 5 + [429]
    assert browser.post("/device/", {"code": request_codes()["user_code"]}).status_code == 429


def test_requests_for_device_codes_are_rate_limited(settings: Any) -> None:
    set_rate_limits(settings, device="3/hour")
    codes = [APIClient().post("/api/v1/device/", {"client_id": "x"}, format="json").status_code for _ in range(4)]
    assert codes == [200, 200, 200, 429]


def test_a_session_cannot_grant_a_device_more_scopes_than_the_session_has(person: Any, client: Client) -> None:
    client.post("/sign-in/token/", {"token": create_token(person)})
    codes = request_codes("organise upload")
    assert "as an organiser" not in client.post("/device/", {"code": codes["user_code"]}).content.decode()
    answer_request(client, codes, "approve")
    assert fetch_token(codes)["scope"] == "upload"


def test_a_user_at_the_token_limit_sees_a_message_before_approving_a_device(browser: Client, person: Any) -> None:
    codes = request_codes()
    for _ in range(MAX_TOKENS):
        create_token(person)
    assert f"you have {MAX_TOKENS} tokens" in answer_request(browser, codes, "approve")
    assert fetch_token(codes)["error"] == "authorization_pending"


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ({}, "client_id"),
        ({"client_id": "x" * 61}, "client_id"),
        ({"client_id": "two\nlines"}, "client_id"),
        ({"client_id": "x", "scope": "everything"}, "'everything' is not a scope; choose from: upload, enter"),
    ],
)
def test_an_invalid_device_request_gets_an_oauth_error_code(query: dict[str, str], named: str) -> None:
    answer = APIClient().post("/api/v1/device/", query, format="json")
    assert answer.status_code == 400
    assert named in answer.content.decode()
    assert not DeviceAuthorizationRequest.objects.exists()


def test_a_device_request_without_scopes_requests_the_default_scopes_of_an_author() -> None:
    APIClient().post("/api/v1/device/", {"client_id": "x"}, format="json")
    assert DeviceAuthorizationRequest.objects.get().scopes == list(DEFAULT_SCOPES)


def test_only_hashes_of_device_secrets_are_stored() -> None:
    codes = request_codes()
    assert codes["device_code"] not in str(DeviceAuthorizationRequest.objects.values().get())


@pytest.mark.django_db(transaction=True)
def test_only_one_of_many_concurrent_token_requests_for_a_device_succeeds(person: Any) -> None:
    codes = request_codes()
    device_authorization.approve_request(codes["user_code"], person, DEFAULT_SCOPES)
    DeviceAuthorizationRequest.objects.update(interval=0)

    def fetch(_: int) -> bool:
        with closing(connection):
            try:
                return bool(device_authorization.fetch_token(codes["device_code"]).token)
            except device_authorization.DeviceFlowError:
                return False

    with ThreadPoolExecutor(4) as hands:
        assert sum(hands.map(fetch, range(4))) == 1
    assert ApiToken.objects.count() == 1
