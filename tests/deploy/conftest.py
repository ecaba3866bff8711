"""What needs a broker of its own is not collected where there is none."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.brokers import REDIS, RedisServer
from tests.support.fleet.hosts import forbidden

collect_ignore = [] if REDIS else ["test_brokers.py", "test_fleet.py", "test_machines.py"]
if REDIS and (reason := forbidden()):
    collect_ignore.append("test_fleet.py")
    if os.environ.get("PYTEST_XDIST_WORKER", "gw0") == "gw0":  # one says it for all
        sys.stderr.write(f"tests/deploy/test_fleet.py is left out, as there can be no fleet here: {reason}\n")


@pytest.fixture
def pokes(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path / "pokes")
    yield server
    server.close()
