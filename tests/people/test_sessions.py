"""List of a person's sessions, and their end by the owner."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from bots.access.api_tokens import create_token
from people.models import SignIn
from tests.support.people import (
    PASSWORD,
    compute_totp,
    is_signed_in,
    read_mailed_code,
    sign_in,
    sign_up,
    submit_mailed_code,
)

pytestmark = pytest.mark.django_db(transaction=True)
NEW = "another long enough one"


@pytest.fixture
def ada(settings: Any) -> Client:
    settings.SIGNUP = "open"
    client = Client(headers={"User-Agent": "Lynx"})
    sign_up(client)
    submit_mailed_code(client)
    return client


def ways() -> list[str]:
    return list(SignIn.objects.order_by("pk").values_list("way", flat=True))


def test_only_an_existing_session_of_the_same_person_can_be_ended(ada: Client) -> None:
    session = SignIn.objects.get()
    for number in (session.pk + 1, 10**12, "x"):
        page = ada.post("/account/sessions/", {"end": number}, follow=True).content.decode()
        assert "You have no such session." in page
    sign_in(other := Client())
    page = other.post("/account/sessions/", {"end": session.pk}, follow=True).content.decode()
    assert "The session is ended." in page
    assert not is_signed_in(ada)


def test_a_person_who_signed_in_with_a_token_can_request_a_new_password(ada: Client) -> None:
    by_token = Client()
    by_token.post("/sign-in/token/", {"token": create_token(User.objects.get())})
    assert by_token.post("/password/", {"email": "ada@example.com"}).status_code == 302
    assert ada.get("/account/").status_code == 200


@pytest.mark.slow
def test_the_list_of_sessions_shows_how_each_session_was_authenticated(ada: Client, settings: Any) -> None:
    settings.MFA_TOTP_TOLERANCE = 1
    owner = User.objects.get()
    sign_in(Client())
    token = create_token(owner)
    Client().post("/sign-in/token/", {"token": token})
    secret = generate_totp_secret()
    TOTP.activate(owner, secret)
    careful = Client()
    sign_in(careful)
    careful.post("/account/safety/authenticate/", {"code": compute_totp(secret)})
    assert is_signed_in(careful)
    assert ways() == ["sign-up", "password", "token", "password, totp"]
    page = ada.get("/account/sessions/").content.decode()
    shown = re.findall(r"<li><code>(.*?)</code>.*?(\(this one\))?</span>", page)
    assert shown == [("password, totp", ""), (f"{token[:15]}…", ""), ("password", ""), ("sign-up", "(this one)")]


@pytest.mark.slow
def test_changing_the_password_ends_all_other_sessions(ada: Client) -> None:
    others = [Client(), Client()]
    for other in others:
        sign_in(other)
    assert [is_signed_in(client) for client in (*others, ada)] == [True, True, True]
    ada.post("/account/password/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert [is_signed_in(client) for client in (*others, ada)] == [False, False, True]
    assert SignIn.objects.count() == 1
    assert "(this one)" in ada.get("/account/sessions/").content.decode()


@pytest.mark.slow
def test_resetting_the_password_with_a_mailed_code_ends_all_sessions(ada: Client) -> None:
    lost, other = Client(), Client()
    sign_in(other)
    assert (is_signed_in(other), is_signed_in(ada), SignIn.objects.count()) == (True, True, 2)
    lost.post("/password/", {"email": "ada@example.com"})
    lost.post("/password/confirm/", {"code": read_mailed_code()})
    lost.post("/password/new/", {"password1": NEW, "password2": NEW})
    assert not is_signed_in(lost), "who has the mail has not the second factor yet: they sign in"
    assert (is_signed_in(other), is_signed_in(ada), SignIn.objects.count()) == (False, False, 0)
    assert sign_in(Client()).status_code == 200
    assert sign_in(Client(), password=NEW).status_code == 302


@pytest.mark.slow
def test_an_account_created_by_the_token_command_can_set_a_password_by_mailed_code() -> None:
    client, printed = Client(), StringIO()
    call_command("token", "tim", "--email", "Tim@example.com", stdout=printed)
    client.post("/sign-in/token/", {"token": printed.getvalue().strip()})
    assert {client.get(f"/account/{page}/").status_code for page in ("password/set", "email")} == {403}
    client.post("/sign-out/")
    client.post("/password/", {"email": "tim@example.com"})
    client.post("/password/confirm/", {"code": read_mailed_code()})
    client.post("/password/new/", {"password1": PASSWORD, "password2": PASSWORD})
    again = Client()
    sign_in(again, "tim@example.com")
    assert is_signed_in(again)
    assert again.get("/account/email/").status_code == 200


def test_the_token_command_refuses_an_email_address_that_another_account_uses(ada: Client) -> None:
    with pytest.raises(CommandError, match="another account"):
        call_command("token", "tim", "--email", "ADA@example.com")
    assert not User.objects.filter(username="tim").exists()
