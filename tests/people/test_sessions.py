"""Every session is listed with how it began, whichever way that was, and ends as its person wants."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.models import User
from django.test import Client

from bots.tokens import new_token
from people.models import SignIn
from tests.support.migrating import migrated_back
from tests.support.people import PASSWORD, code, is_in, one_time, sign_in, sign_up, verify

pytestmark = pytest.mark.django_db(transaction=True)
NEW = "another long enough one"


@pytest.fixture
def ada(settings: Any) -> Client:
    settings.SIGNUP = "open"
    client = Client(headers={"User-Agent": "Lynx"})
    sign_up(client)
    verify(client)
    return client


def ways() -> list[str]:
    return list(SignIn.objects.order_by("pk").values_list("way", flat=True))


def test_a_session_says_how_it_began(ada: Client, settings: Any) -> None:
    settings.MFA_TOTP_TOLERANCE = 1
    owner = User.objects.get()
    sign_in(Client())
    Client().post("/sign-in/token/", {"token": new_token(owner)})
    secret = generate_totp_secret()
    TOTP.activate(owner, secret)
    careful = Client()
    sign_in(careful)
    careful.post("/account/safety/authenticate/", {"code": one_time(secret)})
    assert is_in(careful)
    assert ways() == ["sign-up", "password", "token", "password, totp"]
    page = ada.get("/account/").content.decode()
    assert page.count("password, totp") == page.count("(this one)") == 1


def test_a_session_that_began_with_a_password_is_ended_from_another(ada: Client) -> None:
    other = Client()
    sign_in(other)
    assert is_in(other)
    ada.post("/account/sessions/", {"end": str(SignIn.objects.latest("pk").pk)})
    assert (is_in(other), is_in(ada)) == (False, True)


def test_a_new_password_ends_all_other_sessions_and_the_one_here_is_still_listed(ada: Client) -> None:
    other = Client()
    sign_in(other)
    ada.post("/account/password/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert (is_in(other), is_in(ada)) == (False, True)
    assert SignIn.objects.count() == 1
    assert "(this one)" in ada.get("/account/").content.decode()


def test_a_password_that_was_reset_by_a_code_ends_all_sessions(ada: Client) -> None:
    lost = Client()
    lost.post("/password/", {"email": "ada@example.com"})
    lost.post("/password/confirm/", {"code": code()})
    lost.post("/password/new/", {"password1": NEW, "password2": NEW})
    assert not is_in(lost), "who has the mail has not the second factor yet: they sign in"
    assert not is_in(ada)
    assert sign_in(Client()).status_code == 200
    assert sign_in(Client(), password=NEW).status_code == 302


def test_who_has_had_nothing_but_a_token_sets_a_password_and_adds_an_address() -> None:
    tim, client = User.objects.create_user("tim"), Client()
    client.post("/sign-in/token/", {"token": new_token(tim)})
    assert client.get("/account/password/").headers["Location"] == "/account/password/set/"
    client.post("/account/email/", {"action_add": "", "email": "tim@example.com"})
    client.post("/sign-up/confirm/", {"code": code()})
    client.post("/account/password/set/", {"password1": PASSWORD, "password2": PASSWORD})
    assert is_in(client)
    again = Client()
    sign_in(again, "tim@example.com")
    assert is_in(again)


@pytest.mark.slow
def test_sessions_from_before_there_were_passwords_are_kept_by_the_migration() -> None:
    row = {"key": "k" * 32, "token": "t" * 15, "address": "10.0.0.1", "browser": "Lynx"}
    with migrated_back(("bots", "0006_names_end"), ("people", None)) as then:
        owner = then.get_model("auth", "User").objects.create(username="ada")
        then.get_model("bots", "SignIn").objects.create(owner=owner, **row)
    kept = SignIn.objects.get()
    assert {name: getattr(kept, name) for name in row} == row
    assert (kept.owner.username, kept.way) == ("ada", "token")
