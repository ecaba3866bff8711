"""Limit of the processor share of server processes during a benchmark.

``python -m tools.bench.server_cpu_limiter <share> <pid>...`` limits each process until standard input ends.
"""
# Otherwise a benchmark would measure its clients. A process is stopped (SIGSTOP) while it has used more than its share.

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from ftk_core.kit.protocol.cpu_clock import cpu_us

LOOKS_EVERY = 0.002
MOST_SAVED_US = 2000
"""Maximum processor time in microseconds that an idle process saves up for later."""


@contextmanager
def limit_processor_share(share: float, pids: Sequence[int]) -> Iterator[None]:
    """Limit each process to a share (0 to 1) of one processor during the `with` block."""
    command = [sys.executable, "-m", "tools.bench.server_cpu_limiter", str(share), *map(str, pids)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE)
    try:
        yield
    finally:
        assert holder.stdin
        holder.stdin.close()
        assert holder.wait(10) == 0


def throttle_until_eof(share: float, pids: Sequence[int]) -> None:
    """Limit each process to a share of one processor until standard input ends."""
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
    throttle_until_eof(float(sys.argv[1]), [int(word) for word in sys.argv[2:]])
