"""Data export and erasure of an account."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any
from urllib.parse import urlencode
from zipfile import ZipFile

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from bots.access.api_tokens import create_token
from bots.bot_bans import exclude_author_bots, readmit_bots
from bots.models import ApiToken, Bot, BotVersion
from bots.remote_bots import get_bot_by_hand
from bots.services import accept_upload
from bots.versions.queries import list_new_bots, list_trial_results
from foundation.management_commands import InvalidCommandInputError
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.league.league_state import CommandRejected
from people import staff_audit_trail
from people.account_erasure import erase_person
from people.models import SignIn, StaffAct
from replays.models import Match
from tests.support.factories import create_active_version
from tests.support.leagues import play_all, start_league
from tests.support.people import PASSWORD, is_signed_in, sign_in, sign_up, submit_mailed_code
from tournaments.leagues import services
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import League

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ada(settings: Any) -> Client:
    """A person with a bot in a running league, a pending trial, a token and a second factor."""
    settings.SIGNUP = "open"
    client = Client(headers={"User-Agent": "Lynx of Ada"})
    sign_up(client)
    submit_mailed_code(client)
    owner = User.objects.get()
    create_token(owner)
    versions = [create_active_version(slug="lovelace", owner=owner), create_active_version(slug="other")]
    start_league(versions)
    accept_upload(owner, "pig", "waits", "bot.py", list_built_in_bots("pig")["random"].read_bytes())
    return client


def exported(client: Client) -> ZipFile:
    answer = client.post("/account/export/")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="ada.zip"'
    return ZipFile(BytesIO(answer.content))


@pytest.mark.slow
def test_the_data_export_has_everything_stored_of_a_person(ada: Client) -> None:
    Match.objects.update(asked_by=User.objects.get(username="ada"))
    told = exported(ada)
    files = {name: json.loads(told.read(name)) for name in told.namelist() if name.endswith(".json")}
    assert files["profile.json"]["name"] == "ada"
    assert files["profile.json"]["emails"] == [{"email": "ada@example.com", "verified": True, "primary": True}]
    assert [row["browser"] for row in files["profile.json"]["sessions"]] == ["Lynx of Ada"]
    assert len(files["tokens.json"][0]["start"]) == 15
    assert [bot["name"] for bot in files["bots.json"]] == ["lovelace", "waits"]
    assert [row["name"] for row in files["entries.json"]] == ["lovelace-1"]
    assert [row["game"] for row in files["matches.json"]] == ["pig"]
    assert told.read("bots/lovelace/1/bot.py") == list_built_in_bots("pig")["hold20"].read_bytes()
    assert "other" not in "".join(told.namelist())


@pytest.mark.slow
def test_staff_actions_are_in_the_data_export_of_the_person_and_anonymised_after_erasure(ada: Client) -> None:
    owner = User.objects.get(username="ada")
    Bot.objects.create(owner=owner, game="pig", kind=Bot.Kind.PERSON, slug="ada-by-hand")
    root = staff_audit_trail.make_shell_actor("root", "ada-by-hand and others")
    staff_audit_trail.record_staff_act(root, "quota", "author ada: 7 uploads", owner)
    (act,) = json.loads(exported(ada).read("profile.json"))["acts_of_staff_on_them"]
    assert (act["what"], act["on"], act["why"]) == ("quota", "author ada: 7 uploads", "ada-by-hand and others")
    erase(ada)
    act = StaffAct.objects.get()
    assert (act.on, act.why) == ("departed author: 7 uploads", "departed-author-by-hand and others")


def test_the_data_export_needs_a_signed_in_person(client: Client) -> None:
    assert client.post("/account/export/").headers["Location"] == "/sign-in/"
    assert client.get("/account/export/").status_code == 405


@pytest.mark.parametrize("page", ["/account/leave/", "/leagues/new/?like=night", "/invitations/", "/account/"])
def test_a_page_for_signed_in_people_leads_to_the_sign_in_and_from_there_back_to_it(client: Client, page: str) -> None:
    assert client.get(page).headers["Location"] == f"/sign-in/?{urlencode({'next': page}, safe='/')}"


def erase(client: Client) -> None:
    answer = client.post("/account/leave/", {"name": "ada"})
    assert answer.headers["Location"].startswith("/account/confirm/"), "the password is asked for once more"
    answer = client.post(answer.headers["Location"], {"password": PASSWORD}, follow=True)
    assert "Your account is deleted." in answer.content.decode()


@pytest.mark.slow
def test_erasing_an_account_deletes_the_person_and_assigns_their_bots_to_a_placeholder_account(ada: Client) -> None:
    elsewhere = Client()
    sign_in(elsewhere)
    assert is_signed_in(elsewhere)
    erase(ada)
    assert not is_signed_in(ada)
    assert not is_signed_in(elsewhere)
    assert not EmailAddress.objects.exists()
    assert not SignIn.objects.exists()
    assert not ApiToken.objects.exists()
    assert not User.objects.filter(username="ada").exists()
    assert {bot.owner.username for bot in Bot.objects.filter(slug__in=("lovelace", "waits"))} == {"departed author"}
    assert [BotVersion.objects.get(bot__slug=name).status for name in ("lovelace", "waits")] == ["retired", "refused"]
    assert sign_in(Client()).status_code == 200, "the password opens nothing"
    assert "departed author" in Client().get("/bots/lovelace/").content.decode()


@pytest.mark.slow
def test_bots_of_an_erased_account_finish_their_league_and_cannot_enter_new_leagues(ada: Client) -> None:
    league = League.objects.get()
    erase(ada)
    play_all(league)
    assert league.status == "closed"
    assert {row.name: row.played for row in league.entrants.all()} == {"lovelace-1": 2, "other-1": 2}
    following = services.open_league(LeagueSettings(slug="next", name="Next", game="pig", seats=2, rounds=1))
    with pytest.raises(CommandRejected, match="only active versions can enter"):
        services.enter_bot(following.pk, BotVersion.objects.get(bot__slug="lovelace"))


@pytest.mark.slow
def test_the_name_of_an_erased_person_cannot_be_reused(ada: Client) -> None:
    erase(ada)
    assert "already exists" in sign_up(Client(), "Ada", "else@example.com").content.decode()


@pytest.mark.slow
def test_erasing_an_account_requires_the_name_of_the_account_and_the_password(ada: Client) -> None:
    asked = ada.get("/account/leave/").headers["Location"]
    assert ada.post(asked, {"password": "wrong"}).status_code == 200
    assert ada.get("/account/leave/").status_code == 302
    ada.post(asked, {"password": PASSWORD})
    assert ada.post("/account/leave/", {"name": "bob"}).status_code == 400
    assert User.objects.filter(username="ada").exists()


@pytest.mark.slow
def test_a_person_without_password_confirms_the_erasure_with_a_token(client: Client) -> None:
    owner, other = User.objects.create_user("tim"), User.objects.create_user("tom")
    token = create_token(owner)
    client.post("/sign-in/token/", {"token": token})
    for wrong in ("", "x", create_token(other)):
        assert client.post("/account/leave/", {"name": "tim", "token": wrong}).status_code == 400
    assert client.post("/account/leave/", {"name": "tim", "token": token}).status_code == 302
    assert not User.objects.filter(username="tim").exists()


@pytest.mark.slow
def test_erasing_an_account_deletes_its_second_factor(ada: Client) -> None:
    TOTP.activate(User.objects.get(username="ada"), generate_totp_secret())
    erase(ada)
    assert not apps.get_model("mfa", "Authenticator").objects.exists()


@pytest.mark.django_db
def test_the_token_command_gives_no_name_of_an_erased_account_and_no_name_that_differs_in_case() -> None:
    erase_person(User.objects.create_user("ada"))
    User.objects.create_user("bo")
    for name, reason in (("Ada", "it belonged to an account that was deleted"), ("Bo", "there is the author 'bo'")):
        with pytest.raises(InvalidCommandInputError, match=reason):
            call_command("token", name)
    call_command("token", "bo")


@pytest.mark.django_db
def test_the_end_of_a_ban_restores_no_bot_of_an_erased_author() -> None:
    version = create_active_version(slug="mine")
    author = version.bot.owner
    exclude_author_bots(author)
    version.refresh_from_db()
    assert version.reason == "banned: ask the organisers", "the reason of a ban is not public"
    erase_person(author)
    readmit_bots(Bot.objects.all())
    version.refresh_from_db()
    assert version.status == BotVersion.Status.RETIRED


@pytest.mark.django_db
def test_followers_and_feeds_get_no_news_of_a_bot_that_represents_a_person() -> None:
    get_bot_by_hand(User.objects.create_user("ada"), "pig")
    create_active_version(slug="mine")
    assert [bot.name for bot in list_new_bots("", 9)] == ["mine"]
    assert [result.bot for result in list_trial_results(0, (), 9)] == ["mine"]
