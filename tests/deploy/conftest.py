"""Collection rules: tests that need a broker of their own are not collected without one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.bare_server.bare_server import why_impossible
from tests.support.brokers import REDIS, RedisServer
from tests.support.skipped_tests import record_skipped
from tools.multi_host_fleet.simulated_hosts import why_forbidden

collect_ignore = [] if REDIS else ["test_brokers.py", "test_several_machines.py"]
if reason := "there is no redis-server" if not REDIS else why_forbidden():
    collect_ignore.append("test_fleet.py")
    record_skipped("tests/deploy/test_fleet.py", f"there can be no fleet here: {reason}")
if reason := why_impossible():
    collect_ignore.append("test_bare_server.py")
    record_skipped("tests/deploy/test_bare_server.py", reason)


@pytest.fixture
def pokes(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path / "pokes")
    yield server
    server.close()
