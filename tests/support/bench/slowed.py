"""Processes held to a share of a processor, so that what they do is what takes long, and not whoever asks them.

``python -m tests.support.bench.slowed <share> <pid>...`` holds them until its input ends: who has used more than its
share is stopped until it has not.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from ftk_core.kit.clock import cpu_us

LOOKS_EVERY = 0.002
MOST_SAVED_US = 2000
"""Who did nothing for a while has no more than so much time ahead."""


@contextmanager
def slowed(share: float, pids: Sequence[int]) -> Iterator[None]:
    """Hold each of some processes to a share of a processor."""
    command = [sys.executable, "-m", "tests.support.bench.slowed", str(share), *map(str, pids)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE)
    try:
        yield
    finally:
        assert holder.stdin
        holder.stdin.close()
        assert holder.wait(10) == 0


def hold(share: float, pids: Sequence[int]) -> None:
    """Hold the processes until standard input ends, and let them all go on then."""
    saved = dict.fromkeys(pids, 0.0)
    used = {pid: cpu_us(pid) for pid in pids}
    looked = time.monotonic()
    while not select.select([sys.stdin], [], [], LOOKS_EVERY)[0]:
        now = time.monotonic()
        for pid in pids:
            spent = cpu_us(pid)
            saved[pid] = min(MOST_SAVED_US, saved[pid] + share * (now - looked) * 1e6 - (spent - used[pid]))
            used[pid] = spent
            _send(pid, signal.SIGCONT if saved[pid] > 0 else signal.SIGSTOP)
        looked = now
    for pid in pids:
        _send(pid, signal.SIGCONT)


def _send(pid: int, sign: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, sign)


if __name__ == "__main__":
    hold(float(sys.argv[1]), [int(word) for word in sys.argv[2:]])
