"""Leagues from the first entry to the last rating, with real bots and results in any order."""

from __future__ import annotations

import getpass
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import Model

from bots.models import BotVersion
from ftk_core.hash_chained_log import check_chain
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.league.league_state import CommandRejected
from ftk_core.log_entries import MatchOpened, read
from replays.event_stream_storage import pages_of
from replays.models import Match
from replays.playing.match_runner import play_match
from replays.reports.seat_statistics import read_bot_statistics, read_seat_statistics
from replays.services import verify_match
from tests.support.factories import AuthorFactory, create_active_version
from tests.support.leagues import create_entrants, play_all, start_league
from tournaments import tasks
from tournaments.ladders import ladder_match_rating
from tournaments.leagues import league_event_projection, services, void_match_resolution
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import ALL_TIME, Entrant, League, LeagueMatch, Rating
from tournaments.models.organiser_roles import LeagueRole
from tournaments.reports import league_page_queries

pytestmark = pytest.mark.django_db(transaction=True)


def rows() -> dict[type[Model], list[dict[str, Any]]]:
    """Return all projected rows without their primary keys."""
    kept = {
        kind: [f.name for f in kind._meta.fields if f.name != "id"] for kind in (League, Entrant, LeagueMatch, Rating)
    }
    found = {kind: list(kind._default_manager.values(*fields)) for kind, fields in kept.items()}
    return {kind: sorted(values, key=str) for kind, values in found.items()}


@pytest.mark.slow
def test_a_started_league_runs_to_its_end_without_further_commands() -> None:
    league = start_league(create_entrants())
    play_all(league)
    page = league_page_queries.read_league("night")
    assert page.status == "closed"
    assert page.newest
    assert [page.newest.number, *page.older] == [2, 1]
    assert sum(row.played for row in page.standings.rows) == 8
    assert list(check_chain(pages_of(league.stream_id)))


@pytest.mark.slow
def test_ratings_after_a_league_do_not_depend_on_the_order_in_which_matches_end() -> None:
    league = start_league(create_entrants(8), rounds=1)
    matches = list(league.tables.order_by("number").values_list("match_id", flat=True))
    for match in reversed(matches):
        assert play_match(match)
        assert services.record_match(match)
    first = dict(Rating.objects.filter(season=ALL_TIME).values_list("bot__slug", "value"))
    assert sum(first.values()) == 1_500_000 * 8
    lines = [line for page in pages_of(ladder_match_rating.stream_of("pig")) for line in page.lines]
    assert [matches.index(line.decode().split('"')[7]) for line in lines] == list(range(4))


def test_several_games_of_one_pairing_share_the_random_deal_and_rotate_the_seats() -> None:
    league = start_league(create_entrants(2), rounds=1, games=2)
    one, two = [table.match for table in league.tables.order_by("game")]
    assert bytes(one.seed) == bytes(two.seed)
    assert [s.version_id for s in one.seats.all()] == [s.version_id for s in two.seats.all()][::-1]


@pytest.mark.slow
def test_rebuilding_the_database_tables_from_the_event_streams_gives_the_original_rows() -> None:
    versions = create_entrants()
    play_all(start_league(versions, season="2026"))
    play_all(start_league(versions, slug="gala", season="2027"))
    before = rows()
    assert len(before[Rating]) == 3 * len(versions)
    Entrant.objects.all().delete()
    Rating.objects.all().delete()
    LeagueMatch.objects.update(recorded=False)
    League.objects.update(season="", status=League.Status.OPEN, round=0)
    assert rows() != before
    call_command("rebuild", verbosity=0)
    assert rows() == before


@pytest.mark.slow
def test_the_sweeper_records_the_result_of_a_match_whose_worker_died_before_recording() -> None:
    start_league(create_entrants(2), rounds=1)
    match = Match.objects.get()
    assert play_match(match.pk)
    assert LeagueMatch.objects.get().recorded is False
    assert tasks.sweep() == 1
    assert LeagueMatch.objects.get().recorded
    assert League.objects.get().status == League.Status.CLOSED


@pytest.mark.slow
@pytest.mark.parametrize(("release", "same"), [("after_round", True), ("at_once", False)])
def test_a_void_match_is_replayed_on_the_same_deal_only_if_it_was_not_public(release: Any, *, same: bool) -> None:
    league = start_league(create_entrants(2), rounds=1, tries=0, release=release)
    match = Match.objects.get()
    Match.objects.filter(pk=match.pk).update(status=Match.Status.VOID)
    assert not services.record_match(match.pk)
    league.refresh_from_db()
    assert league.status == League.Status.RUNNING
    again = Match.objects.get(pk=void_match_resolution.replace_void(match.pk, by="ada"))
    assert (bytes(again.seed) == bytes(match.seed)) is same
    with pytest.raises(CommandRejected, match="only void matches"):
        void_match_resolution.replace_void(again.pk, by="ada")
    play_all(league)


