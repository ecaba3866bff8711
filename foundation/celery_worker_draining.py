"""Shutdown state of a Celery worker."""
# The state is a byte of memory shared with the forked pool processes, because only the main process gets the signal.

from __future__ import annotations

from mmap import mmap

_STATE = mmap(-1, 1)
_GIVE_UP, _FINISH = 1, 2


class WorkerDrainingError(Exception):
    """Raised to stop work on a worker that is shutting down. Another worker resumes the work."""


def share_state_with_forks() -> None:
    """Allocate the shared shutdown state for this process and the processes that it will fork."""
    global _STATE  # noqa: PLW0603 - each worker has its own byte, which it shares only with the processes that it forks
    _STATE = mmap(-1, 1)


def request_handover() -> None:
    """Ask all processes of this worker to hand over their work to other workers."""
    # Safe in a signal handler.
    _STATE[0] = _GIVE_UP


def request_finish() -> None:
    """Ask all processes of this worker to finish their work and start nothing new."""
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
