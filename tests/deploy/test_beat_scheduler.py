"""The scheduler of periodic tasks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from celery import current_app
from celery.beat import ScheduleEntry
from celery.utils.imports import symbol_by_name

from deploy.messaging.beat_scheduler import ClockSetbackTolerantScheduler

AN_HOUR = timedelta(hours=1)


@pytest.fixture
def scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ClockSetbackTolerantScheduler]:
    made = ClockSetbackTolerantScheduler(current_app, schedule_filename=str(tmp_path / "schedule"))
    monkeypatch.setattr(made, "apply_entry", lambda entry, **_: None)
    yield made
    made.close()


def run_due(scheduler: ClockSetbackTolerantScheduler) -> float:
    """Let all due tasks run; return the seconds until the next one is due."""
    while not (seconds := scheduler.tick()):
        pass
    return seconds


def set_back(entry: ScheduleEntry) -> None:
    """Change an entry as if the clock had been set back by an hour after its last run."""
    entry.last_run_at += AN_HOUR


def test_the_arena_uses_a_scheduler_that_goes_on_after_the_clock_is_set_back() -> None:
    assert symbol_by_name(current_app.conf.beat_scheduler) is ClockSetbackTolerantScheduler


def test_periodic_tasks_go_on_after_the_clock_was_set_back_by_an_hour(scheduler: ClockSetbackTolerantScheduler) -> None:
    assert 0 < run_due(scheduler) <= 2
    for entry in scheduler.schedule.values():
        set_back(entry)
    scheduler._heap = None
    assert 0 < run_due(scheduler) <= 2


def test_a_restarted_scheduler_goes_on_if_its_stored_times_are_an_hour_ahead(
    scheduler: ClockSetbackTolerantScheduler, tmp_path: Path
) -> None:
    run_due(scheduler)
    for entry in scheduler.schedule.values():
        set_back(entry)
    scheduler.close()
    restarted = ClockSetbackTolerantScheduler(current_app, schedule_filename=str(tmp_path / "schedule"))
    assert 0 < restarted.tick() <= 2
    restarted.close()
