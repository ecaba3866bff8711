"""Errors of reading the archive: one class per reason, each with a remedy in its message."""

from __future__ import annotations

from foundation.unavailable import Unavailable


class BlockUnread(Unavailable):
    """Raised when the archive cannot return a match's log."""


class BrokenBlock(BlockUnread):
    """Raised for a block whose content does not agree with its name or its match."""

    status, code = 502, "broken_block"


class MissingDictionary(BlockUnread):
    """Raised when the dictionary of a block is missing or damaged."""

    status, code = 502, "missing_dictionary"


class MissingBlock(BlockUnread):
    """Raised when no block with this name exists."""

    status, code = 502, "missing_block"


class StoreUnreachable(BlockUnread):
    """Raised when the store does not answer."""

    status, code = 503, "store_unreachable"


class StoreRefused(BlockUnread):
    """Raised when the store rejects our key."""

    status, code = 503, "store_refused"
