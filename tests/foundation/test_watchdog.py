"""The watchdog: a process that misses a deadline ends, even if none of its threads runs any more."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

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


def run(seconds: float, more: str = "") -> int | None:
    """Return the exit code of a process that hangs while it starts a thread; None if nothing ends it."""
    program = HANGING.format(seconds=seconds, more=more)
    with subprocess.Popen([sys.executable, "-c", program], env={**os.environ}) as process:
        try:
            return process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            return None


def test_the_watchdog_kills_a_process_that_hangs_beyond_its_deadline() -> None:
    assert run(0.3) == -signal.SIGALRM


@pytest.mark.slow
@pytest.mark.parametrize("more", ["watchdog.remove_deadline(watchdog.LEASES_DUTY)", "watchdog.start_watchdog()"])
def test_the_watchdog_does_not_kill_a_process_without_deadlines(more: str) -> None:
    assert run(1.0, more) is None


def test_the_watchdog_kills_a_process_that_hangs_while_enqueueing_a_task() -> None:
    ring = "watchdog.remove_deadline(watchdog.LEASES_DUTY); ringing = watchdog.enqueue_deadline(); ringing.__enter__()"
    assert run(0.3, ring) == -signal.SIGALRM


def test_the_watchdog_kills_a_process_that_meets_one_deadline_but_misses_another() -> None:
    busy = "threading.Event().wait(0.2); watchdog.extend_deadline(watchdog.CONSUMER_DUTY)\n" * 20
    assert run(0.5, busy) == -signal.SIGALRM


@pytest.mark.slow
def test_a_process_that_meets_its_watchdog_deadline_is_not_killed() -> None:
    busy = "[watchdog.extend_deadline(watchdog.LEASES_DUTY) or threading.Event().wait(0.1) for _ in range(100)]"
    assert run(1.5, busy) is None


@pytest.mark.slow
def test_a_watchdog_timeout_of_zero_disables_the_watchdog() -> None:
    assert run(0) is None
