"""Bans by staff: entries withdraw, matches end, and trials and tokens are refused until the ban is lifted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from typer.testing import CliRunner

from bots.access.api_tokens import InvalidTokenError, authenticate_token, create_token
from bots.models import Bot, BotVersion
from bots.services import accept_upload
from foundation.management_commands import InvalidCommandInputError
from ftk_core.kit.cli import app
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from ftk_core.kit.verify.league_export_verification import verify_export
from ftk_core.kit.verify.match_log_verification import verify_lines
from ftk_core.league.intervention_facts import BotWithdrew, MatchVoided
from ftk_core.league.league_state import CommandRejected
from ftk_core.match_log_file import dump_pages
from people.models import StaffAct
from people.person_bans import BanChangeRefusedError
from people.staff_audit_trail import make_shell_actor
from replays.event_stream_storage import pages_of
from replays.models import Match
from replays.playing.match_cancellation import end_match
from replays.playing.match_leases import claim, renew_all
from replays.playing.match_runner import play_match
from tests.support.factories import AuthorFactory, create_active_version, create_waiting_match
from tests.support.leagues import create_entrants, play_all, start_league
from tournaments.leagues import services
from tournaments.leagues.finished_league_export import stream_export
from tournaments.leagues.league_event_projection import load, read_facts
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import League
from tournaments.organisers import author_and_bot_bans

pytestmark = pytest.mark.django_db(transaction=True)
STAFF = make_shell_actor("root", "it cheats")
Status = BotVersion.Status


def owner(slug: str = "b0") -> User:
    return Bot.objects.get(slug=slug).owner


@pytest.mark.slow
@pytest.mark.parametrize(
    "ban",
    [lambda: author_and_bot_bans.ban_bot(STAFF, "b0"), lambda: author_and_bot_bans.ban_author(STAFF, str(owner()))],
)
def test_banning_a_bot_withdraws_it_from_its_league_and_ends_its_match_and_the_league_continues(
    ban: Callable[[], None],
) -> None:
    league = start_league(create_entrants(), rounds=2)
    table = league.tables.get(match__seats__version__bot__slug="b0")
    lease = claim(table.match_id, "a worker")
    assert lease
    ban()
    facts = read_facts(league)
    assert [(f.entry, f.by, f.reason) for f in facts if isinstance(f, BotWithdrew)] == [
        (1, author_and_bot_bans.BY, author_and_bot_bans.WHY)
    ]
    assert [f.match for f in facts if isinstance(f, MatchVoided)] == [table.match_id]
    match = Match.objects.get(pk=table.match_id)
    assert (match.status, match.reason) == (Match.Status.VOID, author_and_bot_bans.WHY)
    assert renew_all([lease], connection) == set()
    play_all(league)
    _, state = load(league)
    assert state.closed
    assert all(1 not in plan.tables[n].seating for plan in state.rounds[1:] for n in range(len(plan.tables)))
    assert author_and_bot_bans.enforce() == 0


@pytest.mark.slow
@pytest.mark.parametrize("begun", [False, True])
def test_in_a_knockout_the_opponent_of_a_banned_bot_advances(begun: bool, tmp_path: Path) -> None:
    league = start_league(create_entrants(), format="knockout", rounds=0)
    table = league.tables.get(match__seats__version__bot__slug="b0")
    (other,) = table.match.seats.exclude(version__bot__slug="b0").values_list("version__bot__slug", flat=True)
    if begun:
        assert claim(table.match_id, "a worker")
    author_and_bot_bans.ban_bot(STAFF, "b0")
    play_all(league)
    _, state = load(league)
    final = state.rounds[-1].tables[0].seating
    assert f"{other}-1" in {state.entrant(entry).name for entry in final}
    target = tmp_path / "night.tar"
    target.write_bytes(b"".join(stream_export("night")))
    assert not verify_export(target, None).flaws


@pytest.mark.slow
def test_the_export_of_a_league_with_a_banned_bot_passes_verification(tmp_path: Path) -> None:
    league = start_league(create_entrants(), rounds=2)
    author_and_bot_bans.ban_bot(STAFF, "b0")
    play_all(league)
    target = tmp_path / "night.tar"
    target.write_bytes(b"".join(stream_export("night")))
    done = CliRunner().invoke(app, ["verify", str(target)])
    assert done.exit_code == 0, done.output


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["b0", "b1"])
def test_a_ban_voids_unfinished_matches_outside_leagues_and_keeps_finished_ones(slug: str) -> None:
    versions = create_entrants(2)
    over, going = create_waiting_match(versions, "one"), create_waiting_match(versions, "two")
    assert play_match(over.pk)
    author_and_bot_bans.ban_bot(STAFF, slug)
    assert Match.objects.get(pk=over.pk).status == Match.Status.CLOSED
    assert Match.objects.get(pk=going.pk).status == Match.Status.VOID
    log = b"".join(dump_pages(pages_of(going.stream_id)))
    assert verify_lines(log.splitlines(keepends=True)).void == author_and_bot_bans.WHY
    assert not play_match(going.pk)


def test_a_banned_author_cannot_sign_in_use_a_token_or_enter_a_league(client: Client) -> None:
    version = create_active_version(slug="ada")
    person = version.bot.owner
    token = create_token(person)
    client.force_login(person)
    league = services.open_league(LeagueSettings(slug="cup", name="Cup", game="pig", seats=2, rounds=1))
    author_and_bot_bans.ban_author(STAFF, person.get_username())
    assert client.get("/account/").status_code == 302
    with pytest.raises(InvalidTokenError, match="This account is banned: it cheats; ask the organisers"):
        authenticate_token(token)
    said = client.post("/sign-in/token/", {"token": token})
    assert said.status_code == 400
    assert "it cheats" in said.content.decode()
    upload = client.get("/api/v1/token/", headers={"Authorization": f"Token {token}"})
    assert upload.status_code == 401
    assert "it cheats" in upload.json()["detail"]
    version.refresh_from_db()
    with pytest.raises(CommandRejected, match="retired; only active"):
        services.enter_bot(league.pk, version)


def test_a_banned_bot_accepts_no_upload_and_passes_no_trial_until_the_ban_is_lifted() -> None:
    person = AuthorFactory.create(username="ada")
    sent = accept_upload(person, "pig", "ada", "bot.py", b"print(1)")
    author_and_bot_bans.ban_bot(STAFF, "ada")
    sent.refresh_from_db()
    assert (sent.status, sent.reason) == (Status.REFUSED, "banned: ask the organisers")
    with pytest.raises(InvalidUploadError, match="ada is banned: it cheats; ask the organisers"):
        accept_upload(person, "pig", "ada", "bot.py", b"print(2)")
    author_and_bot_bans.lift_bot(STAFF, "ada")
    sent.refresh_from_db()
    assert (sent.status, sent.reason) == (Status.TRIAL, "")
    assert accept_upload(person, "pig", "ada", "bot.py", b"print(2)").number == 2


def test_lifting_the_ban_of_an_author_keeps_the_separate_ban_of_a_bot() -> None:
    person = AuthorFactory.create(username="ada")
    one, two = create_active_version(slug="one", owner=person), create_active_version(slug="two", owner=person)
    author_and_bot_bans.ban_bot(STAFF, "two")
    author_and_bot_bans.ban_author(STAFF, "ada")
    author_and_bot_bans.lift_author(STAFF, "ada")
    one.refresh_from_db()
    two.refresh_from_db()
    assert (one.status, two.status) == (Status.ACTIVE, Status.RETIRED)
    author_and_bot_bans.lift_bot(STAFF, "two")
    two.refresh_from_db()
    assert two.status == Status.ACTIVE
    assert User.objects.get(username="ada").is_active


def test_every_ban_is_logged_with_its_target_and_reason_and_the_responsible_staff_member() -> None:
    person = AuthorFactory.create(username="ada")
    create_active_version(slug="one", owner=person)
    author_and_bot_bans.ban_bot(STAFF, "one")
    author_and_bot_bans.lift_bot(STAFF, "one")
    author_and_bot_bans.ban_author(STAFF, "ada")
    kept = [(act.name, act.what, act.on, act.person, act.why) for act in StaffAct.objects.order_by("pk")]
    assert kept == [
        ("root", "ban", "bot one", person, "it cheats"),
        ("root", "lift", "bot one", person, "it cheats"),
        ("root", "ban", "author ada", person, "it cheats"),
    ]


def test_bans_that_are_refused_are_not_in_the_staff_log() -> None:
    AuthorFactory.create(username="boss", is_staff=True)
    AuthorFactory.create(username="ada")
    with pytest.raises(BanChangeRefusedError, match="boss is staff"):
        author_and_bot_bans.ban_author(STAFF, "boss")
    with pytest.raises(BanChangeRefusedError, match="ada is not banned"):
        author_and_bot_bans.lift_author(STAFF, "ada")
    with pytest.raises(BanChangeRefusedError, match="there is no bot 'nosuch'"):
        author_and_bot_bans.ban_bot(STAFF, "nosuch")
    assert not StaffAct.objects.exists()


def test_the_sweeper_finishes_an_interrupted_ban() -> None:
    league = start_league(create_entrants())
    Bot.objects.filter(slug="b0").update(banned="it cheats")
    assert author_and_bot_bans.enforce() == 2, "the league and the match"
    assert League.objects.get(pk=league.pk).entrants.get(number=1).withdrawn
    assert author_and_bot_bans.enforce() == 0


def test_the_ban_command_bans_a_bot_and_lifts_the_ban() -> None:
    create_active_version(slug="one")
    call_command("ban", "bot", "one", why="it cheats")
    assert Bot.objects.get(slug="one").banned == "it cheats"
    call_command("ban", "bot", "one", why="it was a mistake", lift=True)
    assert Bot.objects.get(slug="one").banned == ""
    with pytest.raises(InvalidCommandInputError, match="not banned"):
        call_command("ban", "bot", "one", why="again", lift=True)


def test_a_match_of_a_removed_game_is_voided_when_one_of_its_bots_is_banned() -> None:
    banned = create_active_version(slug="one")
    matches = [create_waiting_match([banned, create_active_version()]) for _ in range(3)]
    Match.objects.filter(pk=min(match.pk for match in matches)).update(game="removed_game")
    author_and_bot_bans.ban_bot(STAFF, "one")
    ended = Match.objects.filter(status="void")
    assert sorted(ended.values_list("game", flat=True)) == ["pig", "pig", "removed_game"]
    assert ended.get(game="removed_game").reason.startswith(
        "staff banned the bot or its author; its log could not be ended"
    )


def test_an_error_in_ending_one_match_of_a_banned_bot_does_not_affect_its_other_matches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    banned = create_active_version(slug="one")
    matches = [create_waiting_match([banned, create_active_version()]) for _ in range(3)]
    stuck = min(match.pk for match in matches)

    def end(match_id: str, reason: str, seat: int | None) -> bool:
        if match_id == stuck:
            raise RuntimeError("it cannot be ended")
        return end_match(match_id, reason, seat)

    monkeypatch.setattr(author_and_bot_bans, "end_match", end)
    author_and_bot_bans.ban_bot(STAFF, "one")
    assert list(Match.objects.exclude(status="void").values_list("pk", flat=True)) == [stuck]
    monkeypatch.undo()
    assert author_and_bot_bans.enforce() == 1, "the sweep tries again"
