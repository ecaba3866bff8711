"""Whether this worker is to leave: then it begins nothing, and gives up what it does where that can be gone on with.

One byte that all processes of a worker share: those of its pool are forked from it, and no signal reaches them.
"""

from __future__ import annotations

from mmap import mmap

_ASKED = mmap(-1, 1)
_GIVE_UP, _FINISH = 1, 2


class Draining(Exception):
    """Raised where a worker that was asked to leave is about to go on with something."""


def begin_worker() -> None:
    """Give this process, and those that it will fork, a byte of their own."""
    global _ASKED  # noqa: PLW0603 - one for each worker, as the byte is shared with its forks alone
    _ASKED = mmap(-1, 1)


def ask_to_leave() -> None:
    """Have all processes of this worker give up what they do; safe to call from a signal's handler."""
    _ASKED[0] = _GIVE_UP


def ask_to_finish() -> None:
    """Have them begin nothing more, but end what they do: for a worker whose software is about to be replaced."""
    _ASKED[0] = _ASKED[0] or _FINISH


def is_asked_to_leave() -> bool:
    """Tell whether they are to give up what they do."""
    return _ASKED[0] == _GIVE_UP


def may_begin() -> bool:
    """Tell whether they may begin anything."""
    return not _ASKED[0]


def stay() -> None:
    """Take it back, for whoever was asked to leave and goes on, like a test."""
    _ASKED[0] = 0
