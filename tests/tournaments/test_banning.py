"""Whoever is banned plays no more: entries withdraw, matches end, trials and tokens are refused, until it is lifted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from typer.testing import CliRunner

from bots.models import Bot, BotVersion
from bots.services import take_in
from bots.tokens import NoToken, bearer_of, new_token
from foundation.shell import Refusal
from ftk_core.kit.archive import BadUpload
from ftk_core.kit.cli import app
from ftk_core.kit.verify_league import verify_export
from ftk_core.league.acts import BotWithdrew, MatchVoided
from ftk_core.league.state import NotNow
from people.acts_of_staff import at_the_shell
from people.bans import CannotBan
from people.models import StaffAct
from replays.models import Match
from replays.playing.leases import claim, renew_all
from replays.playing.runner import play_match
from tests.support.factories import AuthorFactory, active_version, waiting_match
from tests.support.leagues import entrants, new_league, play_all
from tournaments import banning, services
from tournaments.export import archive
from tournaments.models import League
from tournaments.projections import load, read_facts
from tournaments.terms import Terms

pytestmark = pytest.mark.django_db(transaction=True)
STAFF = at_the_shell("root", "it cheats")
Status = BotVersion.Status


def owner(slug: str = "b0") -> User:
    return Bot.objects.get(slug=slug).owner


@pytest.mark.parametrize("ban", [lambda: banning.ban_bot(STAFF, "b0"), lambda: banning.ban_author(STAFF, str(owner()))])
def test_an_entry_that_is_banned_withdraws_and_its_match_ends_and_the_league_goes_on(ban: Callable[[], None]) -> None:
    league = new_league(entrants(), rounds=2)
    table = league.tables.get(match__seats__version__bot__slug="b0")
    lease = claim(table.match_id, "a worker")
    assert lease
    ban()
    facts = read_facts(league)
    assert [(f.entry, f.by, f.reason) for f in facts if isinstance(f, BotWithdrew)] == [(1, banning.BY, banning.WHY)]
    assert [f.match for f in facts if isinstance(f, MatchVoided)] == [table.match_id]
    match = Match.objects.get(pk=table.match_id)
    assert (match.status, match.reason) == (Match.Status.VOID, banning.WHY)
    assert renew_all([lease], connection) == set()
    play_all(league)
    _, state = load(league)
    assert state.closed
    assert all(1 not in plan.tables[n].seating for plan in state.rounds[1:] for n in range(len(plan.tables)))
    assert banning.enforce() == 0


@pytest.mark.parametrize("begun", [False, True])
def test_in_a_knockout_the_next_goes_on_in_place_of_who_is_banned(begun: bool, tmp_path: Path) -> None:
    league = new_league(entrants(), format="knockout", rounds=0)
    table = league.tables.get(match__seats__version__bot__slug="b0")
    (other,) = table.match.seats.exclude(version__bot__slug="b0").values_list("version__bot__slug", flat=True)
    if begun:
        assert claim(table.match_id, "a worker")
    banning.ban_bot(STAFF, "b0")
    play_all(league)
    _, state = load(league)
    final = state.rounds[-1].tables[0].seating
    assert f"{other}-1" in {state.entrant(entry).name for entry in final}
    target = tmp_path / "night.tar"
    target.write_bytes(b"".join(archive("night")))
    assert not verify_export(target, None).flaws


def test_a_league_with_a_ban_in_it_verifies(tmp_path: Path) -> None:
    league = new_league(entrants(), rounds=2)
    banning.ban_bot(STAFF, "b0")
    play_all(league)
    target = tmp_path / "night.tar"
    target.write_bytes(b"".join(archive("night")))
    done = CliRunner().invoke(app, ["verify", str(target)])
    assert done.exit_code == 0, done.output


def test_what_is_not_over_is_ended_also_outside_leagues_and_what_is_over_stays() -> None:
    versions = entrants(2)
    over, going = waiting_match(versions, "one"), waiting_match(versions, "two")
    assert play_match(over.pk)
    banning.ban_bot(STAFF, "b0")
    assert Match.objects.get(pk=over.pk).status == Match.Status.CLOSED
    assert Match.objects.get(pk=going.pk).status == Match.Status.VOID
    assert not play_match(going.pk)


def test_who_is_banned_cannot_upload_enter_sign_in_or_show_a_token(client: Client) -> None:
    version = active_version(slug="ada")
    person = version.bot.owner
    token = new_token(person)
    client.force_login(person)
    league = services.open_league(Terms(slug="cup", name="Cup", game="pig", seats=2, rounds=1))
    banning.ban_author(STAFF, person.get_username())
    assert client.get("/account/").status_code == 302
    with pytest.raises(NoToken, match="This account is banned: it cheats; ask the organisers"):
        bearer_of(token)
    said = client.post("/sign-in/token/", {"token": token})
    assert said.status_code == 400
    assert "it cheats" in said.content.decode()
    upload = client.get("/api/v1/token/", headers={"Authorization": f"Token {token}"})
    assert upload.status_code == 401
    assert "it cheats" in upload.json()["detail"]
    version.refresh_from_db()
    with pytest.raises(NotNow, match="retired; only active"):
        services.enter_bot(league.pk, version)


def test_nobody_sends_a_version_of_a_banned_bot_and_its_trial_is_refused_until_that_is_lifted() -> None:
    person = AuthorFactory.create(username="ada")
    sent = take_in(person, "pig", "ada", "bot.py", b"print(1)")
    banning.ban_bot(STAFF, "ada")
    sent.refresh_from_db()
    assert (sent.status, sent.reason) == (Status.REFUSED, "banned: it cheats")
    with pytest.raises(BadUpload, match="ada is banned: it cheats; ask the organisers"):
        take_in(person, "pig", "ada", "bot.py", b"print(2)")
    banning.lift_bot(STAFF, "ada")
    sent.refresh_from_db()
    assert (sent.status, sent.reason) == (Status.TRIAL, "")
    assert take_in(person, "pig", "ada", "bot.py", b"print(2)").number == 2


def test_a_ban_is_lifted_for_what_is_not_banned_otherwise() -> None:
    person = AuthorFactory.create(username="ada")
    one, two = active_version(slug="one", owner=person), active_version(slug="two", owner=person)
    banning.ban_bot(STAFF, "two")
    banning.ban_author(STAFF, "ada")
    banning.lift_author(STAFF, "ada")
    one.refresh_from_db()
    two.refresh_from_db()
    assert (one.status, two.status) == (Status.ACTIVE, Status.RETIRED)
    banning.lift_bot(STAFF, "two")
    two.refresh_from_db()
    assert two.status == Status.ACTIVE
    assert User.objects.get(username="ada").is_active


def test_every_act_of_staff_is_kept_with_who_on_what_and_why() -> None:
    person = AuthorFactory.create(username="ada")
    active_version(slug="one", owner=person)
    banning.ban_bot(STAFF, "one")
    banning.lift_bot(STAFF, "one")
    banning.ban_author(STAFF, "ada")
    kept = [(act.name, act.what, act.on, act.person, act.why) for act in StaffAct.objects.order_by("pk")]
    assert kept == [
        ("root", "ban", "bot one", person, "it cheats"),
        ("root", "lift", "bot one", person, "it cheats"),
        ("root", "ban", "author ada", person, "it cheats"),
    ]


def test_what_cannot_be_banned_is_refused_with_nothing_done() -> None:
    AuthorFactory.create(username="boss", is_staff=True)
    AuthorFactory.create(username="ada")
    with pytest.raises(CannotBan, match="boss is staff"):
        banning.ban_author(STAFF, "boss")
    with pytest.raises(CannotBan, match="ada is not banned"):
        banning.lift_author(STAFF, "ada")
    with pytest.raises(CannotBan, match="there is no bot 'nosuch'"):
        banning.ban_bot(STAFF, "nosuch")
    assert not StaffAct.objects.exists()


def test_a_ban_that_was_cut_short_is_finished_by_the_next_sweep() -> None:
    league = new_league(entrants())
    Bot.objects.filter(slug="b0").update(banned="it cheats")
    assert banning.enforce() > 0
    assert League.objects.get(pk=league.pk).entrants.get(number=1).withdrawn
    assert banning.enforce() == 0


def test_the_command_bans_and_lifts() -> None:
    active_version(slug="one")
    call_command("ban", "bot", "one", why="it cheats")
    assert Bot.objects.get(slug="one").banned == "it cheats"
    call_command("ban", "bot", "one", why="it was a mistake", lift=True)
    assert Bot.objects.get(slug="one").banned == ""
    with pytest.raises(Refusal, match="not banned"):
        call_command("ban", "bot", "one", why="again", lift=True)
