"""Validation of league terms, by one function and by database constraints."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from ftk_core.league.event_fields import StageSettings
from ftk_core.league.league_state import CommandRejected
from ftk_core.log_entries import TimeControl
from tests.support.factories import BotFactory, create_active_version
from tests.support.leagues import create_entrants
from tournaments import demo_leagues, tasks
from tournaments.leagues import league_settings_validation, services
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import League
from tournaments.reports import league_lists

pytestmark = pytest.mark.django_db(transaction=True)

GOOD = LeagueSettings(slug="cup", name="Cup", game="pig", seats=2, rounds=1)
DEEP = "[" * 100_000
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("a slug with a blank", {"slug": "Bad Slug!"}, "letters, digits, - and _"),
    ("a slug with a slash", {"slug": "a/b"}, "letters, digits, - and _"),
    ("a slug that ends its line", {"slug": "cup\n"}, "letters, digits, - and _"),
    ("a slug in another script", {"slug": "国王"}, "letters, digits, - and _"),
    ("no slug", {"slug": ""}, "letters, digits, - and _"),
    ("a long slug", {"slug": "a" * 61}, "1 to 60"),
    ("no name", {"name": " "}, "1 to 80"),
    ("a long name", {"name": "x" * 81}, "1 to 80"),
    ("a name with a NUL", {"name": "a\0b"}, "1 to 80"),
    ("a name in no encoding", {"name": "\udcff"}, "1 to 80"),
    ("a game that is not there", {"game": "chess"}, "there is no game 'chess'"),
    ("nobody at a table", {"seats": 0}, "not by 0"),
    ("too many at a table", {"seats": 7}, "2 to 6, not by 7"),
    ("no rounds", {"rounds": 0}, "between 1 and 100 (got 0)"),
    ("rounds below nothing", {"rounds": -1}, "between 1 and 100 (got -1)"),
    ("rounds without end", {"rounds": 101}, "between 1 and 100 (got 101)"),
    ("more rounds than a column holds", {"rounds": 10**30}, "between 1 and 100"),
    ("no games", {"games": 0}, "between 1 and 100 (got 0)"),
    (
        "blocks of many deals",
        {"scored": "blocks", "deals": "fresh"},
        "share their deal can be blocks",
    ),
    (
        "a score of nothing",
        {"scored": "rounds"},
        "must be one of matches, blocks (got 'rounds')",
    ),
    (
        "many rounds of many games",
        {"stages": (StageSettings(format="swiss", seats=2, rounds=64, games=17),) * 4},
        "more than 255 rounds can have at most 16 matches",
    ),
    ("games below nothing", {"games": -3}, "between 1 and 100 (got -3)"),
    ("games without end", {"games": 10**9}, "between 1 and 100"),
    ("a format that is not there", {"format": "lottery"}, "'lottery' is not a format"),
    ("no time to move", {"clock": TimeControl(0, 0)}, "move"),
    ("hours to move", {"clock": TimeControl(10**8, 0)}, "move"),
    ("a bank below nothing", {"clock": TimeControl(1000, -1)}, "bank"),
    ("a bank without end", {"clock": TimeControl(1000, 10**12)}, "bank"),
    ("a worth that is not there", {"worth": "glory"}, "glory"),
    ("options in no JSON", {"options": "{"}, "no such options"),
    ("options that the game has not", {"options": '{"fake": 1}'}, "no such options"),
    ("options without end", {"options": '{"x":"' + "y" * 3000 + '"}'}, "2000"),
    ("options without bottom", {"options": DEEP}, "2000"),
    ("a pace below nothing", {"pace_ms": -1}, "got -1"),
    ("a pace of minutes", {"pace_ms": 60_001}, "got 60001"),
    ("a season of many words", {"season": "the autumn of 2026"}, "1 to 20"),
    ("no season", {"season": ""}, "1 to 20"),
    ("entries until yesterday", {"entries_until": timezone.now() - timedelta(days=1)}, "past"),
    ("entries until the end of time", {"entries_until": datetime.max.replace(tzinfo=UTC)}, "two years"),
    ("entries until a time nowhere", {"entries_until": datetime(2027, 1, 31)}, "zone"),  # noqa: DTZ001 - the point
]


@pytest.mark.parametrize(("changed", "said"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_invalid_league_terms_are_refused_with_the_reason_and_store_nothing(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(CommandRejected) as refusal:
        services.open_league(replace(GOOD, **changed))
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert not League.objects.exists()


def test_a_round_robin_of_more_rounds_than_the_ladders_can_rate_does_not_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(league_settings_validation, "MAX_WIDE_ROUND", 2)
    league = services.open_league(replace(GOOD, format="round_robin", rounds=0, games=17))
    for version in create_entrants(4):
        services.enter_bot(league.pk, version)
    with pytest.raises(CommandRejected, match="more than 2 rounds can have at most 16 matches"):
        services.start(league.pk)


def test_wide_and_non_breaking_spaces_in_the_name_of_a_league_become_ordinary_spaces() -> None:
    services.open_league(replace(GOOD, name="春季\u3000聯\xa0賽 "))
    assert League.objects.get().name == "春季 聯 賽"


def test_the_error_about_a_league_name_in_use_does_not_reveal_the_secret_of_the_league() -> None:
    services.open_league(GOOD)
    with pytest.raises(CommandRejected, match="there is a league 'cup' already; choose another slug") as refusal:
        services.open_league(GOOD)
    assert refusal.value.__suppress_context__
    with pytest.raises(CommandError, match="there is a league 'cup' already"):
        call_command("league", "open", "cup", "pig", "--seats", "2")


BAD_ROWS = {
    "slug": ["Bad Slug!", "a/b", ""],
    "name": [" "],
    "game": ["no such game", ""],
    "rounds": [0, 1001, 32767],
    "round": [2, 32767],
    "season": ["no season"],
    "status": ["undecided"],
    "entries_until": ["infinity", "-infinity", "9999-12-31T23:59:59Z"],
    "created_at": ["infinity"],
}
EACH = [(column, value) for column, values in BAD_ROWS.items() for value in values]


@pytest.mark.parametrize(("column", "value"), EACH)
def test_database_constraints_reject_invalid_leagues(column: str, value: object) -> None:
    row = services.open_league(GOOD)
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f'UPDATE tournaments_league SET "{column}" = %s WHERE id = %s', [value, row.pk])


def constraints() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname FROM pg_constraint WHERE conrelid = 'tournaments_league'::regclass AND contype = 'c'"
        )
        return [name for (name,) in cursor.fetchall()]


def spoil(row: League, column: str, value: object) -> None:
    """Write an invalid row after dropping the database constraints."""
    with connection.cursor() as cursor:
        for name in constraints():
            cursor.execute(f'ALTER TABLE tournaments_league DROP CONSTRAINT "{name}"')
        cursor.execute(f'UPDATE tournaments_league SET "{column}" = %s WHERE id = %s', [value, row.pk])


@pytest.fixture
def _restored() -> Any:
    """Restore the database constraints that a test has dropped."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint "
            "WHERE conrelid = 'tournaments_league'::regclass AND contype = 'c'"
        )
        kept = cursor.fetchall()
    assert kept
    yield
    there = constraints()
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE tournaments_league CASCADE")
        for name, definition in kept:
            if name not in there:
                cursor.execute(f'ALTER TABLE tournaments_league ADD CONSTRAINT "{name}" {definition}')


