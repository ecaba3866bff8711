"""Sign-up: names, invitations, roles and confirmation codes."""

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

from foundation.management_commands import InvalidCommandInputError
from people.built_in_bot_owner import BUILT_IN_OWNER_NAME, get_built_in_owner
from people.invitations import MAX_OPEN_INVITATIONS, InvitationError, InvitationQuotaExceeded, invite, mark_used
from people.models import Invitation
from people.person_roles import is_organiser
from tests.support.people import is_signed_in, open_invitation, sign_in, sign_up, submit_mailed_code

pytestmark = pytest.mark.django_db


def test_a_mailed_code_completes_the_sign_up(client: Client, settings: Any) -> None:
    settings.SIGNUP = "open"
    assert sign_up(client).headers["Location"] == "/sign-up/confirm/"
    assert not is_signed_in(client)
    assert mail.outbox[-1].to == ["ada@example.com"]
    submit_mailed_code(client)
    assert is_signed_in(client)
    ada = User.objects.get()
    assert (ada.username, ada.is_staff, is_organiser(ada)) == ("ada", False, False)
    again = Client()
    assert sign_in(again).headers["Location"] == "/account/"
    assert is_signed_in(again)


def test_three_wrong_confirmation_codes_end_the_sign_up(client: Client, settings: Any) -> None:
    settings.SIGNUP = "open"
    sign_up(client)
    answers = [client.post("/sign-up/confirm/", {"code": "WRONGCODE"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 302]
    submit_mailed_code(client)
    assert not is_signed_in(client)


@pytest.mark.parametrize(
    "name", ["ada@example.com", "a", "-ada", "ada lovelace", "ädä", "ad\na", "x" * 41, "departed author"]
)
def test_an_email_address_or_an_invalid_public_name_is_refused(client: Client, settings: Any, name: str) -> None:
    settings.SIGNUP = "open"
    answer = sign_up(client, name, "ada@example.com")
    assert (answer.status_code, list(answer.context["form"].errors)) == (200, ["username"])
    assert not User.objects.exists()


def test_public_names_are_unique_regardless_of_case(client: Client, settings: Any) -> None:
    settings.SIGNUP = "open"
    User.objects.create_user("Ada")
    assert "already exists" in sign_up(client, "ada").content.decode()


@pytest.mark.parametrize("rule", ["invite", "closed"])
def test_sign_up_without_a_required_invitation_is_refused(client: Client, settings: Any, rule: str) -> None:
    settings.SIGNUP = rule
    assert "without an invitation" in client.get("/sign-up/").content.decode()
    assert "without an invitation" in sign_up(client).content.decode()
    assert not User.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize("role", ["author", "organiser"])
def test_an_invitation_creates_one_account_with_its_role(client: Client, organiser: User, role: str) -> None:
    link = f"/invitation/{invite(organiser, role, 7)}/"
    assert f"You are invited, as an {role}" in open_invitation(client, link)
    sign_up(client)
    submit_mailed_code(client)
    assert is_signed_in(client)
    assert is_organiser(User.objects.get(username="ada")) == (role == "organiser")
    other = Client()
    assert "was used already" in open_invitation(other, link)
    sign_up(other, "bob")
    assert not User.objects.filter(username="bob").exists()


@pytest.mark.slow
def test_an_invitation_confirms_the_email_address_if_the_site_has_no_mail_server(
    client: Client, organiser: User, settings: Any
) -> None:
    settings.HAS_MAIL_SERVER = False
    open_invitation(client, f"/invitation/{invite(organiser, 'author', 7)}/")
    sign_up(client)
    assert is_signed_in(client)
    assert mail.outbox == []
    settings.SIGNUP = "open"
    uninvited = Client()
    assert sign_up(uninvited, "bob").headers["Location"] == "/sign-up/confirm/"
    assert not is_signed_in(uninvited)


def test_an_invalid_sign_up_form_does_not_use_up_the_invitation(client: Client, organiser: User) -> None:
    open_invitation(client, f"/invitation/{invite(organiser, 'author', 7)}/")
    assert sign_up(client, password="short").status_code == 200
    assert sign_up(client).status_code == 302
    assert User.objects.filter(username="ada").exists()


def test_a_concurrently_used_invitation_creates_no_second_account(organiser: User) -> None:
    link = f"/invitation/{invite(organiser, 'organiser', 7)}/"
    first, second = Client(), Client()
    for client in (first, second):
        open_invitation(client, link)
    sign_up(first)
    assert sign_up(second, "bob").headers["Location"] == "/sign-up/"
    assert "was used already" in second.get("/sign-up/").content.decode()
    assert not User.objects.filter(username="bob").exists()
    with pytest.raises(InvitationError, match="used already"):
        mark_used(Invitation.objects.get().pk)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"expires_at": timezone.now() - timedelta(seconds=1)}, "has expired"),
        ({"digest": "0" * 64}, "is unknown, or was taken back"),
        ({"used_at": timezone.now()}, "was used already"),
    ],
)
def test_an_invalid_invitation_is_explained(client: Client, organiser: User, change: dict[str, Any], said: str) -> None:
    link = f"/invitation/{invite(organiser, 'author', 7)}/"
    Invitation.objects.update(**change)
    page = open_invitation(client, link)
    assert said in page
    assert "ask for a new one" in page


