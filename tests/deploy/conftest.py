"""What needs a broker of its own is not collected where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.brokers import REDIS, RedisServer
from tests.support.fleet.hosts import forbidden
from tests.support.left_out import leave_out

collect_ignore = [] if REDIS else ["test_brokers.py", "test_machines.py"]
if reason := "there is no redis-server" if not REDIS else forbidden():
    collect_ignore.append("test_fleet.py")
    leave_out("tests/deploy/test_fleet.py", f"there can be no fleet here: {reason}")


@pytest.fixture
def pokes(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path / "pokes")
    yield server
    server.close()