LISTS = ("/", "/leagues/", "/leaderboards/", "/search/", "/bots/", "/watch/", "/status/", "/search/?league=fine")


@pytest.mark.slow
@pytest.mark.parametrize(("column", "value"), EACH)
@pytest.mark.usefixtures("_restored")
def test_a_corrupt_league_does_not_break_lists_of_leagues_and_is_reported_on_the_status_page(
    client: Client, column: str, value: object
) -> None:
    services.open_league(replace(GOOD, slug="fine", name="A fine league"))
    spoil(services.open_league(GOOD), column, value)
    for address in LISTS:
        answer = client.get(address, follow=True)
        assert answer.status_code == 200, address
        if address in ("/", "/leagues/"):
            assert b"A fine league" in answer.content, address
    assert "1 league cannot be shown" in client.get("/status/").content.decode()
    assert [card.slug for card in league_lists.list_leagues()] == ["fine"]


@pytest.mark.usefixtures("_restored")
def test_a_corrupt_league_does_not_stop_other_leagues_from_beginning() -> None:
    fine = services.open_league(replace(GOOD, slug="fine", entries_until=timezone.now() + timedelta(hours=1)))
    spoilt = services.open_league(replace(GOOD, entries_until=timezone.now() + timedelta(minutes=1)))
    for number in range(2):
        services.enter_bot(fine.pk, create_active_version(slug=f"b{number}"))
    spoil(spoilt, "slug", "a/b")
    assert tasks.do_all_due_work(timezone.now() + timedelta(hours=2)) == 1


@pytest.mark.slow
def test_leagues_of_a_game_that_is_not_installed_do_not_break_lists(client: Client) -> None:
    services.open_league(replace(GOOD, slug="fine", name="A fine league"))
    League.objects.filter(pk=services.open_league(GOOD).pk).update(game="ludo")
    BotFactory.create(slug="old", game="ludo")
    for address in LISTS:
        assert client.get(address, follow=True).status_code == 200, address
    assert b"A fine league" in client.get("/").content


@pytest.mark.parametrize(
    ("game", "rounds", "said"), [("ludo", None, "no game 'ludo'"), ("pig", 0, "got 0"), ("pig", -1, "got -1")]
)
def test_the_demo_command_refuses_invalid_league_terms(game: str, rounds: int | None, said: str) -> None:
    with pytest.raises(CommandRejected, match=said):
        demo_leagues.plan_leagues(game, rounds, None)
    with pytest.raises(CommandError, match=said):
        call_command("demo", game=game, rounds=rounds)
