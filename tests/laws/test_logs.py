"""The laws of logs, for each store."""

from __future__ import annotations

import pytest

from ftk_core.hash_chained_log import HashChainedLog, InMemoryLog
from replays.event_stream_storage import EventAppender
from tests.support.laws.log_laws import LogLaws


class TestMemoryLog(LogLaws):
    """A log in memory."""

    def make_log(self) -> HashChainedLog:
        return InMemoryLog()

    def opened_again(self, log: HashChainedLog) -> HashChainedLog:
        return log


@pytest.mark.django_db
class TestStreamLog(LogLaws):
    """A log in PostgreSQL."""

    count = 0

    def make_log(self) -> HashChainedLog:
        self.count += 1
        return EventAppender(f"match/law-{self.count}")

    def opened_again(self, log: HashChainedLog) -> HashChainedLog:
        assert isinstance(log, EventAppender)
        return EventAppender(log.stream_id)
