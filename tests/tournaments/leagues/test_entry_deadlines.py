"""Leagues with an entry deadline, which begin without a command."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_facts import LEAGUE_RULES
from ftk_core.league.league_state import CommandRejected
from tests.support.league_entries import create_own_version
from tests.support.leagues import create_entrants, perform_act, start_league
from tournaments import tasks
from tournaments.leagues import league_settings, services
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import League
from tournaments.reports import league_lists

pytestmark = pytest.mark.django_db(transaction=True)

SOON = timezone.now().replace(microsecond=0) + timedelta(hours=1)
LATER = SOON + timedelta(seconds=1)


def announced(slug: str = "cup", until: datetime | None = SOON) -> League:
    return services.open_league(
        LeagueSettings(slug=slug, name=slug.title(), game="pig", seats=2, rounds=1, entries_until=until)
    )


def status_of(league: League) -> str:
    league.refresh_from_db()
    return str(league.status)


def test_a_league_begins_at_its_entry_deadline_but_not_earlier() -> None:
    cup, waits_for_a_word = announced(), announced("other", None)
    for version in create_entrants(2):
        services.enter_bot(cup.pk, version)
        services.enter_bot(waits_for_a_word.pk, version)
    assert tasks.do_all_due_work(SOON - timedelta(seconds=1)) == 0
    assert status_of(cup) == League.Status.OPEN
    assert tasks.do_all_due_work(SOON) == 1
    assert status_of(cup) == League.Status.RUNNING
    assert tasks.do_all_due_work(LATER) == 0
    assert status_of(waits_for_a_word) == League.Status.OPEN


def test_a_periodic_task_begins_a_league_at_its_entry_deadline() -> None:
    cup = announced()
    for version in create_entrants(2):
        services.enter_bot(cup.pk, version)
    League.objects.filter(pk=cup.pk).update(entries_until=timezone.now())
    assert tasks.sweep() == 1
    assert status_of(cup) == League.Status.RUNNING


def test_a_league_with_too_few_entries_at_the_deadline_begins_when_the_missing_entry_arrives() -> None:
    cup, (one, other) = announced(), create_entrants(2)
    services.enter_bot(cup.pk, one)
    assert tasks.do_all_due_work(LATER) == 0
    services.enter_bot(cup.pk, other)
    assert tasks.do_all_due_work(LATER) == 1


def test_an_entry_after_the_deadline_is_refused_even_before_the_sweeper_runs() -> None:
    cup, (*in_time, late) = announced(), create_entrants(3)
    for version in in_time:
        services.enter_bot(cup.pk, version)
    League.objects.filter(pk=cup.pk).update(entries_until=timezone.now())
    with pytest.raises(CommandRejected, match="entries to Cup are closed; it is about to begin"):
        services.enter_bot(cup.pk, late)
    assert cup.entrants.count() == 2


def test_an_entry_deadline_in_the_past_is_refused_and_the_message_contains_the_current_time() -> None:
    with pytest.raises(CommandRejected, match="entries cannot close at 2020-01-02 03:04 UTC: that is past, it is 20"):
        announced(until=datetime(2020, 1, 2, 3, 4, tzinfo=UTC))
    assert not League.objects.exists()


def test_rebuilding_a_league_restores_its_entry_deadline_from_its_event_stream() -> None:
    cup = announced()
    League.objects.filter(pk=cup.pk).update(entries_until=None)
    services.rebuild(cup.pk)
    cup.refresh_from_db()
    assert cup.entries_until == SOON


def test_the_league_that_begins_next_is_listed_first() -> None:
    announced("whenever", None)
    announced("late", LATER)
    announced("soon", SOON)
    assert [card.slug for card in league_lists.list_current(5)] == ["soon", "late", "whenever"]


def test_leagues_that_lack_bots_after_their_entry_deadline_are_listed_behind_running_leagues() -> None:
    for slug in ("abandoned", "running", "soon"):
        announced(slug, SOON)
    League.objects.filter(slug="abandoned").update(entries_until=timezone.now() - timedelta(days=90))
    League.objects.filter(slug="running").update(status=League.Status.RUNNING)
    assert [card.slug for card in league_lists.list_current(3)] == ["soon", "running", "abandoned"]


def test_finished_leagues_are_listed_from_the_newest_whatever_their_entry_deadlines_were() -> None:
    for slug, until in (("first", LATER), ("second", SOON), ("third", None)):
        announced(slug, until)
    League.objects.update(status=League.Status.CLOSED)
    assert [card.slug for card in league_lists.list_current(2)] == ["third", "second"]


def test_an_entry_deadline_is_read_as_utc_and_a_wrong_format_is_explained() -> None:
    words = ["league", "open", "cup", "pig", "--seats", "2", "--entries-until"]
    with pytest.raises(CommandError, match="'tomorrow' is no time; write it like 2027-01-31T18:00"):
        call_command(*words, "tomorrow")
    call_command(*words, f"{SOON:%Y-%m-%dT%H:%M:%S}", stdout=StringIO())
    assert League.objects.get().entries_until == SOON


@pytest.mark.slow
def test_pages_and_calendar_show_the_entry_deadline(client: Client) -> None:
    cup = announced()
    said = f'Entries close <time datetime="{SOON.isoformat()}">'
    for path in ("/", "/leagues/", "/leagues/cup/"):
        assert said in client.get(path).content.decode(), path
    calendar = client.get("/leagues/cup/rounds.ics").content.decode()
    assert "SUMMARY:Cup: entries close" in calendar
    assert f"DTSTART:{SOON:%Y%m%dT%H%M%SZ}" in calendar
    League.objects.filter(pk=cup.pk).update(entries_until=timezone.now())
    assert "Begins as soon as enough bots have entered" in client.get("/leagues/cup/").content.decode()


@pytest.mark.parametrize("rules", [1, LEAGUE_RULES])
def test_a_bot_can_enter_late_only_until_the_last_round_of_the_first_stage_begins(
    rules: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league_settings, "LEAGUE_RULES", rules)
    league, late = start_league(create_entrants(4), rounds=1, late=9, granted="half"), create_own_version("late")
    with pytest.raises(CommandRejected, match="the last round for which Night takes late entries has begun"):
        services.enter_bot(league.pk, late)
    perform_act(league, "extend", {"rounds": 2}, LeagueActor(by="olga", at=1_800_000_000, why="more bots want to play"))
    services.enter_bot(league.pk, late)
    assert league.entrants.count() == 5
