"""Background work that fails is tried five times, then no longer retried, and does not block other work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.template.loader import render_to_string
from django.utils import timezone

from ftk_core.league.league_facts import ResultRecorded
from notices import event_log_reader
from people.staff_audit_trail import make_shell_actor
from replays import background_work_retries, result_totals_by_seat, tasks as replay_tasks
from replays.models import Match
from replays.models.failed_background_work import FailedWork
from replays.playing.match_runner import play_match
from tests.support.injected_failures import always_raise
from tests.support.leagues import create_entrants, start_league
from tournaments import tasks
from tournaments.continuous_ladder import services as continuous_services
from tournaments.continuous_ladder.continuous_ladder_settings import make_default_ladder_settings
from tournaments.ladders import ladder_court_ratings, ladder_match_rating
from tournaments.leagues import (
    game_luck_measurement,
    league_event_projection,
    recording_and_rating_retries,
    services,
)
from tournaments.models import ALL_TIME, League, Rating
from tournaments.organisers import author_and_bot_bans
from tournaments.organisers.round_overview import FailedLeagueBackgroundJob, build_round_overview

pytestmark = pytest.mark.django_db(transaction=True)
FAILS = ValueError("/var/secret")
VERDICT = "it failed 5 times; the last time the arena failed (ValueError)"


def sweep(times: int = 1) -> None:
    """Run the sweeper several times as if the pauses between retries were over."""
    for _ in range(times):
        FailedWork.objects.update(rests_until=timezone.now())
        tasks.sweep()


def play_waiting() -> list[str]:
    waiting = list(Match.objects.filter(status=Match.Status.WAITING).order_by("pk").values_list("pk", flat=True))
    assert all(play_match(match) for match in waiting)
    return waiting


def counting(calls: list[object], error: Exception) -> Callable[..., Any]:
    def fail(*args: object, **_more: object) -> Any:
        calls.append(args)
        raise error

    return fail


def recorded(league: League) -> set[str]:
    return {fact.match for fact in league_event_projection.read_facts(league) if isinstance(fact, ResultRecorded)}


@pytest.mark.slow
def test_a_result_that_cannot_be_recorded_blocks_no_other_match_and_the_organiser_is_notified(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    league = start_league(create_entrants(4), rounds=1)
    poison, *others = play_waiting()
    whole = services.append_results

    def append_results(league: League, stream: Any, state: Any, facts: Any) -> Any:
        if any(isinstance(fact, ResultRecorded) and fact.match == poison for fact in facts):
            raise FAILS
        return whole(league, stream, state, facts)

    monkeypatch.setattr(services, "append_results", append_results)
    sweep(8)
    assert recorded(league) == set(others)
    assert background_work_retries.count_given_up() == {"result": 1}
    failure = FailedLeagueBackgroundJob("result", poison, VERDICT)
    room = build_round_overview(League.objects.get(pk=league.pk), within=True)
    assert room.failures == [failure]
    assert f"The result of match {poison} cannot be recorded" in render_to_string(
        "frontend/parts/room.html", {"room": room}
    )


@pytest.mark.slow
def test_recording_a_result_stops_after_five_failures_until_staff_run_the_retry_command() -> None:
    league = start_league(create_entrants(2), rounds=1)
    [match] = play_waiting()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services, "append_results", always_raise(FAILS))
        sweep(7)
    assert FailedWork.objects.get(subject=match).attempts == 5
    call_command("failed", "--try-again")
    sweep()
    assert recorded(league) == {match}
    assert not FailedWork.objects.exists()
    assert League.objects.get(pk=league.pk).status == League.Status.CLOSED


@pytest.mark.slow
def test_a_round_whose_rating_failed_does_not_stop_the_league_and_is_rated_later() -> None:
    league, calls = start_league(create_entrants(2), rounds=2), list[object]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ladder_match_rating, "rate", counting(calls, FAILS))
        play_waiting()
        sweep(7)
        assert len(calls) == 5
        failure = FailedLeagueBackgroundJob("rating", "1", VERDICT)
        assert build_round_overview(League.objects.get(pk=league.pk), within=True).failures == [failure]
    play_waiting()
    sweep(2)
    assert League.objects.get(pk=league.pk).status == League.Status.CLOSED
    assert {row.matches for row in Rating.objects.filter(season=ALL_TIME)} == {1}
    assert background_work_retries.reset_attempts() == 1
    sweep()
    assert {row.matches for row in Rating.objects.filter(season=ALL_TIME)} == {2}


@pytest.mark.slow
def test_a_failed_rating_of_a_round_that_another_process_has_rated_meanwhile_is_not_repeated() -> None:
    league = start_league(create_entrants(2), rounds=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ladder_match_rating, "rate", counting([], FAILS))
        play_waiting()
        tasks.sweep()
    subject = f"{league.pk}/1"
    assert [recording_and_rating_retries._retry_rating(subject) for _ in range(2)] == [True, False]
    assert not FailedWork.objects.exists()
    assert {row.matches for row in Rating.objects.filter(season=ALL_TIME)} == {1}


STEPS: list[tuple[object, str, Callable[[], object]]] = [
    (game_luck_measurement, "measure", lambda: tasks.measure("pig")),
    (result_totals_by_seat, "add_all", replay_tasks.count),
    (ladder_court_ratings, "_refit_ladder", lambda: tasks.refit("pig")),
    (author_and_bot_bans, "enforce", tasks.sweep),
    (ladder_match_rating, "lock_ladder", tasks.sweep),
    (services, "do_due_work", lambda: (play_waiting(), tasks.sweep())),
    (continuous_services, "_call_due_bout", tasks.sweep),
    (
        event_log_reader,
        "_process_trial_results",
        lambda: event_log_reader.process_new_events(timezone.now()),
    ),
    (event_log_reader, "follow", lambda: event_log_reader.process_new_events(timezone.now())),
]


@pytest.mark.slow
@pytest.mark.parametrize(("where", "step", "task"), STEPS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_step_of_periodic_background_work_is_not_retried_after_five_failures(
    where: object, step: str, task: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    start_league(create_entrants(2), rounds=2)
    play_waiting()
    sweep()
    continuous_services.set_ladder(make_shell_actor("a test"), "pig", make_default_ladder_settings("pig", 10), 0)
    calls = list[object]()
    monkeypatch.setattr(where, step, counting(calls, FAILS))
    monkeypatch.setattr(ladder_court_ratings, "list_due", lambda _game=None: [("pig", ALL_TIME)])
    monkeypatch.setattr(ladder_match_rating, "list_heads", lambda _prefix: {"ladder/pig": b"other"})
    for _ in range(7):
        FailedWork.objects.update(rests_until=timezone.now())
        task()
    assert len(calls) == 5 * FailedWork.objects.count() > 0
    assert all(row.left_at for row in FailedWork.objects.all())


def test_a_lost_database_connection_does_not_count_as_a_failed_attempt_at_background_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def work() -> None:
        monkeypatch.setattr(FailedWork.objects, "get_or_create", always_raise(OperationalError("the database is away")))
        raise FAILS

    with pytest.raises(OperationalError):
        background_work_retries.run_with_retries("kind", "subject", work, None)
    assert not FailedWork.objects.exists()


def test_background_work_that_failed_five_times_is_listed_for_staff(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(5):
        background_work_retries.record_failure("luck", "pig", FAILS)
    call_command("failed")
    assert "luck pig: it failed 5 times; the last time the arena failed (ValueError)" in capsys.readouterr().out
