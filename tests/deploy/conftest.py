"""What needs a broker of its own is not collected where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.brokers import REDIS, RedisServer

collect_ignore = [] if REDIS else ["test_brokers.py", "test_machines.py"]


@pytest.fixture
def pokes(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path / "pokes")
    yield server
    server.close()
