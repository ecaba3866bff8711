"""Matches that end are recorded where they belong; those of a busy league a few at a time, and none is left behind."""

from __future__ import annotations

import pytest
from django.utils import timezone

from replays.models import Match
from replays.playing.runner import play_match
from tests.support.entering import opened
from tests.support.factories import active_version, waiting_match
from tournaments import recording, services
from tournaments.models import League, TableMatch
from tournaments.tasks import tend_all

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def league() -> League:
    """A league of eight bots in its first round, none of whose four matches has been played."""
    league = opened(games=1)
    for _ in range(8):
        services.enter_bot(league.pk, active_version())
    services.start(league.pk)
    return league


def ended(match_id: str) -> str:
    assert play_match(match_id)
    return match_id


@pytest.mark.slow
def test_results_of_a_busy_league_wait_for_the_next_and_the_last_one_waits_for_nothing(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "PAUSE_SECONDS", 3600.0)
    matches = list(league.tables.order_by("number").values_list("match_id", flat=True))
    told = [recording.record(ended(match)) for match in matches]
    assert told == [True, False, False, True]
    assert not TableMatch.objects.filter(league=league, match_id__in=matches, recorded=False).exists()


def test_what_waits_is_recorded_at_once_when_the_pause_is_over(league: League, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "PAUSE_SECONDS", 3600.0)
    first, second, third, _ = league.tables.order_by("number").values_list("match_id", flat=True)
    assert recording.record(ended(first))
    assert not recording.record(ended(second))
    monkeypatch.setattr(recording, "PAUSE_SECONDS", 0.0)
    assert recording.record(ended(third))
    assert not TableMatch.objects.filter(match_id__in=(first, second, third), recorded=False).exists()


def test_what_no_match_comes_after_is_recorded_by_the_sweeper(league: League, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "PAUSE_SECONDS", 3600.0)
    first, second, *_ = league.tables.order_by("number").values_list("match_id", flat=True)
    assert recording.record(ended(first))
    assert not recording.record(ended(second))
    assert tend_all(timezone.now()) == 1
    assert not TableMatch.objects.filter(match_id__in=(first, second), recorded=False).exists()


@pytest.mark.slow
def test_who_plays_rings_for_a_busy_league_no_more_often_than_it_is_recorded_and_always_for_the_last(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[str] = []
    monkeypatch.setattr(recording, "ring", lambda _name, match_id: rung.append(match_id))
    monkeypatch.setattr(recording, "PAUSE_SECONDS", 3600.0)
    first, second, third, last = league.tables.order_by("number").values_list("match_id", flat=True)
    friendly = waiting_match([active_version(), active_version()]).pk
    for match in (first, second, friendly, third, last):
        ended(match)
    assert rung == [first, friendly, last]


def test_a_match_that_is_not_over_or_not_there_is_nothing(league: League) -> None:
    waiting = league.tables.values_list("match_id", flat=True)[0]
    friendly = waiting_match([active_version(), active_version()])
    assert not any(recording.record(match) for match in (waiting, friendly.pk, "absent"))
    assert Match.objects.filter(status=Match.Status.CLOSED).count() == 0
