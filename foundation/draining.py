"""Shutdown state of a worker. A draining worker starts nothing and returns the work that another can resume.

The state is one byte of memory shared by all processes of a worker: the pool's processes are forked, and no signal
reaches them.
"""

from __future__ import annotations

from mmap import mmap

_ASKED = mmap(-1, 1)
_GIVE_UP, _FINISH = 1, 2


class Draining(Exception):
    """Raised where a worker that was asked to leave would continue some work."""


def begin_worker() -> None:
    """Allocate a byte for this process and the processes that it will fork."""
    global _ASKED  # noqa: PLW0603 - one for each worker, as the byte is shared with its forks alone
    _ASKED = mmap(-1, 1)


def ask_to_leave() -> None:
    """Ask all processes of this worker to give up their work; safe to call from a signal handler."""
    _ASKED[0] = _GIVE_UP


def ask_to_finish() -> None:
    """Ask them to start nothing new but finish their work, because the worker's software is about to be replaced."""
    _ASKED[0] = _ASKED[0] or _FINISH


def is_asked_to_leave() -> bool:
    """Return True if these processes must give up their work."""
    return _ASKED[0] == _GIVE_UP


def may_begin() -> bool:
    """Return True if these processes may start new work."""
    return not _ASKED[0]


def stay() -> None:
    """Cancel the request to leave. Tests need it."""
    _ASKED[0] = 0
