"""Early end of a stage or a league, and leagues of Kings Court in every format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from bots.models import BotVersion
from foundation.management_commands import InvalidCommandInputError
from ftk_core.kit.verify.league_export_verification import verify_export
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.formats import list_formats
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_state import CommandRejected
from people.person_roles import make_organiser
from replays.models import Match
from replays.playing.match_cancellation import end_match
from replays.playing.match_runner import play_match
from tests.support.factories import create_active_version
from tests.support.leagues import create_entrants, perform_act, play_all, start_league
from tests.support.lengths import short_or_long
from tournaments.leagues import finished_league_export, services
from tournaments.leagues.league_event_projection import load, read_facts
from tournaments.models import CourtRating, League

pytestmark = pytest.mark.django_db(transaction=True)

HAND = LeagueActor(by="olga", at=1_800_000_000, why="the hall closes")
CUP = (StageSettings(format="swiss", seats=2, rounds=5), StageSettings(format="knockout", seats=2, qualify=2))


def verified(league: League, folder: Path) -> None:
    """Export a league and check that the export verifies."""
    finished_league_export.export_league(league.slug, folder / "league.tar")
    assert verify_export(folder / "league.tar").flaws == ()


def play_one() -> None:
    """Play and record the match that has waited longest."""
    match = Match.objects.filter(status=Match.Status.WAITING).order_by("pk")[0]
    assert play_match(match.pk)
    services.record_match(match.pk)


@pytest.mark.slow
def test_ending_a_stage_early_during_a_round_begins_the_next_stage(tmp_path: Path) -> None:
    league = start_league(create_entrants(4), stages=CUP)
    play_one()
    perform_act(league, "end", {}, HAND)
    assert load(league)[1].begun[-1].number == 2
    play_all(league)
    verified(league, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("stages", "number_of_stages_begun"), [(CUP, 2), (CUP[:1], 1)])
def test_a_stage_can_be_ended_while_its_first_round_is_a_draft(
    stages: tuple[StageSettings, ...], number_of_stages_begun: int, tmp_path: Path
) -> None:
    league = start_league(create_entrants(4), stages=stages, held=True)
    assert load(league)[1].draft
    perform_act(league, "end", {}, HAND)
    state = load(league)[1]
    assert len(state.begun) == number_of_stages_begun
    assert bool(state.draft) == (number_of_stages_begun == 2)
    assert state.closed == (number_of_stages_begun == 1)
    if not state.closed:
        perform_act(league, "begin", {}, HAND)
        play_all(league)
    verified(league, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("state", ["begun", "paused", "drafted"])
def test_a_league_that_has_begun_can_be_closed_early_and_passes_verification(state: str, tmp_path: Path) -> None:
    league = start_league(create_entrants(2), rounds=3, held=state == "drafted")
    if state == "paused":
        call_command("organise", "pause", "night", "--why", "a break")
    if state == "drafted":
        with pytest.raises(InvalidCommandInputError, match="no round of Night has begun; cancel the league instead"):
            call_command("organise", "close", "night", "--why", "nobody is here")
        call_command("organise", "begin", "night")
    call_command("organise", "close", "night", "--why", "nobody is here")
    league.refresh_from_db()
    assert league.status == League.Status.CLOSED
    assert not Match.objects.filter(status=Match.Status.WAITING).exists()
    verified(league, tmp_path)
    with pytest.raises(InvalidCommandInputError, match="closed and signed"):
        call_command("organise", "close", "night", "--why", "nobody is here")


@pytest.mark.slow
def test_ending_a_stage_or_league_through_the_api_is_listed_on_the_public_page_of_actions(client: Client) -> None:
    league = start_league(create_entrants(4), stages=CUP)
    ada = User.objects.create_user("ada", is_staff=True)
    client.force_login(ada)
    for verb, told in (("end", "Stage 1 was ended by its organiser."), ("close", "The league was closed by its")):
        answer = client.post(f"/api/v1/leagues/night/acts/{verb}/", {"why": "rain"}, content_type="application/json")
        assert answer.status_code == 201, answer.content
        assert told in client.get("/leagues/night/acts/").content.decode()
    league.refresh_from_db()
    assert league.status == League.Status.CLOSED


@pytest.mark.slow
def test_the_organisers_page_shows_that_a_drafted_round_became_invalid(client: Client) -> None:
    league = start_league(create_entrants(4), rounds=2, held=True)
    client.force_login(User.objects.create_user("ada", is_staff=True))
    draft = load(league)[1].draft
    assert draft
    assert "does not hold" not in client.get("/leagues/night/desk/room/").content.decode()
    one, other = sorted(draft.tables[0].seating)
    call_command("organise", "forbid", "night", str(one), str(other), "--why", "one family")
    assert "does not hold any more: " in client.get("/leagues/night/desk/room/").content.decode()
    with pytest.raises(InvalidCommandInputError, match="would meet, which is forbidden; draft round 1 again"):
        call_command("organise", "begin", "night")
    call_command("organise", "redraft", "night", "--why", "one family")
    call_command("organise", "begin", "night")
    assert {one, other} not in [set(table.seating) for table in load(league)[1].rounds[0].tables]


def test_seeding_by_rating_uses_the_court_ratings_at_the_start_of_the_league() -> None:
    versions = create_entrants(4)
    for value, version in zip((140_000, 170_000, 160_000, 150_000), versions, strict=True):
        CourtRating.objects.create(
            bot=version.bot, game="pig", version=1, value=value, low=value, high=value, provisional=False
        )
    league = start_league(versions, rounds=0, format="knockout", seeding="rating")
    state = load(league)[1]
    assert state.begun[0].ratings == {1: 1400, 2: 1700, 3: 1600, 4: 1500}
    assert {frozenset(table.seating) for table in state.rounds[0].tables} == {frozenset({1, 2}), frozenset({3, 4})}


def test_seeding_by_rating_gives_all_entries_of_a_bot_its_rating() -> None:
    (first, other), value = create_entrants(2), 150_000
    second = BotVersion.objects.create(bot=first.bot, number=2, package=other.package, status=BotVersion.Status.ACTIVE)
    CourtRating.objects.create(
        bot=first.bot, game="pig", version=1, value=value, low=value, high=value, provisional=False
    )
    league = start_league([first, other, second], rounds=0, format="knockout", seeding="rating")
    assert load(league)[1].begun[0].ratings == {1: 1500, 3: 1500}


COURT = {"name": "Court", "slug": "court", "game": "kings_court", "preset": "evening"}
HOW = {"seats": "6", "games": "1", "finalists": "0", "deals": "same", "scored": "matches", "worth": "", "rest": "half"}
HOW |= {"tiebreaks": "", "move_seconds": "0.5", "bank_seconds": "2", "pace_ms": "0", "expected": "9"}
WHO = {"who": "anybody", "per_author": "0", "late": "0", "granted": "none", "tries": "1", "ruling": "share"}


@pytest.fixture
def organiser(client: Client) -> Client:
    olga = User.objects.create_user("olga")
    make_organiser(olga)
    client.force_login(olga)
    return client


def announced(client: Client, **how: Any) -> Any:
    """Announce a league of Kings Court with the form."""
    return client.post("/leagues/new/", {**COURT, **HOW, **WHO, **how})


def courtiers(count: int) -> list[BotVersion]:
    """Return bots of Kings Court that never play in these tests."""
    return [create_active_version("print()", slug=f"court{n}", game="kings_court") for n in range(count)]


@pytest.mark.nightly
@pytest.mark.parametrize("name", sorted(list_formats()))
def test_a_kings_court_league_announced_by_form_can_be_played_in_every_format(
    organiser: Client, name: str, tmp_path: Path
) -> None:
    for count in short_or_long((6, 11, 30), tuple(range(6, 43))):
        slug = f"court{count}"
        rounds = "2" if list_formats()[name].counted else "0"
        assert announced(organiser, format=name, rounds=rounds, slug=slug, seeding="entry").status_code == 302
        league = League.objects.get(slug=slug)
        for version in BotVersion.objects.filter(bot__game="kings_court")[:count] or courtiers(42)[:count]:
            services.enter_bot(league.pk, version)
        services.start(league.pk)
        state = load(league)[1]
        assert all(len(table.seating) == 6 for table in state.rounds[0].tables)
        for _ in range(200):
            league.refresh_from_db()
            if league.status == League.Status.CLOSED:
                break
            give_up(league)
        assert league.status == League.Status.CLOSED
        verified(league, tmp_path)


def give_up(league: League) -> None:
    """Make every match of the round void until the league's rule shares it, so that no bot has to play."""
    for match in Match.objects.filter(status=Match.Status.WAITING).values_list("pk", flat=True):
        end_match(match, "nobody is here")
    services.do_due_work(league.pk, services.timezone.now())


