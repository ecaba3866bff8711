"""Sending of notifications over Redis while Redis is unreachable."""

from __future__ import annotations

import time

import pytest
from structlog.testing import capture_logs

from deploy.messaging.redis_channel_layer import SILENT_SECONDS, RedisPublisher
from tests.support.arena import free_port


def test_a_publisher_tries_again_some_seconds_after_redis_was_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    publisher, now = RedisPublisher(f"redis://127.0.0.1:{free_port()}/0"), time.monotonic()
    attempts = []
    for later in (0.0, SILENT_SECONDS - 0.1, SILENT_SECONDS + 0.1):
        monkeypatch.setattr("deploy.messaging.redis_channel_layer.time.monotonic", lambda later=later: now + later)
        with capture_logs() as logs:
            publisher.publish("topic", "note")
        attempts.append([entry["event"] for entry in logs])
    assert attempts == [["notification_lost"], [], ["notification_lost"]]
