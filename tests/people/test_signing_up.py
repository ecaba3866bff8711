"""Who may make an account, with which name and role, and what it takes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from foundation.shell import Refusal
from people.house import HOUSE, house
from people.invitations import MOST_OPEN, NotInvited, TooMany, invite, take
from people.models import Invitation
from people.roles import is_organiser, make_organiser
from tests.support.people import is_in, sign_in, sign_up, verify

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser() -> User:
    user = User.objects.create_user("olga", "olga@example.com")
    make_organiser(user)
    return user


def opened(client: Client, link: str) -> str:
    """Open an invitation's link and return the page that one arrives at."""
    answer = client.get(link, follow=True)
    assert [path for path, _ in answer.redirect_chain] == ["/sign-up/"], "at once, to an address without the token"
    return str(answer.content.decode())


def test_who_signs_up_types_a_code_from_the_mail_and_is_signed_in(client: Client, settings: Any) -> None:
    settings.SIGNUP = "open"
    assert sign_up(client).headers["Location"] == "/sign-up/confirm/"
    assert not is_in(client)
    assert mail.outbox[-1].to == ["ada@example.com"]
    verify(client)
    assert is_in(client)
    ada = User.objects.get()
    assert (ada.username, ada.is_staff, is_organiser(ada)) == ("ada", False, False)
    again = Client()
    assert sign_in(again).headers["Location"] == "/account/"
    assert is_in(again)


def test_a_wrong_code_opens_nothing_and_three_of_them_end_the_try(client: Client, settings: Any) -> None:
    settings.SIGNUP = "open"
    sign_up(client)
    answers = [client.post("/sign-up/confirm/", {"code": "WRONGCODE"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 302]
    verify(client)
    assert not is_in(client)


@pytest.mark.parametrize(
    "name", ["ada@example.com", "a", "-ada", "ada lovelace", "ädä", "ad\na", "x" * 41, "departed author"]
)
def test_a_name_that_everybody_sees_is_no_address_and_is_plain(client: Client, settings: Any, name: str) -> None:
    settings.SIGNUP = "open"
    assert sign_up(client, name, "ada@example.com").status_code == 200
    assert not User.objects.exists()


def test_a_name_is_taken_whatever_its_case(client: Client, settings: Any) -> None:
    settings.SIGNUP = "open"
    User.objects.create_user("Ada")
    assert "already exists" in sign_up(client, "ada").content.decode()


@pytest.mark.parametrize("rule", ["invite", "closed"])
def test_nobody_signs_up_uninvited_where_that_is_the_rule(client: Client, settings: Any, rule: str) -> None:
    settings.SIGNUP = rule
    assert "without an invitation" in client.get("/sign-up/").content.decode()
    assert "without an invitation" in sign_up(client).content.decode()
    assert not User.objects.exists()


@pytest.mark.parametrize("role", ["author", "organiser"])
def test_an_invitation_lets_one_person_in_with_its_role(client: Client, organiser: User, role: str) -> None:
    link = f"/invitation/{invite(organiser, role, 7)}/"
    assert f"You are invited, as an {role}" in opened(client, link)
    sign_up(client)
    verify(client)
    assert is_in(client)
    assert is_organiser(User.objects.get(username="ada")) == (role == "organiser")
    other = Client()
    assert "was used already" in opened(other, link)
    sign_up(other, "bob")
    assert not User.objects.filter(username="bob").exists()


def test_who_fills_the_form_in_wrongly_has_used_nothing_up(client: Client, organiser: User) -> None:
    opened(client, f"/invitation/{invite(organiser, 'author', 7)}/")
    assert sign_up(client, password="short").status_code == 200
    assert sign_up(client).status_code == 302
    assert User.objects.filter(username="ada").exists()


def test_an_invitation_that_is_used_between_form_and_answer_makes_no_second_account(organiser: User) -> None:
    link = f"/invitation/{invite(organiser, 'organiser', 7)}/"
    first, second = Client(), Client()
    for client in (first, second):
        opened(client, link)
    sign_up(first)
    answer = second.post("/sign-up/", {"username": "bob", "email": "bob@example.com"}, follow=True)
    assert "was used already" in answer.content.decode()
    assert not User.objects.filter(username="bob").exists()
    with pytest.raises(NotInvited, match="used already"):
        take(Invitation.objects.get().pk)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"expires_at": timezone.now() - timedelta(seconds=1)}, "has expired"),
        ({"digest": "0" * 64}, "is unknown, or was taken back"),
        ({"used_at": timezone.now()}, "was used already"),
    ],
)
def test_an_invitation_that_lets_nobody_in_says_why(
    client: Client, organiser: User, change: dict[str, Any], said: str
) -> None:
    link = f"/invitation/{invite(organiser, 'author', 7)}/"
    Invitation.objects.update(**change)
    page = opened(client, link)
    assert said in page
    assert "ask for a new one" in page


