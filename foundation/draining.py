"""Whether this worker is to leave: then it begins nothing, and gives up what it does where that can be gone on with.

One byte that all processes of a worker share: those of its pool are forked from it, and no signal reaches them.
"""

from __future__ import annotations

from mmap import mmap

_ASKED = mmap(-1, 1)


class Draining(Exception):
    """Raised where a worker that was asked to leave is about to go on with something."""


def ask_to_leave() -> None:
    """Have all processes of this worker give up what they do; safe to call from a signal's handler."""
    _ASKED[0] = 1


def is_asked_to_leave() -> bool:
    """Tell whether they are to."""
    return bool(_ASKED[0])


def stay() -> None:
    """Take it back, for whoever was asked to leave and goes on, like a test."""
    _ASKED[0] = 0
