"""The watchdog: a process that misses a deadline ends, even if none of its threads runs any more."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.slow

HANGING = """
import threading, time
from django.conf import settings
settings.configure(WATCHDOG_SECONDS={seconds})
from foundation import stuck_process_watchdog as watchdog
watchdog.start_watchdog()
threading.Thread._bootstrap = lambda thread: None  # as where the new thread finds no memory
watchdog.extend_deadline(watchdog.LEASES_DUTY)
{more}
threading.Thread(target=int).start()
"""
GRACE_SECONDS = 3.0
FIRST_PROCESS = ("unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child")
"""Command that starts a program as the first process of a namespace, as in a container."""


def run(seconds: float, more: str = "", wrapper: Sequence[str] = ()) -> int | None:
    """Return the exit code of a process that hangs while it starts a thread; None if nothing ends it."""
    program = HANGING.format(seconds=seconds, more=more)
    with subprocess.Popen([*wrapper, sys.executable, "-c", program], env={**os.environ}) as process:
        try:
            return process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            return None


def test_the_watchdog_kills_a_process_that_hangs_beyond_its_deadline() -> None:
    assert run(0.3) == -signal.SIGALRM


@pytest.mark.parametrize("more", ["watchdog.remove_deadline(watchdog.LEASES_DUTY)", "watchdog.start_watchdog()"])
def test_the_watchdog_does_not_kill_a_process_without_deadlines(more: str) -> None:
    assert run(1.0, more) is None


def test_the_watchdog_kills_a_process_that_hangs_while_enqueueing_a_task() -> None:
    ring = "watchdog.remove_deadline(watchdog.LEASES_DUTY); ringing = watchdog.enqueue_deadline(); ringing.__enter__()"
    assert run(0.3, ring) == -signal.SIGALRM


def test_the_watchdog_kills_a_process_that_meets_one_deadline_but_misses_another() -> None:
    busy = "threading.Event().wait(0.2); watchdog.extend_deadline(watchdog.CONSUMER_DUTY)\n" * 20
    assert run(0.5, busy) == -signal.SIGALRM


def test_a_process_that_meets_its_watchdog_deadline_is_not_killed() -> None:
    busy = "[watchdog.extend_deadline(watchdog.LEASES_DUTY) or threading.Event().wait(0.1) for _ in range(100)]"
    assert run(1.5, busy) is None


def test_a_watchdog_timeout_of_zero_disables_the_watchdog() -> None:
    assert run(0) is None


def test_the_watchdog_cannot_kill_the_first_process_of_a_container_so_compose_puts_another_process_there() -> None:
    assert run(0.3, "import os; assert os.getpid() == 1", FIRST_PROCESS) is None
    services = yaml.safe_load(Path("deploy/container/compose.yaml").read_text())["services"]
    assert {name for name, service in services.items() if not service.get("init")} == {"database", "broker"}
