"""Somebody who signs up and in, as a browser does it, and reads the mail."""

from __future__ import annotations

import re
import time
from typing import Any

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core import mail
from django.test import Client

PASSWORD = "a long enough one"
CODE = re.compile(r"^[A-Z0-9]{3,4}-?[A-Z0-9]{3,4}$", re.MULTILINE)


def sign_up(client: Client, name: str = "ada", email: str = "", password: str = PASSWORD, **more: Any) -> Any:
    """Fill in the form for a new account; returns the answer."""
    said = {"username": name, "email": email or f"{name}@example.com", "password1": password, **more}
    return client.post("/sign-up/", said)


def code() -> str:
    """Return the code in the newest mail."""
    return CODE.findall(mail.outbox[-1].body)[0]


def verify(client: Client) -> Any:
    """Type the code of the newest mail in."""
    return client.post("/sign-up/confirm/", {"code": code()})


def sign_in(client: Client, email: str = "ada@example.com", password: str = PASSWORD, onward: str = "") -> Any:
    """Sign in with a password; returns the answer."""
    return client.post("/sign-in/", {"login": email, "password": password, **({"next": onward} if onward else {})})


def is_in(client: Client) -> bool:
    """Tell whether somebody is signed in."""
    return client.get("/account/").status_code == 200


def one_time(secret: str) -> str:
    """Return what an authenticator app shows now; tests that use it allow for the half minute to end meanwhile."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30)))
