"""Shutdown state of a Celery worker. A draining worker starts no new work, and returns or finishes its running work.

The state is one byte of memory that a worker shares with the pool processes that it forks, because the signal to shut
down reaches only its main process.
"""

from __future__ import annotations

from mmap import mmap

_STATE = mmap(-1, 1)
_GIVE_UP, _FINISH = 1, 2


class WorkerDrainingError(Exception):
    """Raised in a worker that is shutting down, to stop its current work so that another worker resumes it."""


def share_state_with_forks() -> None:
    """Allocate the shared shutdown state for this process and the processes that it will fork."""
    global _STATE  # noqa: PLW0603 - each worker has its own byte, which it shares only with the processes that it forks
    _STATE = mmap(-1, 1)


def request_handover() -> None:
    """Ask all processes of this worker to stop, so that other workers resume their work; safe in a signal handler."""
    _STATE[0] = _GIVE_UP


def request_finish() -> None:
    """Ask all processes of this worker to finish their work and start nothing new, before new software is deployed."""
    _STATE[0] = _STATE[0] or _FINISH


def is_handover_requested() -> bool:
    """Return True if this worker's processes must stop their current work, so that other workers resume it."""
    return _STATE[0] == _GIVE_UP


def is_accepting_work() -> bool:
    """Return True if this worker's processes may start new work."""
    return not _STATE[0]


def cancel_draining() -> None:
    """Cancel the request to shut down; used by tests."""
    _STATE[0] = 0
