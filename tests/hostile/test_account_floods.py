"""Rate limits of sign-ups, resets and password guesses, counted across processes."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from django.test import Client

from tests.support.people import sign_in, sign_up, submit_mailed_code
from tests.support.processes import read_database_url

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
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


@pytest.mark.nightly
@pytest.mark.parametrize("path", ["/sign-up/", "/password/"])
def test_sign_ups_and_password_resets_are_rate_limited_across_processes(path: str) -> None:
    environment = {**os.environ, "DATABASE_URL": read_database_url()}
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


def test_guessing_one_password_from_many_ip_addresses_is_rate_limited(settings: Any) -> None:
    settings.SIGNUP = "open"
    ada = Client()
    sign_up(ada)
    submit_mailed_code(ada)
    environment = {**os.environ, "DATABASE_URL": read_database_url()}
    running = [subprocess.Popen([sys.executable, "-c", GUESSES, str(n)], env=environment) for n in range(2)]
    assert [process.wait() for process in running] == [0, 0]
    refused = sign_in(Client(REMOTE_ADDR="10.9.9.9"))
    assert refused.status_code == 200
    assert "Too many failed login attempts" in refused.content.decode()
