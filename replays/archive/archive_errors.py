"""Errors of the archive, each with the HTTP status and code of an API error."""

from __future__ import annotations

from foundation.storage_errors import StorageUnavailable


class ArchiveUnavailable(StorageUnavailable):
    """Raised if the archive cannot return or store the log of a match."""


class BrokenArchiveBlockError(ArchiveUnavailable):
    """Raised if a block (an archived match log) is damaged or contains the log of another match."""

    status, code = 502, "broken_block"


class CompressionDictionaryMissing(ArchiveUnavailable):
    """Raised if the compression dictionary of a block is missing or damaged."""

    status, code = 502, "missing_dictionary"


class ArchiveBlockMissing(ArchiveUnavailable):
    """Raised if the archive has no block or dictionary with the requested name."""

    status, code = 502, "missing_block"


class ArchiveStoreUnavailable(ArchiveUnavailable):
    """Raised if the archive's storage (a folder or an S3 bucket) does not answer."""

    status, code = 503, "store_unreachable"


class ArchiveStoreRefusedError(ArchiveUnavailable):
    """Raised if the archive's storage denies access, such as an S3 bucket that rejects the access key."""

    status, code = 503, "store_refused"
