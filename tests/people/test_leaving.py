"""What somebody takes along, and what is left of them: their bots' names, and nothing else."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from bots.models import Bot, BotVersion, Token
from bots.services import take_in
from bots.tokens import new_token
from ftk_core.kit.house import house_bots
from ftk_core.league.state import NotNow
from people import acts_of_staff
from people.models import SignIn, StaffAct
from tests.support.factories import active_version
from tests.support.leagues import new_league, play_all
from tests.support.people import PASSWORD, is_in, sign_in, sign_up, verify
from tournaments import services
from tournaments.models import League
from tournaments.terms import Terms

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ada(settings: Any) -> Client:
    """Somebody with a bot in a league that runs, a trial that waits, a token and a second factor."""
    settings.SIGNUP = "open"
    client = Client(headers={"User-Agent": "Lynx of Ada"})
    sign_up(client)
    verify(client)
    owner = User.objects.get()
    new_token(owner)
    versions = [active_version(slug="lovelace", owner=owner), active_version(slug="other")]
    new_league(versions)
    take_in(owner, "pig", "waits", "bot.py", house_bots("pig")["random"].read_bytes())
    return client


def exported(client: Client) -> ZipFile:
    answer = client.post("/account/export/")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="ada.zip"'
    return ZipFile(BytesIO(answer.content))


def test_everything_that_is_kept_of_somebody_can_be_taken_along(ada: Client) -> None:
    told = exported(ada)
    files = {name: json.loads(told.read(name)) for name in told.namelist() if name.endswith(".json")}
    kept = "profile tokens bots teams matches entries webhooks deliveries notices wishes reviews"
    assert set(files) == {f"{word}.json" for word in kept.split()}
    assert files["profile.json"]["name"] == "ada"
    assert files["profile.json"]["emails"] == [{"email": "ada@example.com", "verified": True, "primary": True}]
    assert [row["browser"] for row in files["profile.json"]["sessions"]] == ["Lynx of Ada"]
    assert len(files["tokens.json"][0]["start"]) == 15
    assert [bot["name"] for bot in files["bots.json"]] == ["lovelace", "waits"]
    assert [row["name"] for row in files["entries.json"]] == ["lovelace-1"]
    assert told.read("bots/lovelace/1/bot.py") == house_bots("pig")["hold20"].read_bytes()
    assert "other" not in "".join(told.namelist())


def test_what_staff_did_to_somebody_is_taken_along_and_names_them_no_more_once_they_left(ada: Client) -> None:
    owner = User.objects.get(username="ada")
    acts_of_staff.note(acts_of_staff.at_the_shell("root", "a class"), "quota", "author ada: 7 uploads", owner)
    (act,) = json.loads(exported(ada).read("profile.json"))["acts_of_staff_on_them"]
    assert (act["what"], act["on"], act["why"]) == ("quota", "author ada: 7 uploads", "a class")
    left(ada)
    assert StaffAct.objects.get().on == "departed author: 7 uploads"


def test_who_is_not_signed_in_takes_nothing_along(client: Client) -> None:
    assert client.post("/account/export/").headers["Location"] == "/sign-in/"
    assert client.get("/account/export/").status_code == 405


def left(client: Client) -> None:
    answer = client.post("/account/leave/", {"name": "ada"})
    assert answer.headers["Location"].startswith("/account/confirm/"), "the password is asked for once more"
    answer = client.post(answer.headers["Location"], {"password": PASSWORD}, follow=True)
    assert "Your account is deleted." in answer.content.decode()


def test_who_leaves_is_gone_and_their_bots_are_nobodys(ada: Client) -> None:
    elsewhere = Client()
    sign_in(elsewhere)
    left(ada)
    assert not is_in(ada)
    assert not is_in(elsewhere)
    assert not EmailAddress.objects.exists()
    assert not SignIn.objects.exists()
    assert not Token.objects.exists()
    assert not User.objects.filter(username="ada").exists()
    assert {bot.owner.username for bot in Bot.objects.filter(slug__in=("lovelace", "waits"))} == {"departed author"}
    assert [BotVersion.objects.get(bot__slug=name).status for name in ("lovelace", "waits")] == ["retired", "refused"]
    assert sign_in(Client()).status_code == 200, "the password opens nothing"
    assert "departed author" in Client().get("/bots/lovelace/").content.decode()


@pytest.mark.slow
def test_the_league_goes_on_to_its_end_and_the_next_one_takes_no_bot_of_theirs(ada: Client) -> None:
    league = League.objects.get()
    left(ada)
    play_all(league)
    assert league.status == "closed"
    assert {row.name: row.played for row in league.entrants.all()} == {"lovelace-1": 2, "other-1": 2}
    following = services.open_league(Terms(slug="next", name="Next", game="pig", seats=2, rounds=1))
    with pytest.raises(NotNow, match="only active versions can enter"):
        services.enter_bot(following.pk, BotVersion.objects.get(bot__slug="lovelace"))


def test_nothing_in_the_database_says_who_it_was(ada: Client) -> None:
    left(ada)
    said = set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT t::text FROM "{table}" AS t')
            said |= {table for (row,) in cursor.fetchall() if "ada@example.com" in row or "Lynx of Ada" in row}
    assert said <= {"django_session"}, "e-mail addresses and browsers are gone"


def test_the_name_of_who_left_is_nobody_elses(ada: Client) -> None:
    left(ada)
    assert "already exists" in sign_up(Client(), "Ada", "else@example.com").content.decode()


def test_nobody_leaves_by_another_name_or_without_the_password(ada: Client) -> None:
    asked = ada.get("/account/leave/").headers["Location"]
    assert ada.post(asked, {"password": "wrong"}).status_code == 200
    assert ada.get("/account/leave/").status_code == 302
    ada.post(asked, {"password": PASSWORD})
    assert ada.post("/account/leave/", {"name": "bob"}).status_code == 400
    assert User.objects.filter(username="ada").exists()


def test_who_has_nothing_but_a_token_leaves_by_one(client: Client) -> None:
    owner, other = User.objects.create_user("tim"), User.objects.create_user("tom")
    token = new_token(owner)
    client.post("/sign-in/token/", {"token": token})
    for wrong in ("", "x", new_token(other)):
        assert client.post("/account/leave/", {"name": "tim", "token": wrong}).status_code == 400
    assert client.post("/account/leave/", {"name": "tim", "token": token}).status_code == 302
    assert not User.objects.filter(username="tim").exists()


def test_a_second_factor_goes_with_its_person(ada: Client) -> None:
    TOTP.activate(User.objects.get(username="ada"), generate_totp_secret())
    left(ada)
    assert not apps.get_model("mfa", "Authenticator").objects.exists()
