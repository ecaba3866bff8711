"""What is tried with accounts: each attack once, and what comes of it."""

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
from django.test import Client

from bots.tokens import new_token
from people.invitations import invite
from people.models import Invitation, SignIn
from people.roles import is_organiser, make_organiser
from tests.support.allowances import rates
from tests.support.people import PASSWORD, code, is_in, one_time, sign_in, sign_up, verify

pytestmark = pytest.mark.django_db(transaction=True)
FORMS = (
    "/sign-in/",
    "/sign-in/token/",
    "/sign-up/",
    "/sign-out/",
    "/password/",
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


def test_no_form_is_taken_that_another_site_sends(ada: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(account())
    assert {path: strict.post(path, {"name": "ada"}).status_code for path in FORMS} == dict.fromkeys(FORMS, 403)


def test_no_page_of_an_account_can_be_framed(ada: Client) -> None:
    for path in ("/sign-in/", "/sign-up/", "/account/", "/account/safety/", "/password/"):
        for client in (ada, Client()):
            answer = client.get(path)
            assert answer.headers["X-Frame-Options"] == "DENY"
            assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "onward", ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "javascript:x"]
)
def test_nobody_is_led_elsewhere(ada: Client, onward: str) -> None:
    there = {"next": onward}
    answers = [
        sign_in(Client(), onward=onward),
        Client().post(f"/sign-in/?next={onward}", {"login": "ada@example.com", "password": PASSWORD}),
        Client().post(f"/sign-in/token/?next={onward}", {"token": new_token(account())}),
        ada.post("/account/confirm/", {"password": PASSWORD, **there}),
        ada.post("/sign-out/", there),
    ]
    assert [answer.status_code for answer in answers] == [302] * len(answers)
    assert {answer.headers["Location"] for answer in answers} <= {"/account/", "/"}


def test_a_session_that_was_foisted_on_somebody_is_not_the_one_they_sign_in_to(ada: Client) -> None:
    for way in (sign_in, lambda client: client.post("/sign-in/token/", {"token": new_token(account())})):
        victim = Client()
        Invitation.objects.all().delete()
        make_organiser(account())
        victim.get(f"/invitation/{invite(account(), 'author', 1)}/")  # whoever opens a link has a session
        foisted = victim.cookies["sessionid"].value
        way(victim)
        assert is_in(victim)
        assert victim.cookies["sessionid"].value != foisted
        assert not is_in(Client(headers={"Cookie": f"sessionid={foisted}"}))


def test_no_secret_stands_in_an_address_or_in_the_log(caplog: pytest.LogCaptureFixture, settings: Any) -> None:
    settings.SIGNUP = "invite"
    caplog.set_level(logging.DEBUG)
    organiser = User.objects.create_user("olga")
    make_organiser(organiser)
    link, client = invite(organiser, "author", 1), Client()
    answers = [client.get(f"/invitation/{link}/"), Client().get(f"/invitation/{link}x/"), sign_up(client)]
    secrets = [link, code()]
    answers += [verify(client), client.get("/account/"), Client().post("/password/", {"email": "ada@example.com"})]
    secrets += [code(), PASSWORD]
    token = new_token(account())
    answers += [
        Client().post("/sign-in/token/", {"token": token}),
        Client().post("/sign-in/token/", {"token": f"{token}x"}),
    ]
    secrets += [token]
    told = caplog.text + "".join(answer.headers.get("Location", "") for answer in answers)
    assert [secret for secret in secrets if secret in told] == []
    assert not re.search(r"https?://\S+[?&=/][\w-]{20,}", "".join(str(message.body) for message in mail.outbox))


