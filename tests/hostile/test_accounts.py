"""Attacks on accounts, forms and sessions."""

from __future__ import annotations

import logging
import re
from io import StringIO
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client

from bots.access.api_tokens import create_token
from people.invitations import invite
from people.models import Invitation, SignIn
from people.person_roles import is_organiser, make_organiser
from tests.support.people import (
    PASSWORD,
    compute_totp,
    is_signed_in,
    read_mailed_code,
    sign_in,
    sign_up,
    submit_mailed_code,
)
from tests.support.rate_limits import set_rate_limits

pytestmark = pytest.mark.django_db(transaction=True)
FORMS = (
    "/sign-in/",
    "/sign-in/token/",
    "/sign-up/",
    "/sign-out/",
    "/password/",
    "/account/",
    "/account/email/",
    "/account/password/",
    "/account/leave/",
    "/account/export/",
    "/account/sessions/",
    "/account/tokens/",
    "/invitations/",
)


def account(name: str = "ada") -> User:
    return User.objects.get(username=name)


def test_forms_from_another_site_are_refused(ada: Client) -> None:
    make_organiser(account())
    strict, own = Client(enforce_csrf_checks=True), Client()
    for path in FORMS:
        for client in (strict, own):
            client.force_login(account())
        codes = (strict.post(path, {"name": "eve"}).status_code, own.post(path, {"name": "eve"}).status_code)
        assert (codes[0], codes[1] in (200, 302, 400)) == (403, True), path


@pytest.mark.slow
def test_account_pages_cannot_be_framed(ada: Client) -> None:
    for path in ("/sign-in/", "/sign-up/", "/account/", "/account/safety/", "/password/"):
        for client in (ada, Client()):
            answer = client.get(path)
            assert answer.headers["X-Frame-Options"] == "DENY"
            assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "onward", ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "javascript:x"]
)
def test_no_form_redirects_to_another_site(ada: Client, onward: str) -> None:
    there = {"next": onward}
    answers = [
        sign_in(Client(), onward=onward),
        Client().post(f"/sign-in/?next={onward}", {"login": "ada@example.com", "password": PASSWORD}),
        Client().post(f"/sign-in/token/?next={onward}", {"token": create_token(account())}),
        ada.post("/account/confirm/", {"password": PASSWORD, **there}),
        ada.post("/sign-out/", there),
    ]
    assert [answer.status_code for answer in answers] == [302] * len(answers)
    assert {answer.headers["Location"] for answer in answers} <= {"/account/", "/"}


@pytest.mark.slow
def test_sign_in_replaces_a_fixated_session(ada: Client) -> None:
    for way in (sign_in, lambda client: client.post("/sign-in/token/", {"token": create_token(account())})):
        victim = Client()
        Invitation.objects.all().delete()
        make_organiser(account())
        victim.get(f"/invitation/{invite(account(), 'author', 1)}/")  # opening an invitation creates a session
        foisted = victim.cookies["sessionid"].value
        way(victim)
        assert is_signed_in(victim)
        assert victim.cookies["sessionid"].value != foisted
        assert not is_signed_in(Client(headers={"Cookie": f"sessionid={foisted}"}))


@pytest.mark.slow
def test_no_secret_appears_in_a_url_or_in_the_log(caplog: pytest.LogCaptureFixture, settings: Any) -> None:
    settings.SIGNUP = "invite"
    caplog.set_level(logging.DEBUG)
    organiser = User.objects.create_user("olga")
    make_organiser(organiser)
    link, client = invite(organiser, "author", 1), Client()
    answers = [client.get(f"/invitation/{link}/"), Client().get(f"/invitation/{link}x/"), sign_up(client)]
    secrets = [link, read_mailed_code()]
    answers += [
        submit_mailed_code(client),
        client.get("/account/"),
        Client().post("/password/", {"email": "ada@example.com"}),
    ]
    secrets += [read_mailed_code(), PASSWORD]
    token = create_token(account())
    answers += [
        Client().post("/sign-in/token/", {"token": token}),
        Client().post("/sign-in/token/", {"token": f"{token}x"}),
    ]
    secrets += [token]
    told = caplog.text + "".join(answer.headers.get("Location", "") for answer in answers)
    assert [secret for secret in secrets if secret in told] == []
    assert not re.search(r"https?://\S+[?&=/][\w-]{20,}", "".join(str(message.body) for message in mail.outbox))


