"""Pace of matches for spectators: it limits the speed and changes nothing else."""

from __future__ import annotations

import pytest
from django.test import override_settings

from ftk_core.hash_chained_log import lines_of
from replays.event_stream_storage import EventAppender
from replays.models import Match
from replays.playing import minimum_choice_interval
from replays.playing.match_runner import play_match
from replays.playing.minimum_choice_interval import CHECK_SECONDS, MinimumChoiceInterval
from tests.support.factories import create_active_version, create_waiting_match


class Hours:
    """A clock that advances when a thread sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds <= CHECK_SECONDS
        self.now += seconds


@pytest.fixture
def hours(monkeypatch: pytest.MonkeyPatch) -> Hours:
    clock = Hours()
    monkeypatch.setattr(minimum_choice_interval, "time", clock)
    return clock


def test_with_a_minimum_time_per_choice_the_match_waits_while_its_lease_is_renewed(hours: Hours) -> None:
    seen_to: list[float] = []
    rounded_times = MinimumChoiceInterval(1000, lambda: seen_to.append(hours.now), replaying=lambda: False)
    rounded_times.rest()
    assert (hours.now, seen_to) == (100.0, [])
    rounded_times.rest()
    assert hours.now == pytest.approx(101.0)
    assert len(seen_to) >= 1 / CHECK_SECONDS


def test_the_thinking_time_of_a_bot_counts_towards_the_minimum_time_per_choice(hours: Hours) -> None:
    rounded_times = MinimumChoiceInterval(1000, lambda: None, replaying=lambda: False)
    rounded_times.rest()
    hours.now += 0.75
    rounded_times.rest()
    assert hours.now == pytest.approx(101.0)
    hours.now += 5
    rounded_times.rest()
    assert hours.now == pytest.approx(106.0)


def test_a_resuming_match_replays_recorded_choices_without_the_minimum_delay_between_choices(hours: Hours) -> None:
    rounded_times = MinimumChoiceInterval(1000, lambda: None, replaying=lambda: True)
    for _ in range(10):
        rounded_times.rest()
    assert hours.now == 100.0


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@override_settings(METERED=False)
def test_a_minimum_time_per_choice_does_not_change_the_log_of_a_match() -> None:
    logs = []
    for pace_ms in (0, 5):
        match = create_waiting_match(
            [create_active_version(slug=f"a{pace_ms}"), create_active_version(slug=f"b{pace_ms}")]
        )
        Match.objects.filter(pk=match.pk).update(pace_ms=pace_ms)
        assert play_match(match.pk)
        lines = b"".join(lines_of(EventAppender(match.stream_id)))
        logs.append(lines.replace(match.pk.encode(), b"M").replace(f"{pace_ms}-1".encode(), b"-1"))
    assert logs[0] == logs[1]
