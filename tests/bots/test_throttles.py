"""Rate limits per person and per address, shared by all processes, with the time to retry."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections
from django.db.models import F
from django.test import Client, RequestFactory
from rest_framework.test import APIClient

from bots import upload_checks
from bots.models import BotVersion
from foundation.ratelimits import limits
from foundation.ratelimits.models import RateLimitState
from ftk_core.kit.built_in_bots import list_built_in_bots
from tests.support.factories import AuthorFactory
from tests.support.processes import read_database_url
from tests.support.rate_limits import set_rate_limits
from tests.support.served import serve
from tests.support.uploads import create_api_client, upload

pytestmark = pytest.mark.django_db(transaction=True)

SPENDING = """
import sys, django
django.setup()
from django.conf import settings
from foundation.ratelimits.limits import charge_or_wait
settings.THROTTLES["person"] = "50/hour"
print(sum(charge_or_wait("person", "#1") == 0 for _ in range(40)))
"""


@pytest.mark.slow
def test_concurrent_requests_over_the_rate_limit_are_refused_with_a_retry_time(settings: Any) -> None:
    set_rate_limits(settings, anonymous="100/hour")

    def ask(client: httpx.Client) -> tuple[int, str]:
        answer = client.get("/api/v1/matches/")
        return answer.status_code, answer.headers.get("Retry-After", "")

    with serve() as web, httpx.Client(base_url=web.address, timeout=60) as client, ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(ask, [client] * 160))
    assert sum(code == 200 for code, _ in answers) == 100
    assert all(0 < int(seconds) <= 60 for code, seconds in answers if code == 429)
    assert {code for code, _ in answers} == {200, 429}


@pytest.mark.slow
def test_a_rate_limit_is_shared_by_all_processes() -> None:
    environment = {**os.environ, "DATABASE_URL": read_database_url()}
    command = [sys.executable, "-c", SPENDING]
    running = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert sum(int(process.communicate()[0]) for process in running) == 50


def test_the_allowance_of_a_rate_limit_refills_at_a_constant_rate(settings: Any) -> None:
    set_rate_limits(settings, person="10/min")
    assert [limits.charge_or_wait("person", "#1") for _ in range(10)] == [0] * 10
    assert limits.charge_or_wait("person", "#1") == 6
    RateLimitState.objects.filter(key="person #1").update(until=F("until") - timedelta(seconds=6))
    assert limits.charge_or_wait("person", "#1") == 0
    assert limits.charge_or_wait("person", "#1") > 0
    assert limits.charge_or_wait("person", "#2") == 0, "each has an own one"
    assert limits.charge_or_wait("upload", "#1") == 0, "in each scope"


def test_the_rate_limit_headers_list_each_limit_once_with_its_remaining_requests(settings: Any, client: Client) -> None:
    set_rate_limits(settings, person="10/min", enter="4/min")
    client.force_login(AuthorFactory.create())
    for left in (3, 2):
        answer = client.get("/api/v1/challenges/")
        names = re.findall(r'"(\w+)";r=(\d+)', answer.headers["RateLimit"])
        assert names == [("person", str(left + 6)), ("enter", str(left))]
        assert re.findall(r'"(\w+)";q', answer.headers["RateLimit-Policy"]) == ["person", "enter"]


def test_a_rate_limit_record_is_deleted_once_its_full_allowance_is_available_again(settings: Any) -> None:
    set_rate_limits(settings, person="10/s")
    limits.charge_or_wait("person", "#1")
    deadline = time.monotonic() + 10
    while not limits.delete_full_allowances():
        assert time.monotonic() < deadline
    assert not RateLimitState.objects.exists()


def test_uploads_are_rate_limited_per_person_and_per_address(settings: Any) -> None:
    set_rate_limits(settings, upload="3/hour")
    author, other = create_api_client(AuthorFactory.create()), create_api_client(AuthorFactory.create())
    codes = [upload(author, bot=f"b{n}").status_code for n in range(4)]
    assert codes == [201, 201, 201, 429]
    assert upload(other, bot="c").status_code == 429, "the same address"
    answer = other.post("/api/v1/bots/uploads/", REMOTE_ADDR="10.1.1.1")
    assert answer.status_code == 400, "another person at another address"
    answer = author.post("/api/v1/bots/uploads/", REMOTE_ADDR="10.1.1.2")
    assert (answer.status_code, int(answer["Retry-After"]) > 0) == (429, True)


def test_the_number_of_waiting_trials_per_author_is_limited(settings: Any) -> None:
    author = AuthorFactory.create()
    codes = [upload(create_api_client(author), bot=f"b{n}") for n in range(6)]
    assert [answer.status_code for answer in codes] == [201] * 5 + [429]
    assert codes[-1].data["code"] == "trials_waiting"
    assert int(codes[-1]["Retry-After"]) == upload_checks.RETRY_SECONDS
    BotVersion.objects.filter(bot__slug="b0").update(status="active")
    assert upload(create_api_client(author), bot="b5").status_code == 201
    settings.UPLOAD_ROOM = {**settings.UPLOAD_ROOM, "trials": 5}
    assert upload(create_api_client(AuthorFactory.create()), bot="c").status_code == 429


@pytest.mark.slow
def test_concurrent_uploads_cannot_exceed_the_limit_of_waiting_trials() -> None:
    author = AuthorFactory.create()

    def send(number: int) -> int:
        try:
            return int(upload(create_api_client(author), bot=f"b{number}").status_code)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        codes = sorted(pool.map(send, range(8)))
    assert codes == [201] * 5 + [429] * 3


@pytest.mark.parametrize(("limit", "code"), [({"stored_each": 1}, "stored"), ({"least_free": 2**62}, "disk_full")])
def test_an_upload_over_the_storage_limit_is_not_stored(settings: Any, limit: dict[str, int], code: str) -> None:
    client = create_api_client(AuthorFactory.create())
    upload(client, bot="first")
    settings.UPLOAD_ROOM = {**settings.UPLOAD_ROOM, **limit}
    answer = upload(client, bot="second")
    assert (answer.status_code, answer.data["code"]) == (507, code)


def test_rate_limits_apply_to_html_pages_as_well_as_to_the_api(settings: Any, client: Client) -> None:
    set_rate_limits(settings, sign_in="2/hour", upload="1/hour")
    assert [client.post("/sign-in/token/", {"token": "x"}).status_code for _ in range(3)] == [400, 400, 429]
    client.force_login(AuthorFactory.create())
    body = list_built_in_bots("pig")["hold20"].read_bytes()
    for code in (302, 429):
        form = {"game": "pig", "bot": "ada", "file": SimpleUploadedFile("bot.py", body)}
        answer = client.post("/account/", form)
        assert answer.status_code == code
    assert 0 < int(answer["Retry-After"]) <= 3600
    set_rate_limits(settings, request="1/hour")
    fresh = {"REMOTE_ADDR": "10.0.0.9"}  # a new address, because the allowance of the old one has not refilled yet
    assert [client.get("/games/pig/", **fresh).status_code for _ in range(2)] == [200, 429]


def test_requests_with_invalid_tokens_are_rate_limited(settings: Any) -> None:
    set_rate_limits(settings, request="5/hour")
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION="Token " + "0" * 64)
    assert [client.get("/api/v1/matches/").status_code for _ in range(6)] == [401] * 5 + [429]


@pytest.mark.parametrize(
    ("proxies", "chain", "address"),
    [
        (0, "6.6.6.6", "10.0.0.9"),
        (1, "6.6.6.6", "6.6.6.6"),
        (1, "1.1.1.1, 6.6.6.6", "6.6.6.6"),
        (2, "1.1.1.1, 6.6.6.6, 10.0.0.1", "6.6.6.6"),
        (2, "6.6.6.6", "10.0.0.9"),
        (1, "", "10.0.0.9"),
        (1, "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        (1, "::ffff:6.6.6.6", "6.6.6.6"),
        (1, "x" * 1000, "x" * 60),
    ],
)
def test_x_forwarded_for_is_trusted_from_known_proxies_only(
    settings: Any, proxies: int, chain: str, address: str
) -> None:
    settings.PROXIES = proxies
    request = RequestFactory().get("/", REMOTE_ADDR="10.0.0.9", HTTP_X_FORWARDED_FOR=chain)
    assert limits.request_address(request) == address


@pytest.mark.slow
def test_a_direct_client_cannot_evade_rate_limits_with_x_forwarded_for(settings: Any) -> None:
    set_rate_limits(settings, anonymous="2/hour")
    with serve() as web, httpx.Client(base_url=web.address) as client:
        asked = [client.get("/api/v1/matches/", headers={"X-Forwarded-For": f"6.6.6.{n}"}) for n in range(3)]
    assert [answer.status_code for answer in asked] == [200, 200, 429]


@pytest.mark.slow
def test_static_files_are_not_rate_limited(settings: Any) -> None:
    set_rate_limits(settings, request="1/hour")
    folder = Path("frontend/static")
    file = next(file for file in sorted(folder.rglob("*")) if file.suffix in (".js", ".css", ".svg", ".woff2"))
    with serve() as web:
        answers = [httpx.get(f"{web.address}/static/{file.relative_to(folder)}") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200] * 3
    for answer in answers:
        answer.close()
    assert not RateLimitState.objects.exists()


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("/api/v1/matches/?bots=ada", 400),
        ("/api/v1/matches/?bot=ada", 200),
        ("/api/v1/matches/?game=pig&status=closed&limit=1&after=", 200),
        ("/api/v1/bots/?q=ada", 400),
        ("/api/v1/bots/?game=pig", 200),
        ("/search/?q=ada", 400),
        ("/search/?game=pig", 200),
    ],
)
def test_an_unknown_query_parameter_is_refused(client: Client, address: str, code: int) -> None:
    answer = client.get(address)
    assert answer.status_code == code, answer.content
    if code == 400:
        assert ("bot" if "bot=" in address else "q") in answer.content.decode()


@pytest.mark.parametrize("text", ["", "10", "0/min", "-1/min", "ten/min", "10/year", "10/"])
def test_an_invalid_rate_limit_setting_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="a rate is like 120/min"):
        limits.read_rate(text)


def test_a_rate_limit_refuses_requests_for_at_most_its_period_after_the_clock_was_set_back(settings: Any) -> None:
    set_rate_limits(settings, person="10/min")
    limits.charge_or_wait("person", "#1")
    RateLimitState.objects.update(until=F("until") + timedelta(hours=1))
    assert limits.charge_or_wait("person", "#1") == 0
    assert limits.charge_or_wait("person", "#1") == 6, "one request has used the whole allowance"


def test_failed_attempts_wait_no_longer_than_the_longest_pause_after_the_clock_was_set_back(settings: Any) -> None:
    settings.BACKOFF = {"free": 1, "wait": 10, "longest": 40}
    assert limits.count_attempt("sign-in", "#1") == 0
    RateLimitState.objects.update(until=F("until") + timedelta(hours=1))
    assert limits.count_attempt("sign-in", "#1") == 0
    assert limits.count_attempt("sign-in", "#1") == 20
