"""A match for an audience is played no faster than it can be followed, and is the same match."""

from __future__ import annotations

import pytest
from django.test import override_settings

from ftk_core.log import lines_of
from replays.models import Match
from replays.playing import pace
from replays.playing.pace import BREATH_SECONDS, Pace
from replays.playing.runner import play_match
from replays.store import StreamLog
from tests.support.factories import active_version, waiting_match


class Hours:
    """A clock that goes on when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds <= BREATH_SECONDS
        self.now += seconds


@pytest.fixture
def hours(monkeypatch: pytest.MonkeyPatch) -> Hours:
    clock = Hours()
    monkeypatch.setattr(pace, "time", clock)
    return clock


def test_the_next_choice_waits_for_its_time_and_the_match_is_seen_to_meanwhile(hours: Hours) -> None:
    seen_to: list[float] = []
    rhythm = Pace(1000, lambda: seen_to.append(hours.now), replaying=lambda: False)
    rhythm.rest()
    assert (hours.now, seen_to) == (100.0, [])
    rhythm.rest()
    assert hours.now == pytest.approx(101.0)
    assert len(seen_to) >= 1 / BREATH_SECONDS


def test_time_that_a_bot_took_is_not_added(hours: Hours) -> None:
    rhythm = Pace(1000, lambda: None, replaying=lambda: False)
    rhythm.rest()
    hours.now += 0.75
    rhythm.rest()
    assert hours.now == pytest.approx(101.0)
    hours.now += 5
    rhythm.rest()
    assert hours.now == pytest.approx(106.0)


def test_what_was_played_already_is_not_kept_to_the_pace(hours: Hours) -> None:
    rhythm = Pace(1000, lambda: None, replaying=lambda: True)
    for _ in range(10):
        rhythm.rest()
    assert hours.now == 100.0


@pytest.mark.django_db(transaction=True)
@override_settings(METERED=False)
def test_a_match_with_a_pace_is_the_same_match() -> None:
    logs = []
    for pace_ms in (0, 5):
        match = waiting_match([active_version(slug=f"a{pace_ms}"), active_version(slug=f"b{pace_ms}")])
        Match.objects.filter(pk=match.pk).update(pace_ms=pace_ms)
        assert play_match(match.pk)
        lines = b"".join(lines_of(StreamLog(match.stream_id)))
        logs.append(lines.replace(match.pk.encode(), b"M").replace(f"{pace_ms}-1".encode(), b"-1"))
    assert logs[0] == logs[1]
