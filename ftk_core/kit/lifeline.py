"""Ties the life of what we start to ours: bots and workers end when we do, however that comes about."""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import ParamSpec, TypeVar

PR_SET_PDEATHSIG = 1
LAUNCHER = f"""
import ctypes, os, sys
ctypes.CDLL(None).prctl({PR_SET_PDEATHSIG}, {int(signal.SIGKILL)}, 0, 0, 0)
if os.getppid() != int(sys.argv[1]):
    sys.exit("the parent is gone")
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Asks the kernel for our end when the parent's comes, and becomes the command; it costs some ten milliseconds.

Not a `preexec_fn`: that runs in a fork of a process with threads, where it may wait for ever.
"""
GOODBYES = (signal.SIGTERM, signal.SIGHUP)
"""What ends us without a word otherwise; for SIGINT Python raises KeyboardInterrupt by itself."""


PATIENCE_SECONDS = 2
"""How long a worker may take to end its bots."""
P = ParamSpec("P")
T = TypeVar("T")


def tied(command: Sequence[str]) -> list[str]:
    """Return the command as it is started so that the kernel kills it when we die; raises FileNotFoundError.

    The death meant is that of the thread that starts it.
    """
    program = shutil.which(command[0])
    if program is None:
        raise FileNotFoundError(f"there is no {command[0]} on this machine")
    return [sys.executable, "-I", "-S", "-c", LAUNCHER, str(os.getpid()), program, *command[1:]]


def tie_worker() -> None:
    """Let the kernel kill this process of a pool when its parent dies; Ctrl-C is the parent's to hear."""
    for goodbye in GOODBYES:
        signal.signal(goodbye, _leave)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    parent = multiprocessing.parent_process()
    if parent is not None and not parent.is_alive():
        os._exit(1)


@contextlib.contextmanager
def workers_ended() -> Iterator[None]:
    """End the workers when the block is left by an exception, so that nobody waits for their matches."""
    try:
        yield
    except BaseException:
        for worker in (workers := multiprocessing.active_children()):
            worker.terminate()
        for worker in workers:
            worker.join(PATIENCE_SECONDS)
            worker.kill()
        raise


def in_worker(work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what the work returns; a worker told to end in the middle of it ends, and takes up nothing else."""
    try:
        return work(*args, **kwargs)
    except SystemExit as goodbye:  # a pool would hand it to the parent as a result
        os._exit(int(goodbye.code or 0))


@contextlib.contextmanager
def goodbyes_heard() -> Iterator[None]:
    """Turn what would end us at once into SystemExit, so that what we started is ended on the way out."""
    if threading.current_thread() is not threading.main_thread():  # then signals are somebody else's matter
        yield
        return
    before = {goodbye: signal.signal(goodbye, _leave) for goodbye in GOODBYES}
    try:
        yield
    finally:
        for goodbye, handler in before.items():
            signal.signal(goodbye, handler)


def _leave(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)
