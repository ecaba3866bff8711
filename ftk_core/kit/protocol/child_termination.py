"""Termination of child processes, so that bots and workers end even if this process crashes or is killed."""

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
from functools import cache
from gettext import gettext as _
from multiprocessing.context import BaseContext
from types import FrameType
from typing import Any, ParamSpec, TypeVar

PR_SET_PDEATHSIG, SIGKILL = 1, 9
LAUNCHER = f"""
import ctypes, os, sys
ctypes.CDLL(None).prctl({PR_SET_PDEATHSIG}, {SIGKILL}, 0, 0, 0)
if os.getppid() != int(sys.argv[1]):
    sys.exit("the parent is gone")
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Python program that sets PR_SET_PDEATHSIG and then executes a command. It adds about ten milliseconds to the start.

A `preexec_fn` is no alternative: it runs in a fork of a process with threads, where it may deadlock."""
EXIT_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that by default end the process without cleanup. For SIGINT, Python raises KeyboardInterrupt instead."""


WORKER_EXIT_SECONDS = 2
"""Seconds that a worker process may take to end its bots."""
P = ParamSpec("P")
T = TypeVar("T")


@cache
def supports_parent_death_signal() -> bool:
    """Return True if this system's kernel can kill a process when its parent dies."""
    try:
        return hasattr(ctypes.CDLL(None), "prctl")
    except (OSError, TypeError):  # Windows
        return False


def kill_group(pid: int) -> None:
    """Kill the process group of a child, or on Windows the child and its descendants."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS refuses for a group of zombies
            os.killpg(pid, signal.SIGKILL)
        return
    _kill_each(_list_process_tree(pid))


def _list_process_tree(pid: int) -> list[Any]:
    """Return all descendants of a process, followed by the process. If the process has ended, return an empty list."""
    import psutil  # here, because it takes time to load

    try:
        process = psutil.Process(pid)
        return [*process.children(recursive=True), process]
    except psutil.NoSuchProcess:
        return []


def _kill_each(processes: Sequence[Any]) -> None:
    import psutil

    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.kill()


def add_parent_death_signal(command: Sequence[str]) -> list[str]:
    """Extend a command: the kernel kills the command's process when the thread that starts the command ends.

    If the kernel cannot do that, only replace the program by its full path. Raises FileNotFoundError if the program
    does not exist.
    """
    program = shutil.which(command[0])
    if program is None:
        raise FileNotFoundError(_("there is no {command} on this machine").format(command=command[0]))
    program = os.path.abspath(program)  # the process may start in another folder
    if not supports_parent_death_signal():
        return [program, *command[1:]]
    return [sys.executable, "-I", "-S", "-c", LAUNCHER, str(os.getpid()), program, *command[1:]]


def set_parent_death_signal(parent: int) -> None:
    """Have the kernel kill this process when its parent dies.

    Raises ProcessLookupError if the parent is dead already.
    """
    # The kernel watches only the thread that created this process, and stops if this process changes its user id.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        raise ProcessLookupError(_("the parent is gone"))


def make_pool_context() -> BaseContext:
    """Return the multiprocessing context of a pool whose workers must end with this process."""
    # Workers of a fork server, Python 3.14's default on Linux, are its children and outlive this process.
    method = multiprocessing.get_start_method()
    return multiprocessing.get_context("fork" if method == "forkserver" else method)


def initialize_pool_worker() -> None:
    """Make a pool's worker process end with its parent, and ignore SIGINT."""
    for goodbye in _list_handled_signals():
        signal.signal(goodbye, _exit)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if supports_parent_death_signal():
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    parent = multiprocessing.parent_process()
    if parent is not None and not parent.is_alive():
        os._exit(1)


@contextlib.contextmanager
def terminate_workers_on_error() -> Iterator[None]:
    """Terminate all worker processes if the `with` block raises, instead of waiting for their matches."""
    try:
        yield
    except BaseException:
        workers = multiprocessing.active_children()
        # A worker that is suspended or gets no processor does not end its bots, and they may have children.
        bots = [process for worker in workers if worker.pid for process in _list_process_tree(worker.pid)[:-1]]
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join(WORKER_EXIT_SECONDS)
            worker.kill()
        _kill_each(bots)
        raise


def run_in_worker(work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function and return its result; if it raises SystemExit, end the process.

    To run `work` in a pool of worker processes, submit this function to the pool, with `work` as its first argument.
    """
    try:
        return work(*args, **kwargs)
    except SystemExit as goodbye:  # else the pool passes SystemExit to the parent as a result
        os._exit(int(goodbye.code or 0))


@contextlib.contextmanager
def exit_on_signals() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into SystemExit within a `with` block, so that cleanup code ends child processes."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread may set signal handlers
        yield
        return
    before = {goodbye: signal.signal(goodbye, _exit) for goodbye in _list_handled_signals()}
    try:
        yield
    finally:
        for goodbye, handler in before.items():
            signal.signal(goodbye, handler)


def _list_handled_signals() -> list[int]:
    """Return the signals that end this process; a program like `nohup` made it ignore the others."""
    return [goodbye for goodbye in EXIT_SIGNALS if signal.getsignal(goodbye) is not signal.SIG_IGN]


def _exit(number: int, _frame: FrameType | None) -> None:
    for goodbye in EXIT_SIGNALS:  # a second signal would interrupt the cleanup; a pool terminates its workers twice
        signal.signal(goodbye, signal.SIG_IGN)
    sys.exit(128 + number)
