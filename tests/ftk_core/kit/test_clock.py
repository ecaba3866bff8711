"""Sleeping is told apart from computing, also by a process that has just ended."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack

import pytest

from ftk_core.kit.clock import Clocks, cpu_us
from tests.support.load import crowded_processor
from tests.support.waiting import wait_for

BURN = "import time\nwhile time.process_time() < 0.4: pass\nprint(flush=True)\ninput()"


def test_a_process_that_has_ended_did_not_sleep_while_it_computed() -> None:
    with subprocess.Popen([sys.executable, "-c", BURN], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        clocks = Clocks(process.pid)
        assert process.stdout
        process.stdout.readline()
        before = clocks.spent()
        process.kill()
        process.wait()
        after = clocks.spent()
        clocks.close()
    assert (after.idle_us or 0) - (before.idle_us or 0) < 200_000


def test_what_is_computed_between_questions_is_charged_to_the_next() -> None:
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy, ExitStack() as stack:
        stack.callback(busy.kill)
        clocks = Clocks(busy.pid)
        stack.callback(clocks.close)
        wait_for(lambda: clocks.spent().charged_us > 10_000, "it computes", 10)
        paid = clocks.spent().charged_us
        wait_for(lambda: cpu_us(busy.pid) > paid + 60_000, "it goes on", 10)
        clocks.start(going_on=True)
        owed = clocks.spent().charged_us
        clocks.start()
        fresh = clocks.spent().charged_us
    assert owed > 20_000
    assert fresh < owed


SLEEPER = "import time; print(flush=True); time.sleep(3600)"
HIDDEN_LOOP = """
import threading, time
def think():
    while True:
        pass
threading.Thread(target=think, daemon=True).start()
print(flush=True)
time.sleep(3600)
"""
"""A program whose first thread only waits for the one that thinks, as a Java virtual machine's does."""
HOGS = 20


@pytest.mark.slow
@pytest.mark.parametrize(("program", "sleeps"), [(SLEEPER, True), (HIDDEN_LOOP, False)])
def test_sleep_and_work_are_told_apart_where_everybody_waits_for_a_processor(program: str, *, sleeps: bool) -> None:
    with ExitStack() as stack:
        process = stack.enter_context(subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE))
        stack.callback(process.kill)
        assert process.stdout
        process.stdout.readline()
        stack.enter_context(crowded_processor(HOGS, process.pid))
        clocks = Clocks(process.pid)
        stack.callback(clocks.close)
        wait_for(lambda: int(clocks.spent(silent=True).wall_us or 0) > 3_000_000, "three seconds have passed")
        spent = clocks.spent(silent=True)
    idle, wall = int(spent.idle_us or 0), int(spent.wall_us or 0)
    assert idle > wall / 2 if sleeps else idle < wall / 5, spent
