"""Sign-up and sign-in as a browser does it, including reading of mail."""

from __future__ import annotations

import re
import time
from typing import Any

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client

PASSWORD = "a long enough one"
CODE = re.compile(r"^[A-Z0-9]{3,4}-?[A-Z0-9]{3,4}$", re.MULTILINE)


def sign_up(client: Client, name: str = "ada", email: str = "", password: str = PASSWORD, **more: Any) -> Any:
    """Submit the form for a new account; return the response."""
    said = {"username": name, "email": email or f"{name}@example.com", "password1": password, **more}
    return client.post("/sign-up/", said)


def read_mailed_code() -> str:
    """Return the code in the newest mail."""
    return CODE.findall(mail.outbox[-1].body)[0]


def submit_mailed_code(client: Client) -> Any:
    """Submit the code of the newest mail."""
    return client.post("/sign-up/confirm/", {"code": read_mailed_code()})


def sign_in(client: Client, email: str = "ada@example.com", password: str = PASSWORD, onward: str = "") -> Any:
    """Sign in with a password; return the response."""
    return client.post("/sign-in/", {"login": email, "password": password, **({"next": onward} if onward else {})})


def open_session(person: User) -> Client:
    """Return a new browser in which a person is signed in."""
    client = Client()
    client.force_login(person)
    return client


def open_token_session(token: str, browser: str = "Firefox") -> Client:
    """Return a new browser in which a token was used to sign in."""
    client = Client(headers={"User-Agent": browser})
    assert client.post("/sign-in/token/", {"token": token}).status_code == 302
    return client


def open_invitation(client: Client, link: str) -> str:
    """Open the link of an invitation and return the page after all redirects."""
    answer = client.get(link, follow=True)
    assert [path for path, _ in answer.redirect_chain] == ["/sign-up/"], "at once, to an address without the token"
    return str(answer.content.decode())


def is_signed_in(client: Client) -> bool:
    """Return True if the client is signed in."""
    return client.get("/account/").status_code == 200


def compute_totp(secret: str) -> str:
    """Return the current code of an authenticator app; callers must tolerate the end of its half minute."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30)))