def test_secrets_in_refused_urls_are_redacted_in_the_log(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    set_rate_limits(settings, request="1/hour")
    client, log = Client(), StringIO()
    [console] = [handler for handler in logging.getLogger().handlers if handler.name == "console"]
    monkeypatch.setattr(console, "stream", log)
    for path in ("/", "/invitation/of-256-bits/", "/sign-in/with/oidc/?code=one-more&x=1"):
        client.get(path)
    told = log.getvalue()
    assert "/invitation/..." in told
    assert "of-256-bits" not in told
    assert "one-more" not in told


def seen(answer: Any) -> tuple[int, str, str]:
    """Return what a stranger sees of a response, without the names that they typed themselves."""
    page = re.sub(r'csrfmiddlewaretoken" value="\w+"', "", answer.content.decode())
    return answer.status_code, answer.headers.get("Location", ""), re.sub(r"(ada|eve)(@example\.com)?", "X", page)


@pytest.mark.slow
def test_no_response_reveals_whether_an_email_address_has_an_account(ada: Client) -> None:
    for path, form in (
        ("/sign-in/", {"login": "{}", "password": "wrong and long"}),
        ("/password/", {"email": "{}"}),
        ("/sign-up/", {"username": "name", "email": "{}", "password1": PASSWORD}),
    ):
        answers = []
        cache.clear()  # as some time later: an address, known or not, gets at most one mail in ten seconds
        for email in ("ada@example.com", "eve@example.com"):
            client = Client()
            answers.append(seen(client.post(path, {word: said.format(email) for word, said in form.items()})))
            if answers[-1][1]:
                answers.append(seen(client.get(answers[-1][1])))
            User.objects.filter(username="name").delete()
        half = len(answers) // 2
        assert answers[:half] == answers[half:], path


def test_extra_form_fields_grant_no_rights(settings: Any) -> None:
    settings.SIGNUP = "open"
    more = {"is_staff": "1", "is_superuser": "1", "groups": "1", "role": "organiser", "is_active": "1", "id": "1"}
    client = Client()
    sign_up(client, **more)
    submit_mailed_code(client)
    client.post(
        "/account/email/", {"action_add": "", "email": "more@example.com", "verified": "1", "primary": "1", **more}
    )
    ada = account()
    assert (ada.is_staff, ada.is_superuser, is_organiser(ada), ada.email) == (False, False, False, "ada@example.com")
    assert list(ada.emailaddress_set.filter(verified=True).values_list("email", flat=True)) == ["ada@example.com"]


@pytest.mark.slow
def test_a_user_who_sends_the_ids_of_objects_of_another_user_cannot_change_those_objects(ada: Client) -> None:
    from allauth.mfa.models import Authenticator

    eve, owner = Client(), account()
    sign_up(eve, "eve")
    submit_mailed_code(eve)
    key = Authenticator.objects.create(user=owner, type="webauthn", data={"name": "key"})
    session = SignIn.objects.get(owner=owner)
    make_organiser(owner)
    invite(owner, "organiser", 1)
    eve.post("/account/confirm/", {"password": PASSWORD})
    eve.post("/account/sessions/", {"end": str(session.pk)})
    eve.post("/account/tokens/", {"revoke": create_token(owner)[:15]})
    eve.post("/account/email/", {"action_remove": "", "email": "ada@example.com"})
    codes = [eve.post(f"/account/safety/webauthn/keys/{key.pk}/{act}/").status_code for act in ("remove", "edit")]
    codes += [
        eve.get("/invitations/").status_code,
        eve.post("/invitations/", {"role": "organiser", "days": "1"}).status_code,
    ]
    codes += [eve.post("/invitations/", {"revoke": str(Invitation.objects.get().pk)}).status_code]
    assert codes == [404, 404, 403, 403, 403]
    assert is_signed_in(ada)
    assert Invitation.objects.count() == Authenticator.objects.count() == owner.tokens.count() == 1
    assert owner.emailaddress_set.count() == 1


def test_guessing_confirmation_codes_is_refused_with_a_retry_time(ada: Client, settings: Any) -> None:
    set_rate_limits(settings, sign_in="3/hour")
    answers = [Client().post("/password/confirm/", {"code": "X"}) for _ in range(4)]
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["Retry-After"]) > 0


@pytest.mark.slow
def test_a_one_time_code_works_once_across_all_processes(ada: Client, settings: Any) -> None:
    settings.MFA_TOTP_TOLERANCE = 1
    secret = generate_totp_secret()
    TOTP.activate(account(), secret)
    said = compute_totp(secret)
    first, second = Client(), Client()
    for client in (first, second):
        assert sign_in(client).headers["Location"].startswith("/account/safety/authenticate/")
        client.post("/account/safety/authenticate/", {"code": said})
    assert (is_signed_in(first), is_signed_in(second)) == (True, False)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM people_cache WHERE cache_key LIKE '%%totp%%'")
        assert cursor.fetchone() == (1,), "all processes see which code was used"


def test_a_token_cannot_sign_in_to_an_account_with_a_second_factor(ada: Client) -> None:
    TOTP.activate(account(), generate_totp_secret())
    answer = Client().post("/sign-in/token/", {"token": create_token(account())})
    assert answer.status_code == 400
    assert "second factor" in answer.content.decode()