def test_the_league_form_refuses_a_stage_with_too_few_qualified_entries(organiser: Client) -> None:
    page = announced(organiser, format="swiss", rounds="3", finalists="4")
    assert page.status_code == 400
    assert "stage 2 needs 6 entries or more, and 4 qualify for it; let more qualify." in page.content.decode()


def test_a_league_with_too_few_entries_cannot_begin(organiser: Client) -> None:
    announced(organiser, format="knockout", rounds="0")
    league = League.objects.get(slug="court")
    for version in courtiers(5):
        services.enter_bot(league.pk, version)
    with pytest.raises(
        CommandRejected, match="needs 6 entries or more, and would have 5; admit more entries, or cancel the league"
    ):
        services.start(league.pk)
    assert len(read_facts(league)) == 6


@pytest.mark.slow
def test_a_stage_that_begins_when_a_round_is_drafted_again_is_seeded_by_rating(tmp_path: Path) -> None:
    final, rated = StageSettings(format="knockout", seats=2), StageSettings(format="swiss", seats=2, rounds=1)
    versions = create_entrants(4)
    for value, version in zip((140_000, 170_000, 160_000, 150_000), versions, strict=True):
        CourtRating.objects.create(
            bot=version.bot, game="pig", version=1, value=value, low=value, high=value, provisional=False
        )
    league = start_league(versions, stages=(final, msgspec.structs.replace(rated, seeding="rating")), held=True)
    perform_act(league, "begin", {}, HAND)
    for _ in range(2):
        play_one()
    finalist = load(league)[1].draft.tables[0].seating[0]
    perform_act(league, "withdraw", {"entry": finalist}, HAND)
    perform_act(league, "redraft", {}, HAND)
    assert load(league)[1].begun[1].ratings
    perform_act(league, "begin", {}, HAND)
    play_all(league)
    verified(league, tmp_path)