def test_an_ineligible_entry_is_refused_with_a_reason() -> None:
    version = create_active_version(slug="late")
    league = start_league(create_entrants(2))
    with pytest.raises(CommandRejected, match="has begun"):
        services.enter_bot(league.pk, version)
    other = services.open_league(LeagueSettings(slug="next", name="Next", game="pig", seats=2, rounds=1))
    services.enter_bot(other.pk, version)
    with pytest.raises(CommandRejected, match="entered already"):
        services.enter_bot(other.pk, version)
    BotVersion.objects.filter(pk=version.pk).update(status="refused")
    version.refresh_from_db()
    with pytest.raises(CommandRejected, match="only active versions"):
        services.enter_bot(other.pk, version)
    with pytest.raises(CommandRejected, match="needs 2 entries or more"):
        services.start(other.pk)


def kings_league(**terms: Any) -> League:
    house = list_built_in_bots("kings_court")
    names = [sorted(house)[n % len(house)] for n in range(7)]
    versions = [create_active_version(house[name], slug=f"k{n}", game="kings_court") for n, name in enumerate(names)]
    row = services.open_league(
        LeagueSettings(slug="court", name="Court", game="kings_court", seats=7, rounds=1, **terms)
    )
    for version in versions:
        services.enter_bot(row.pk, version)
    services.start(row.pk)
    return row


@pytest.mark.slow
def test_league_matches_use_the_game_options_of_the_league_and_statistics_count_matches_by_role() -> None:
    league = kings_league(options='{"fake": true, "gifts": 2}')
    play_all(league)
    match_id = league.tables.get().match_id
    first = read(next(iter(pages_of(f"match/{match_id}"))).lines[0])
    assert isinstance(first, MatchOpened)
    assert b'"fake":true' in bytes(first.options)
    assert verify_match(match_id).game == "kings_court"
    table = read_seat_statistics("kings_court")
    assert table.by == "Role"
    assert sum(row.matches for row in table.rows) == 7
    assert [row.matches for row in table.rows if row.name == "king"] == [1]
    assert sum(row.matches for row in read_bot_statistics("k0")[1].rows) == 1


def test_invalid_game_options_are_refused_with_the_reason() -> None:
    cards = '{"cards": ["peasant"]}'
    with pytest.raises(CommandRejected, match="holds 4 cards, not 1"):
        services.open_league(
            LeagueSettings(slug="court", name="Court", game="kings_court", seats=7, rounds=1, options=cards)
        )


def test_the_chosen_set_of_role_cards_determines_the_smallest_number_of_players() -> None:
    cards = '{"cards": ["peasant", "guard", "usurper", "apprentice"]}'
    row = services.open_league(
        LeagueSettings(slug="court", name="Court", game="kings_court", seats=7, rounds=1, options=cards)
    )
    assert league_event_projection.load(row)[1].header.least == 7


def test_a_league_can_be_run_from_a_shell() -> None:
    create_entrants(2)
    out = StringIO()
    call_command("league", "open", "shell", "pig", "--seats", "2", "--rounds", "1", stdout=out)
    call_command("league", "enter", "shell", "b0", "b1", stdout=out)
    call_command("league", "start", "shell", stdout=out)
    play_all(League.objects.get(slug="shell"))
    call_command("league", "show", "shell", stdout=out)
    assert "shell: closed, round 1 of 1" in out.getvalue()


def test_the_account_with_the_name_of_the_shell_operator_has_no_role_in_a_league_opened_from_the_shell() -> None:
    AuthorFactory.create(username=getpass.getuser())
    call_command("league", "open", "shell", "pig", "--seats", "2", verbosity=0)
    assert league_event_projection.load(League.objects.get())[1].header.by == getpass.getuser()
    assert not LeagueRole.objects.exists()


def test_a_shell_operator_appoints_the_organiser_of_a_league() -> None:
    AuthorFactory.create(username="olga")
    call_command("league", "open", "shell", "pig", "--seats", "2", verbosity=0)
    out = StringIO()
    call_command("league", "appoint", "shell", "olga", stdout=out)
    assert out.getvalue() == "appointed: olga is an organiser of shell\n"
    assert LeagueRole.objects.values_list("person__username", "role").get() == ("olga", LeagueRole.Role.ORGANISER)
    with pytest.raises(CommandError, match="nobody is called 'otto'"):
        call_command("league", "appoint", "shell", "otto")
