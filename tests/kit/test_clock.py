"""Sleeping is told apart from computing, also by a process that has just ended."""

from __future__ import annotations

import subprocess
import sys

from ftk_core.kit.clock import Clocks

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
