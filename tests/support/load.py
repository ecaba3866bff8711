"""An overloaded processor for a test."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

LOOP = "while True: pass"


@contextmanager
def crowded_processor(hogs: int, *pids: int) -> Iterator[None]:
    """Bind this thread, its new children and this many busy loops to one processor."""
    usual = os.sched_getaffinity(0)
    with ExitStack() as stack:
        stack.callback(os.sched_setaffinity, 0, usual)
        for pid in (0, *pids):
            os.sched_setaffinity(pid, {min(usual)})
            for thread in os.listdir(f"/proc/{pid or 'self'}/task") if pid else ():
                os.sched_setaffinity(int(thread), {min(usual)})
        for _ in range(hogs):
            argv = [sys.executable, "-I", "-S", "-c", LOOP]
            # a session each: the kernel may share processors out by session first
            process = stack.enter_context(subprocess.Popen(argv, start_new_session=True))
            stack.callback(process.kill)
        yield
