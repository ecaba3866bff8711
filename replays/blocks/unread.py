"""Why a match of the archive cannot be read: one name for each reason, and a sentence with the remedy."""

from __future__ import annotations

from foundation.unavailable import Unavailable


class BlockUnread(Unavailable):
    """Raised where the archive does not give a match's log back."""


class BrokenBlock(BlockUnread):
    """Raised for a block that is not what its name or its match says."""

    status, code = 502, "broken_block"


class MissingDictionary(BlockUnread):
    """Raised where the dictionary with which a block was packed is not kept, or is another one."""

    status, code = 502, "missing_dictionary"


class MissingBlock(BlockUnread):
    """Raised where nothing is kept under a block's name."""

    status, code = 502, "missing_block"


class StoreUnreachable(BlockUnread):
    """Raised where the store does not answer."""

    status, code = 503, "store_unreachable"


class StoreRefused(BlockUnread):
    """Raised where the store answers that our key may not."""

    status, code = 503, "store_refused"
