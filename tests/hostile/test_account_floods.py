"""Floods of sign-ups, resets and guesses at a password are counted by all processes together."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from django.test import Client

from tests.support.people import sign_in, sign_up, verify
from tests.support.processes import database

pytestmark = pytest.mark.django_db(transaction=True)
FLOOD = """
import django
django.setup()
from django.conf import settings
from django.test import Client
settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
settings.SIGNUP, settings.ALLOWED_HOSTS = "open", ["testserver"]
settings.THROTTLES.update({"sign-up": "4/hour", "reset": "4/hour"})
import sys
made = [Client(REMOTE_ADDR="10.0.0.1").post(sys.argv[1], {
    "username": f"n{sys.argv[2]}{n}", "email": f"n{sys.argv[2]}{n}@example.com", "password1": "a long enough one",
}) for n in range(6)]
print(sum(answer.status_code == 302 for answer in made), sum("Retry-After" in answer.headers for answer in made))
"""


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/sign-up/", "/password/"])
def test_floods_of_sign_ups_and_resets_are_counted_by_all_processes_together(path: str) -> None:
    environment = {**os.environ, "DATABASE_URL": database()}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", FLOOD, path, str(n)], env=environment, stdout=subprocess.PIPE, text=True
        )
        for n in range(3)
    ]
    counts = [[int(word) for word in process.communicate()[0].split()[-2:]] for process in running]
    assert [sum(count) for count in zip(*counts, strict=True)] == [4, 14]


GUESSES = """
import django
django.setup()
from django.conf import settings
from django.test import Client
import sys
settings.ALLOWED_HOSTS = ["testserver"]
for n in range(5):
    Client(REMOTE_ADDR=f"10.0.{sys.argv[1]}.{n}").post("/sign-in/", {"login": "ada@example.com", "password": "guess"})
"""


@pytest.mark.slow
def test_an_accounts_password_is_not_guessed_from_many_addresses_and_processes(settings: Any) -> None:
    settings.SIGNUP = "open"
    ada = Client()
    sign_up(ada)
    verify(ada)
    environment = {**os.environ, "DATABASE_URL": database()}
    running = [subprocess.Popen([sys.executable, "-c", GUESSES, str(n)], env=environment) for n in range(2)]
    assert [process.wait() for process in running] == [0, 0]
    refused = sign_in(Client(REMOTE_ADDR="10.9.9.9"))
    assert refused.status_code == 200
    assert "Too many failed login attempts" in refused.content.decode()
