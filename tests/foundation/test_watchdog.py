"""A process that neglects a duty ends, also where none of its threads runs any more."""

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
from foundation import watchdog
watchdog.begin()
threading.Thread._bootstrap = lambda thread: None  # as where the new thread finds no memory
watchdog.touch(watchdog.LEASES)
{more}
threading.Thread(target=int).start()
"""
GRACE_SECONDS = 3.0


def run(seconds: float, more: str = "") -> int | None:
    """Return the exit code of a process that hangs in the start of a thread; None where nothing ends it."""
    program = HANGING.format(seconds=seconds, more=more)
    with subprocess.Popen([sys.executable, "-c", program], env={**os.environ}) as process:
        try:
            return process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            return None


def test_a_process_that_waits_for_ever_for_a_thread_is_ended_by_the_kernel() -> None:
    assert run(0.3) == -signal.SIGALRM


@pytest.mark.parametrize("more", ["watchdog.release(watchdog.LEASES)", "watchdog.begin()"])
def test_a_process_without_a_duty_lives_on(more: str) -> None:
    assert run(1.0, more) is None


def test_a_process_that_hangs_while_it_rings_is_ended() -> None:
    ring = "watchdog.release(watchdog.LEASES); ringing = watchdog.ringing(); ringing.__enter__()"
    assert run(0.3, ring) == -signal.SIGALRM


def test_a_duty_that_is_late_is_not_hidden_by_one_that_is_done() -> None:
    busy = "threading.Event().wait(0.2); watchdog.touch(watchdog.CONSUMER)\n" * 20
    assert run(0.5, busy) == -signal.SIGALRM


def test_a_duty_that_is_done_in_time_keeps_its_process_alive() -> None:
    busy = "[watchdog.touch(watchdog.LEASES) or threading.Event().wait(0.1) for _ in range(100)]"
    assert run(1.5, busy) is None


def test_no_process_is_ended_where_the_setting_is_nought() -> None:
    assert run(0) is None
