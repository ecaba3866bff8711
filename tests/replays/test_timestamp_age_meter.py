"""Ages of stored times while the clock is set."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from replays.seats.timestamp_age_meter import TimestampAgeMeter


@pytest.mark.parametrize("hours", [1, -1])
def test_the_measured_age_of_a_timestamp_is_unaffected_by_adjusting_the_system_clock(
    hours: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ages, sent_at = TimestampAgeMeter(), timezone.now() - timedelta(seconds=5)
    assert 5 <= ages.seconds_since("sent", sent_at) < 10
    set_clock(monkeypatch, timezone.now() + timedelta(hours=hours))
    assert 5 <= ages.seconds_since("sent", sent_at) < 10
    again = timezone.now() - timedelta(seconds=2)
    assert 2 <= ages.seconds_since("sent", again) < 7


def set_clock(monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    monkeypatch.setattr("replays.seats.timestamp_age_meter.timezone.now", lambda: now)
