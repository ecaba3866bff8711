"""Sessions opened with a token: nothing that they do outlives the token."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from bots.access.api_tokens import create_token, revoke_token
from bots.models import ApiToken, CoAuthor
from ftk_core.kit.client.api_token_format import DEFAULT_SCOPES
from people.models import Invitation
from people.person_roles import make_organiser
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version
from tests.support.people import open_session, open_token_session, read_mailed_code, sign_up, submit_mailed_code

NEW_PASSWORD = "another long secret 17"
pytestmark = pytest.mark.django_db(transaction=True)


def test_a_session_opened_with_a_token_cannot_add_a_co_author_or_invite_an_organiser() -> None:
    author, mallory = AuthorFactory.create(), AuthorFactory.create(username="mallory")
    make_organiser(author)
    bot = create_own_version("ada", author).bot
    browser = open_token_session(create_token(author, scopes=[*DEFAULT_SCOPES, "organise"]))
    refused = browser.post("/bots/ada/team/", {"name": "mallory"})
    assert (refused.status_code, "which changes no team" in refused.content.decode()) == (403, True)
    assert not CoAuthor.objects.filter(bot=bot, person=mallory).exists()
    assert browser.post("/bots/ada/team/", {"accept": "1", "challenges": "yes"}).status_code == 403
    assert browser.post("/bots/ada/team/", {"challenges": "no"}).status_code == 302
    invited = browser.post("/invitations/", {"role": "organiser", "days": "90"})
    assert (invited.status_code, "which invites no organisers" in invited.content.decode()) == (400, True)
    assert browser.post("/invitations/", {"role": "author", "days": "90"}).status_code == 302
    assert list(Invitation.objects.values_list("role", flat=True)) == ["author"]


def test_revoking_a_token_ends_its_session_even_if_that_session_replaced_one_of_another_account() -> None:
    author = AuthorFactory.create()
    token, browser = create_token(author), Client()
    browser.force_login(AuthorFactory.create(username="mallory"))
    assert browser.post("/sign-in/token/", {"token": token}).status_code == 302
    assert browser.get("/account/").status_code == 200
    revoke_token(author, token[:15])
    assert browser.get("/account/").status_code == 302


def test_changing_data_in_a_session_opened_with_a_token_does_not_extend_the_session() -> None:
    author = AuthorFactory.create()
    token = create_token(author)
    ApiToken.objects.update(expires_at=timezone.now() + timedelta(days=20))
    browser = open_token_session(token)
    before = Session.objects.get()
    browser.post("/password/", {"email": "nobody@arena.example"})
    after = Session.objects.get()
    assert (after.session_data != before.session_data, after.expire_date) == (True, before.expire_date)


@pytest.mark.slow
def test_resetting_the_password_of_another_account_leaves_a_session_with_its_token_and_its_owner(settings: Any) -> None:
    settings.SIGNUP = "open"
    sign_up(mallory := Client(), "mallory")
    submit_mailed_code(mallory)
    author = AuthorFactory.create()
    token = create_token(author)
    browser = open_token_session(token)
    browser.post("/password/", {"email": "mallory@example.com"})
    browser.post("/password/confirm/", {"code": read_mailed_code()})
    browser.post("/password/new/", {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})
    assert User.objects.get(username="mallory").check_password(NEW_PASSWORD)
    assert browser.get("/account/").status_code == 200
    revoke_token(author, token[:15])
    assert browser.get("/account/").status_code == 302


def test_adding_a_second_factor_ends_the_sessions_that_were_opened_with_a_token() -> None:
    author = AuthorFactory.create()
    browser, own = open_token_session(create_token(author)), open_session(author)
    authenticator_added.send(sender=Authenticator, request=None, user=author, authenticator=None)
    assert [one.get("/account/").status_code for one in (browser, own)] == [302, 200]
