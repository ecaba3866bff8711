"""Guessing of tokens: each attempt doubles the wait, across processes and concurrent requests."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from rest_framework.test import APIClient

from bots.access.api_tokens import create_token
from foundation.ratelimits import limits as rate_limits
from foundation.ratelimits.models import RateLimitState
from ftk_core.kit.client.api_token_format import append_checksum
from tests.support.factories import AuthorFactory
from tests.support.processes import read_database_url
from tests.support.rate_limits import set_rate_limits

pytestmark = pytest.mark.django_db(transaction=True)
TRYING = """
import django
django.setup()
from django.conf import settings
from foundation.ratelimits.limits import count_attempt
settings.BACKOFF["wait"] = 900
print(sum(count_attempt("sign-in", "10.0.0.1") == 0 for _ in range(20)))
"""


def sign_in(token: str, address: str) -> int:
    return Client(REMOTE_ADDR=address).post("/sign-in/token/", {"token": token}).status_code


def later(seconds: float) -> None:
    RateLimitState.objects.update(until=F("until") - timedelta(seconds=seconds))


def test_each_failed_sign_in_doubles_the_waiting_time() -> None:
    waits = []
    for _ in range(14):
        assert rate_limits.count_attempt("sign-in", "10.0.0.1") == 0
        waits.append(rate_limits.count_attempt("sign-in", "10.0.0.1") if len(waits) >= 4 else 0)
        later(waits[-1])
    assert waits == [0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900]
    rate_limits.clear_failures("sign-in", "10.0.0.1")
    assert [rate_limits.count_attempt("sign-in", "10.0.0.1") for _ in range(5)] == [0] * 5
    assert rate_limits.count_attempt("sign-in", "10.0.0.1") > 0


@pytest.mark.slow
def test_failed_sign_ins_are_counted_across_processes() -> None:
    environment = {**os.environ, "DATABASE_URL": read_database_url()}
    words = [sys.executable, "-c", TRYING]
    running = [subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert sum(int(process.communicate()[0]) for process in running) == 5


def test_after_failed_sign_ins_with_unknown_tokens_only_the_ip_address_that_sent_them_must_wait(settings: Any) -> None:
    settings.BACKOFF = {**settings.BACKOFF, "wait": 900}
    token = create_token(AuthorFactory.create())
    assert [sign_in("f" * 64, "10.0.0.1") for _ in range(6)] == [400] * 5 + [429]
    assert sign_in(token, "10.0.0.1") == 429
    assert sign_in(token, "10.0.0.2") == 302


@pytest.mark.slow
def test_failed_sign_ins_with_wrong_tokens_of_one_account_delay_that_account_for_all_ip_addresses() -> None:
    token, other = create_token(AuthorFactory.create()), create_token(AuthorFactory.create())
    guess = append_checksum(token[8:15] + "0" * 33)
    assert [sign_in(guess, f"10.0.0.{n}") for n in range(6)] == [400] * 5 + [429]
    assert sign_in(token, "10.0.1.1") == 429
    assert sign_in(other, "10.0.1.1") == 302
    later(3)
    assert sign_in(token, "10.0.1.1") == 302
    assert [sign_in(guess, f"10.0.2.{n}") for n in range(4)] == [400] * 4, "who signed in is forgiven"


def test_failed_sign_ins_are_remembered_for_a_while_after_the_waiting_time() -> None:
    for _ in range(5):
        rate_limits.count_attempt("sign-in", "10.0.0.1")
    later(60)
    assert rate_limits.delete_full_allowances() == 0
    later(1000)
    assert rate_limits.delete_full_allowances() == 1


def test_each_api_token_and_each_user_has_a_rate_limit(settings: Any) -> None:
    set_rate_limits(settings, token="2/hour", person="3/hour")
    author = AuthorFactory.create()
    codes = []
    for token in (create_token(author), create_token(author)):
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
        codes += [client.get("/api/v1/matches/") for _ in range(3)]
    assert [answer.status_code for answer in codes] == [200, 200, 429, 429, 429, 429]
    assert all(int(answer["Retry-After"]) > 0 for answer in codes if answer.status_code == 429)
