"""A league may say until when bots can enter; then it begins by itself."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from ftk_core.league.state import NotNow
from tests.support.leagues import entrants
from tournaments import queries, services, tasks
from tournaments.models import League
from tournaments.terms import Terms

pytestmark = pytest.mark.django_db(transaction=True)

SOON = timezone.now().replace(microsecond=0) + timedelta(hours=1)
LATER = SOON + timedelta(seconds=1)


def announced(slug: str = "cup", until: datetime | None = SOON) -> League:
    return services.open_league(Terms(slug=slug, name=slug.title(), game="pig", seats=2, rounds=1, entries_until=until))


def status_of(league: League) -> str:
    league.refresh_from_db()
    return str(league.status)


def test_it_begins_when_its_time_has_come_and_not_before() -> None:
    cup, waits_for_a_word = announced(), announced("other", None)
    for version in entrants(2):
        services.enter_bot(cup.pk, version)
        services.enter_bot(waits_for_a_word.pk, version)
    assert tasks.sweep() == 0
    assert status_of(cup) == League.Status.OPEN
    assert tasks.tend_all(LATER) == 1
    assert status_of(cup) == League.Status.RUNNING
    assert tasks.tend_all(LATER) == 0
    assert status_of(waits_for_a_word) == League.Status.OPEN


def test_a_sweeper_begins_it() -> None:
    cup = announced()
    for version in entrants(2):
        services.enter_bot(cup.pk, version)
    League.objects.filter(pk=cup.pk).update(entries_until=timezone.now())
    assert tasks.sweep() == 1
    assert status_of(cup) == League.Status.RUNNING


def test_with_too_few_entries_it_waits_and_begins_with_the_one_that_was_missing() -> None:
    cup, (one, other) = announced(), entrants(2)
    services.enter_bot(cup.pk, one)
    assert tasks.tend_all(LATER) == 0
    services.enter_bot(cup.pk, other)
    assert tasks.tend_all(LATER) == 1


def test_whoever_comes_too_late_is_refused_though_no_sweeper_has_come_by_yet() -> None:
    cup, (*in_time, late) = announced(), entrants(3)
    for version in in_time:
        services.enter_bot(cup.pk, version)
    League.objects.filter(pk=cup.pk).update(entries_until=timezone.now())
    with pytest.raises(NotNow, match="entries to Cup are closed; it is about to begin"):
        services.enter_bot(cup.pk, late)
    assert cup.entrants.count() == 2


def test_a_time_that_is_past_is_refused_with_what_time_it_is() -> None:
    with pytest.raises(NotNow, match="entries cannot close at 2020-01-02 03:04 UTC: that is past, it is 20"):
        announced(until=datetime(2020, 1, 2, 3, 4, tzinfo=UTC))
    assert not League.objects.exists()


def test_a_rebuilt_league_knows_its_time_from_its_stream() -> None:
    cup = announced()
    League.objects.filter(pk=cup.pk).update(entries_until=None)
    services.rebuild(cup.pk)
    cup.refresh_from_db()
    assert cup.entries_until == SOON


def test_the_next_to_begin_stands_first() -> None:
    announced("whenever", None)
    announced("late", LATER)
    announced("soon", SOON)
    assert [card.slug for card in queries.list_current(5)] == ["soon", "late", "whenever"]


def test_an_organiser_says_it_in_utc_and_is_told_how_to_write_it() -> None:
    words = ["league", "open", "cup", "pig", "--seats", "2", "--entries-until"]
    with pytest.raises(CommandError, match="'tomorrow' is no time; write it like 2027-01-31T18:00"):
        call_command(*words, "tomorrow")
    call_command(*words, f"{SOON:%Y-%m-%dT%H:%M:%S}", stdout=StringIO())
    assert League.objects.get().entries_until == SOON


def test_pages_and_calendar_say_until_when(client: Client) -> None:
    cup = announced()
    said = f'Entries close <time datetime="{SOON.isoformat()}">'
    for path in ("/", "/leagues/", "/leagues/cup/"):
        assert said in client.get(path).content.decode(), path
    calendar = client.get("/leagues/cup/rounds.ics").content.decode()
    assert "SUMMARY:Cup: entries close" in calendar
    assert f"DTSTART:{SOON:%Y%m%dT%H%M%SZ}" in calendar
    League.objects.filter(pk=cup.pk).update(entries_until=timezone.now())
    assert "Begins as soon as enough bots have entered" in client.get("/leagues/cup/").content.decode()