def test_organisers_make_list_and_take_back_invitations(client: Client, organiser: User) -> None:
    client.force_login(organiser)
    page = client.post("/invitations/", {"role": "author", "days": "3", "note": "bob"}, follow=True).content.decode()
    (link,) = re.findall(r"http://testserver(/invitation/[\w-]+/)", page)
    assert link not in client.get("/invitations/").content.decode(), "it is shown once"
    assert "bob" in client.get("/invitations/").content.decode()
    assert not Invitation.objects.filter(digest__in=link.split("/")).exists(), "the link itself is kept nowhere"
    client.post("/invitations/", {"revoke": str(Invitation.objects.get().pk)})
    assert "was taken back" in opened(Client(), link)
    assert client.post("/invitations/", {"role": "king", "days": "3"}).status_code == 400


@pytest.mark.slow
def test_there_is_an_end_to_invitations(organiser: User, client: Client) -> None:
    for _ in range(MOST_OPEN):
        invite(organiser, "author", 7)
    with pytest.raises(TooMany, match="take some of them back"):
        invite(organiser, "author", 7)
    client.force_login(organiser)
    answer = client.post("/invitations/", {"role": "author", "days": "3"})
    assert answer.status_code == 400
    assert "take some of them back" in answer.content.decode()


def printed() -> str:
    said = StringIO()
    call_command("organiser", url="http://testserver", stdout=said)
    found = re.findall(r"http://testserver(/invitation/\S+)", said.getvalue())
    return str(found[0]) if found else ""


@pytest.mark.parametrize("rule", ["open", "invite", "closed"])
def test_the_printed_link_makes_the_first_organiser_and_none_is_printed_after(settings: Any, rule: str) -> None:
    settings.SIGNUP = rule
    older, link = printed(), printed()
    client = Client()
    assert "is unknown, or was taken back" in opened(client, older), "a new one ends the one before"
    assert "as an organiser" in opened(client, link)
    assert not User.objects.exists(), "looking is not using"
    assert sign_up(client, "olga").headers["Location"] == "/account/", "who reads the terminal reads its mail, too"
    assert is_in(client)
    assert is_organiser(User.objects.get())
    assert "was used already" in opened(Client(), link)
    assert printed() == ""


def test_somebody_with_an_account_is_made_an_organiser_from_the_shell() -> None:
    ada = User.objects.create_user("ada")
    call_command("organiser", "ada", stdout=StringIO())
    assert is_organiser(ada)
    with pytest.raises(Refusal, match="nobody is called 'bob'"):
        call_command("organiser", "bob")


def test_the_shell_takes_roles_away_too() -> None:
    ada = User.objects.create_user("ada")
    call_command("organiser", "ada", "--staff", stdout=StringIO())
    call_command("organiser", "ada", "--dismiss", "--staff", stdout=StringIO())
    ada.refresh_from_db()
    assert (is_organiser(ada), ada.is_staff) == (True, False)
    call_command("organiser", "ada", "--dismiss", stdout=StringIO())
    assert not is_organiser(ada)
    for more, said in ((["--staff"], "ada is not staff"), ([], "ada is no organiser")):
        with pytest.raises(Refusal, match=said):
            call_command("organiser", "ada", "--dismiss", *more)
    with pytest.raises(Refusal, match="say whose role"):
        call_command("organiser", "--dismiss")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ({"FTK_SIGNUP": "maybe"}, "FTK_SIGNUP must be one of open, invite, closed, not 'maybe'"),
        ({"EMAIL_URL": "smtp://localhost:25"}, "EMAIL_URL needs EMAIL_FROM"),
        ({"FTK_GITHUB_ID": "x"}, "FTK_GITHUB_ID needs FTK_GITHUB_SECRET"),
        ({"FTK_OIDC_ID": "x", "FTK_OIDC_SECRET": "x", "FTK_OIDC_NAME": "x"}, "FTK_OIDC_ID needs FTK_OIDC_URL"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_with_what_is_missing(word: dict[str, str], said: str) -> None:
    asked = [sys.executable, "-c", "import deploy.accounts as a; a.sign_up()"]
    told = subprocess.run(asked, env={**os.environ, **word}, capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert said in told.stderr


@pytest.mark.parametrize("name", [HOUSE, HOUSE.title()])
def test_nobody_signs_up_as_the_house_whose_bots_would_be_theirs(client: Client, settings: Any, name: str) -> None:
    settings.SIGNUP = "open"
    assert "sign-up" in str(sign_up(client, name=name).context["request"].path)
    assert not User.objects.exists()
    assert not house().has_usable_password()
