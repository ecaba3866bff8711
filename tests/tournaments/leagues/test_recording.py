"""Recording of finished matches: batched in busy leagues, without losing any match."""

from __future__ import annotations

import pytest
from django.utils import timezone

from foundation.debounce import Debounce
from replays.playing.match_runner import play_match
from tests.support.factories import create_active_version, create_waiting_match
from tests.support.league_entries import open_league
from tests.support.leagues import read_stored
from tournaments import match_recording
from tournaments.leagues import services
from tournaments.models import League, LeagueMatch
from tournaments.tasks import do_all_due_work

pytestmark = pytest.mark.django_db(transaction=True)


class ManualClock:
    """Clock that only the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> ManualClock:
    """Clock of the debounced recordings, which only the test moves."""
    stopped = ManualClock()
    for name in ("enqueue_debounce", "record_debounce"):
        monkeypatch.setattr(match_recording, name, Debounce(match_recording.PAUSE_SECONDS, stopped))
    return stopped


@pytest.fixture
def league() -> League:
    """A league of eight bots in its first round, before the first of its four matches."""
    league = open_league(games=1)
    for _ in range(8):
        services.enter_bot(league.pk, create_active_version())
    services.start(league.pk)
    return league


def end_match(match_id: str) -> str:
    assert play_match(match_id)
    return match_id


@pytest.mark.slow
def test_results_are_recorded_in_batches_but_the_last_result_of_a_round_is_recorded_immediately(league: League) -> None:
    matches = list(league.tables.order_by("number").values_list("match_id", flat=True))
    told = [match_recording.record(end_match(match)) for match in matches]
    assert told == [True, False, False, True]
    assert not LeagueMatch.objects.filter(league=league, match_id__in=matches, recorded=False).exists()


@pytest.mark.slow
def test_the_first_result_after_the_debounce_interval_is_recorded_at_once_with_all_waiting_results(
    league: League, clock: ManualClock
) -> None:
    first, second, third, _ = league.tables.order_by("number").values_list("match_id", flat=True)
    assert match_recording.record(end_match(first))
    assert not match_recording.record(end_match(second))
    clock.now += match_recording.PAUSE_SECONDS
    assert match_recording.record(end_match(third))
    assert not LeagueMatch.objects.filter(match_id__in=(first, second, third), recorded=False).exists()


@pytest.mark.slow
def test_the_sweeper_records_results_that_the_debounce_interval_has_delayed(league: League) -> None:
    first, second, *_ = league.tables.order_by("number").values_list("match_id", flat=True)
    assert match_recording.record(end_match(first))
    assert not match_recording.record(end_match(second))
    assert do_all_due_work(timezone.now()) == 1
    assert not LeagueMatch.objects.filter(match_id__in=(first, second), recorded=False).exists()


@pytest.mark.slow
def test_the_task_that_records_results_is_enqueued_once_per_interval_and_after_the_last_match(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[str] = []
    monkeypatch.setattr(match_recording, "enqueue_task", lambda _name, match_id: rung.append(match_id))
    first, second, third, last = league.tables.order_by("number").values_list("match_id", flat=True)
    friendly = create_waiting_match([create_active_version(), create_active_version()]).pk
    for match in (first, second, friendly, third, last):
        end_match(match)
    assert rung == [first, friendly, last]


def test_recording_the_result_of_an_unfinished_or_unknown_match_does_nothing(league: League) -> None:
    waiting = league.tables.values_list("match_id", flat=True)[0]
    friendly = create_waiting_match([create_active_version(), create_active_version()])
    before = read_stored(league)
    assert not any(match_recording.record(match) for match in (waiting, friendly.pk, "absent"))
    assert read_stored(league) == before
