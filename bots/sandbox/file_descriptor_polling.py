"""Waiting for descriptors with poll(2), which unlike select(2) works with more than 1024 descriptors."""

from __future__ import annotations

import select
from collections.abc import Iterable


def list_readable(descriptors: Iterable[int], seconds: float) -> set[int]:
    """Wait up to `seconds` until one of some descriptors is readable. Return those that are."""
    # Also those whose other end is closed.
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    return {descriptor for descriptor, _ in poll.poll(max(0.0, seconds) * 1000)}


def is_readable(descriptor: int, seconds: float) -> bool:
    """Wait up to `seconds` until a descriptor is readable. Return True if it is."""
    return bool(list_readable((descriptor,), seconds))
