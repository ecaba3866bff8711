"""Termination of child processes: bots and workers end when this process ends, for whatever reason."""

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
"""A launcher that sets PR_SET_PDEATHSIG and then executes the command; it costs some ten milliseconds.

A `preexec_fn` is no alternative: it runs in a fork of a process with threads, where it may deadlock."""
GOODBYES = (signal.SIGTERM, signal.SIGHUP)
"""Signals whose default action ends the process without cleanup; for SIGINT Python raises KeyboardInterrupt."""


PATIENCE_SECONDS = 2
"""Seconds a worker may take to end its bots."""
P = ParamSpec("P")
T = TypeVar("T")


def tied(command: Sequence[str]) -> list[str]:
    """Return the command wrapped so that the kernel kills it when the thread that started it dies.

    Raises FileNotFoundError.
    """
    program = shutil.which(command[0])
    if program is None:
        raise FileNotFoundError(f"there is no {command[0]} on this machine")
    return [sys.executable, "-I", "-S", "-c", LAUNCHER, str(os.getpid()), program, *command[1:]]


def die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent dies; raises ProcessLookupError if that is dead already.

    The death meant is that of the thread that made this process. A change of identity clears the wish.
    """
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        raise ProcessLookupError("the parent is gone")


def tie_worker() -> None:
    """Let the kernel kill this pool process when its parent dies, and ignore Ctrl-C, which the parent handles."""
    for goodbye in GOODBYES:
        signal.signal(goodbye, _leave)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    parent = multiprocessing.parent_process()
    if parent is not None and not parent.is_alive():
        os._exit(1)


@contextlib.contextmanager
def workers_ended() -> Iterator[None]:
    """Terminate the workers if the block raises, instead of waiting for their matches."""
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
    """Run the work in a pool process; a process that is told to exit meanwhile exits without taking more work."""
    try:
        return work(*args, **kwargs)
    except SystemExit as goodbye:  # a pool would pass it to the parent as a result
        os._exit(int(goodbye.code or 0))


@contextlib.contextmanager
def goodbyes_heard() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into SystemExit, so that child processes are ended by the cleanup."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread may set signal handlers
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
