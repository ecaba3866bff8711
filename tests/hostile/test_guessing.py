"""Who tries tokens out waits longer each time, whichever process is asked and however many come at once."""

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

from bots.models import Allowance
from bots.tokens import new_token
from foundation import throttles
from ftk_core.kit.tokens import with_checksum
from tests.support.allowances import rates
from tests.support.factories import AuthorFactory
from tests.support.processes import database

pytestmark = pytest.mark.django_db(transaction=True)
TRYING = """
import django
django.setup()
from django.conf import settings
from foundation.throttles import attempt
settings.BACKOFF["wait"] = 900
print(sum(attempt("sign-in", "10.0.0.1") == 0 for _ in range(20)))
"""


def sign_in(token: str, address: str) -> int:
    return Client(REMOTE_ADDR=address).post("/sign-in/token/", {"token": token}).status_code


def later(seconds: float) -> None:
    Allowance.objects.update(until=F("until") - timedelta(seconds=seconds))


def test_each_failure_makes_the_next_try_wait_twice_as_long() -> None:
    waits = []
    for _ in range(14):
        assert throttles.attempt("sign-in", "10.0.0.1") == 0
        waits.append(throttles.attempt("sign-in", "10.0.0.1") if len(waits) >= 4 else 0)
        later(waits[-1])
    assert waits == [0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900]
    throttles.succeeded("sign-in", "10.0.0.1")
    assert [throttles.attempt("sign-in", "10.0.0.1") for _ in range(5)] == [0] * 5
    assert throttles.attempt("sign-in", "10.0.0.1") > 0


@pytest.mark.slow
def test_processes_count_failures_together() -> None:
    environment = {**os.environ, "DATABASE_URL": database()}
    words = [sys.executable, "-c", TRYING]
    running = [subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert sum(int(process.communicate()[0]) for process in running) == 5


def test_an_address_that_guesses_waits_and_another_does_not(settings: Any) -> None:
    settings.BACKOFF = {**settings.BACKOFF, "wait": 900}
    token = new_token(AuthorFactory.create())
    assert [sign_in("f" * 64, "10.0.0.1") for _ in range(6)] == [400] * 5 + [429]
    assert sign_in(token, "10.0.0.1") == 429
    assert sign_in(token, "10.0.0.2") == 302


def test_an_account_that_is_guessed_at_waits_from_all_addresses_and_others_do_not() -> None:
    token, other = new_token(AuthorFactory.create()), new_token(AuthorFactory.create())
    guess = with_checksum(token[8:15] + "0" * 33)
    assert [sign_in(guess, f"10.0.0.{n}") for n in range(6)] == [400] * 5 + [429]
    assert sign_in(token, "10.0.1.1") == 429
    assert sign_in(other, "10.0.1.1") == 302
    later(3)
    assert sign_in(token, "10.0.1.1") == 302
    assert [sign_in(guess, f"10.0.2.{n}") for n in range(4)] == [400] * 4, "who signed in is forgiven"


def test_what_failed_is_remembered_for_a_while_after_its_wait_is_over() -> None:
    for _ in range(5):
        throttles.attempt("sign-in", "10.0.0.1")
    later(60)
    assert throttles.forget_full() == 0
    later(1000)
    assert throttles.forget_full() == 1


def test_each_token_of_a_person_has_an_allowance_and_the_person_one_for_all(settings: Any) -> None:
    rates(settings, token="2/hour", person="3/hour")
    author = AuthorFactory.create()
    codes = []
    for token in (new_token(author), new_token(author)):
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
        codes += [client.get("/api/v1/matches/") for _ in range(3)]
    assert [answer.status_code for answer in codes] == [200, 200, 429, 429, 429, 429]
    assert all(int(answer["Retry-After"]) > 0 for answer in codes if answer.status_code == 429)
