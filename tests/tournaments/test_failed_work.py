"""Background work that fails is tried five times, then left aside with a verdict, and stops nothing else meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.template.loader import render_to_string
from django.utils import timezone

from ftk_core.league.facts import ResultRecorded
from notices import following
from people.acts_of_staff import at_the_shell
from replays import failed_work, sums
from replays import tasks as replay_tasks
from replays.failed_work_models import FailedWork
from replays.models import Match
from replays.playing.runner import play_match
from tests.support.failing import raising
from tests.support.leagues import entrants, new_league
from tournaments import banning, continuous, court_ratings, ladder, luck, projections, services, tasks
from tournaments.bout_terms import usual
from tournaments.models import ALL_TIME, League, Rating
from tournaments.run_room import Failure, look_in

pytestmark = pytest.mark.django_db(transaction=True)
FAILS = ValueError("/var/secret")
VERDICT = "it failed 5 times; the last time the arena failed (ValueError)"


def sweep(times: int = 1) -> None:
    """Sweep, each time as if every pause were over."""
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
    return {fact.match for fact in projections.read_facts(league) if isinstance(fact, ResultRecorded)}


def test_a_match_that_cannot_be_recorded_stops_no_other_and_its_organiser_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    league = new_league(entrants(4), rounds=1)
    poison, *others = play_waiting()
    whole = services.append_results

    def append_results(league: League, stream: Any, state: Any, facts: Any) -> Any:
        if any(isinstance(fact, ResultRecorded) and fact.match == poison for fact in facts):
            raise FAILS
        return whole(league, stream, state, facts)

    monkeypatch.setattr(services, "append_results", append_results)
    sweep(8)
    assert recorded(league) == set(others)
    assert failed_work.count_left() == {"result": 1}
    failure = Failure("result", poison, VERDICT)
    room = look_in(League.objects.get(pk=league.pk), within=True)
    assert room.failures == [failure]
    assert f"The result of match {poison} cannot be recorded" in render_to_string(
        "frontend/parts/room.html", {"room": room}
    )


def test_a_league_whose_every_result_fails_is_tried_five_times_and_goes_on_once_it_is_tried_again() -> None:
    league = new_league(entrants(2), rounds=1)
    [match] = play_waiting()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services, "append_results", raising(FAILS))
        sweep(7)
    assert FailedWork.objects.get(subject=match).attempts == 5
    call_command("failed", "--try-again")
    sweep()
    assert recorded(league) == {match}
    assert not FailedWork.objects.exists()
    assert League.objects.get(pk=league.pk).status == League.Status.CLOSED


def test_a_league_goes_on_without_the_rating_of_a_round_that_fails_and_is_rated_later() -> None:
    league, calls = new_league(entrants(2), rounds=2), list[object]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ladder, "rate", counting(calls, FAILS))
        play_waiting()
        sweep(7)
        assert len(calls) == 5
        failure = Failure("rating", "1", VERDICT)
        assert look_in(League.objects.get(pk=league.pk), within=True).failures == [failure]
    play_waiting()
    sweep(2)
    assert League.objects.get(pk=league.pk).status == League.Status.CLOSED
    assert {row.matches for row in Rating.objects.filter(season=ALL_TIME)} == {1}
    assert failed_work.try_again() == 1
    sweep()
    assert {row.matches for row in Rating.objects.filter(season=ALL_TIME)} == {2}


STEPS: list[tuple[object, str, Callable[[], object]]] = [
    (luck, "measure", lambda: tasks.measure("pig")),
    (sums, "add_all", replay_tasks.count),
    (court_ratings, "_refit", lambda: tasks.refit("pig")),
    (banning, "enforce", tasks.sweep),
    (ladder, "alone", tasks.sweep),
    (services, "tend", tasks.sweep),
    (continuous, "_call_one", tasks.sweep),
    (following, "_follow_trials", lambda: following.follow_all(timezone.now())),
    (following, "follow", lambda: following.follow_all(timezone.now())),
]


@pytest.mark.parametrize(("where", "step", "task"), STEPS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_step_of_the_sweeps_that_always_fails_is_left_aside_after_five_tries(
    where: object, step: str, task: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    new_league(entrants(2), rounds=2)
    play_waiting()
    sweep()
    continuous.set_ladder(at_the_shell("a test"), "pig", usual("pig", 10), 0)
    calls = list[object]()
    monkeypatch.setattr(where, step, counting(calls, FAILS))
    monkeypatch.setattr(court_ratings, "list_due", lambda _game=None: [("pig", ALL_TIME)])
    monkeypatch.setattr(ladder, "list_heads", lambda _prefix: {"ladder/pig": b"other"})
    for _ in range(7):
        FailedWork.objects.update(rests_until=timezone.now())
        task()
    assert len(calls) == 5 * FailedWork.objects.count()
    assert all(row.left_at for row in FailedWork.objects.all())


def test_an_attempt_without_a_database_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def work() -> None:
        monkeypatch.setattr(FailedWork.objects, "get_or_create", raising(OperationalError("the database is away")))
        raise FAILS

    with pytest.raises(OperationalError):
        failed_work.run_bounded("kind", "subject", work, None)
    assert not FailedWork.objects.exists()


def test_what_was_left_aside_is_listed_for_staff(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(5):
        failed_work.note_failure("luck", "pig", FAILS)
    call_command("failed")
    assert "luck pig: it failed 5 times; the last time the arena failed (ValueError)" in capsys.readouterr().out
