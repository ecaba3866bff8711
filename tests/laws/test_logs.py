"""The laws of logs, for each store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ftk_core.hash_chained_log import HashChainedLog, InMemoryLog
from ftk_core.match_log_file import MatchLogFile
from replays.event_stream_storage import EventAppender
from tests.support.laws.log_laws import LogLaws


class TestMemoryLog(LogLaws):
    """A log in memory."""

    def make_log(self) -> HashChainedLog:
        return InMemoryLog()

    def opened_again(self, log: HashChainedLog) -> HashChainedLog:
        return log


class TestFileLog(LogLaws):
    """A log in a file."""

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> Iterator[None]:
        self.folder = tmp_path
        self.files: list[MatchLogFile] = []
        yield
        for log in self.files:
            log.close()

    def make_log(self) -> HashChainedLog:
        return self._open(self.folder / f"{len(self.files)}.jsonl")

    def opened_again(self, log: HashChainedLog) -> HashChainedLog:
        assert isinstance(log, MatchLogFile)
        return self._open(log.path)

    def _open(self, path: Path) -> MatchLogFile:
        self.files.append(MatchLogFile(path))
        return self.files[-1]


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
