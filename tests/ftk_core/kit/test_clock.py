"""Sleeping is told apart from computing, also by a process that has just ended."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack

from ftk_core.kit.clock import Clocks, cpu_us
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