def test_organisers_create_list_and_revoke_invitations(client: Client, organiser: User) -> None:
    client.force_login(organiser)
    page = client.post("/invitations/", {"role": "author", "days": "3", "note": "bob"}, follow=True).content.decode()
    (link,) = re.findall(r"http://testserver(/invitation/[\w-]+/)", page)
    assert link not in client.get("/invitations/").content.decode(), "it is shown once"
    assert "bob" in client.get("/invitations/").content.decode()
    assert not Invitation.objects.filter(digest__in=link.split("/")).exists(), "the link itself is kept nowhere"
    client.post("/invitations/", {"revoke": str(Invitation.objects.get().pk)})
    assert "was taken back" in open_invitation(Client(), link)
    assert client.post("/invitations/", {"role": "king", "days": "3"}).status_code == 400


@pytest.mark.slow
def test_the_number_of_unused_invitations_is_limited(organiser: User, client: Client) -> None:
    invite(organiser, "author", 7)
    Invitation.objects.update(used_at=timezone.now())
    for _ in range(MAX_OPEN_INVITATIONS):
        invite(organiser, "author", 7)
    with pytest.raises(InvitationQuotaExceeded, match="take some of them back"):
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
def test_the_invitation_link_printed_at_startup_creates_the_first_organiser_once(settings: Any, rule: str) -> None:
    settings.SIGNUP = rule
    older, link = printed(), printed()
    client = Client()
    assert "is unknown, or was taken back" in open_invitation(client, older), "a new one ends the one before"
    assert "as an organiser" in open_invitation(client, link)
    assert not User.objects.exists(), "looking is not using"
    assert sign_up(client, "olga").headers["Location"] == "/account/", "who reads the terminal reads its mail, too"
    assert is_signed_in(client)
    assert is_organiser(User.objects.get())
    assert "was used already" in open_invitation(Client(), link)
    assert printed() == ""


def test_the_organiser_command_grants_the_organiser_role() -> None:
    ada = User.objects.create_user("ada")
    call_command("organiser", "ada", stdout=StringIO())
    assert is_organiser(ada)
    with pytest.raises(InvalidCommandInputError, match="There is no account 'bob'"):
        call_command("organiser", "bob")


def test_the_organiser_command_removes_roles() -> None:
    ada = User.objects.create_user("ada")
    call_command("organiser", "ada", "--staff", stdout=StringIO())
    call_command("organiser", "ada", "--dismiss", "--staff", stdout=StringIO())
    ada.refresh_from_db()
    assert (is_organiser(ada), ada.is_staff) == (True, False)
    call_command("organiser", "ada", "--dismiss", stdout=StringIO())
    assert not is_organiser(ada)
    for more, said in ((["--staff"], "ada is not staff"), ([], "ada is no organiser")):
        with pytest.raises(InvalidCommandInputError, match=said):
            call_command("organiser", "ada", "--dismiss", *more)
    with pytest.raises(InvalidCommandInputError, match="say whose role"):
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
def test_the_server_does_not_start_with_an_invalid_sign_up_setting_and_prints_the_reason(
    word: dict[str, str], said: str
) -> None:
    asked = [sys.executable, "-c", "import deploy.config.accounts as a; a.read_signup_mode()"]
    told = subprocess.run(asked, env={**os.environ, **word}, capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert said in told.stderr


@pytest.mark.parametrize("name", [BUILT_IN_OWNER_NAME, BUILT_IN_OWNER_NAME.title()])
def test_nobody_can_sign_up_with_the_name_of_the_built_in_owner(client: Client, settings: Any, name: str) -> None:
    settings.SIGNUP = "open"
    assert "sign-up" in str(sign_up(client, name=name).context["request"].path)
    assert not User.objects.exists()
    assert not get_built_in_owner().has_usable_password()