def test_an_address_that_opens_something_is_not_written_where_it_is_refused(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    rates(settings, request="1/hour")
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
    """Return what a stranger sees of an answer: the names that they typed themselves are not news to them."""
    page = re.sub(r'csrfmiddlewaretoken" value="\w+"', "", answer.content.decode())
    return answer.status_code, answer.headers.get("Location", ""), re.sub(r"(ada|eve)(@example\.com)?", "X", page)


def test_nobody_learns_whether_an_address_has_an_account(ada: Client) -> None:
    for path, form in (
        ("/sign-in/", {"login": "{}", "password": "wrong and long"}),
        ("/password/", {"email": "{}"}),
        ("/sign-up/", {"username": "name", "email": "{}", "password1": PASSWORD}),
    ):
        answers = []
        cache.clear()  # some time later: an address is sent one mail in ten seconds, whoever has it
        for email in ("ada@example.com", "eve@example.com"):
            client = Client()
            answers.append(seen(client.post(path, {word: said.format(email) for word, said in form.items()})))
            if answers[-1][1]:
                answers.append(seen(client.get(answers[-1][1])))
            User.objects.filter(username="name").delete()
        half = len(answers) // 2
        assert answers[:half] == answers[half:], path


def test_nobody_gives_themselves_more_than_a_form_asks_for(settings: Any) -> None:
    settings.SIGNUP = "open"
    more = {"is_staff": "1", "is_superuser": "1", "groups": "1", "role": "organiser", "is_active": "1", "id": "1"}
    client = Client()
    sign_up(client, **more)
    verify(client)
    client.post(
        "/account/email/", {"action_add": "", "email": "more@example.com", "verified": "1", "primary": "1", **more}
    )
    ada = account()
    assert (ada.is_staff, ada.is_superuser, is_organiser(ada), ada.email) == (False, False, False, "ada@example.com")
    assert list(ada.emailaddress_set.filter(verified=True).values_list("email", flat=True)) == ["ada@example.com"]


def test_nobody_touches_what_is_somebody_elses_by_its_number(ada: Client) -> None:
    from allauth.mfa.models import Authenticator

    eve, owner = Client(), account()
    sign_up(eve, "eve")
    verify(eve)
    key = Authenticator.objects.create(user=owner, type="webauthn", data={"name": "key"})
    session = SignIn.objects.get(owner=owner)
    make_organiser(owner)
    invite(owner, "organiser", 1)
    eve.post("/account/confirm/", {"password": PASSWORD})
    eve.post("/account/sessions/", {"end": str(session.pk)})
    eve.post("/account/tokens/", {"revoke": new_token(owner)[:15]})
    eve.post("/account/email/", {"action_remove": "", "email": "ada@example.com"})
    codes = [eve.post(f"/account/safety/webauthn/keys/{key.pk}/{act}/").status_code for act in ("remove", "edit")]
    codes += [
        eve.get("/invitations/").status_code,
        eve.post("/invitations/", {"role": "organiser", "days": "1"}).status_code,
    ]
    codes += [eve.post("/invitations/", {"revoke": str(Invitation.objects.get().pk)}).status_code]
    assert codes == [404, 404, 403, 403, 403]
    assert is_in(ada)
    assert Invitation.objects.count() == Authenticator.objects.count() == owner.tokens.count() == 1
    assert owner.emailaddress_set.count() == 1


def test_who_tries_out_codes_is_told_when_to_come_back(ada: Client, settings: Any) -> None:
    rates(settings, sign_in="3/hour")
    answers = [Client().post("/password/confirm/", {"code": "X"}) for _ in range(4)]
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["Retry-After"]) > 0


def test_a_one_time_code_is_good_once_in_whichever_process(ada: Client, settings: Any) -> None:
    settings.MFA_TOTP_TOLERANCE = 1
    secret = generate_totp_secret()
    TOTP.activate(account(), secret)
    said = one_time(secret)
    first, second = Client(), Client()
    for client in (first, second):
        assert sign_in(client).headers["Location"].startswith("/account/safety/authenticate/")
        client.post("/account/safety/authenticate/", {"code": said})
    assert (is_in(first), is_in(second)) == (True, False)


def test_a_token_opens_no_account_that_has_a_second_factor(ada: Client) -> None:
    TOTP.activate(account(), generate_totp_secret())
    answer = Client().post("/sign-in/token/", {"token": new_token(account())})
    assert answer.status_code == 400
    assert "second factor" in answer.content.decode()
