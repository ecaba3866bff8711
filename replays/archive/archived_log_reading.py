"""Reading of archived match logs, page by page."""
# A page holds the log lines that were stored in one transaction.

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import gettext

from ftk_core.hash_chained_log import LogPage
from ftk_core.merkle import root_of
from replays.archive.archive_errors import (
    ArchiveBlockMissing,
    ArchiveUnavailable,
    BrokenArchiveBlockError,
    CompressionDictionaryMissing,
)
from replays.archive.block_format import PrivateBotDiagnostics, block_name, dictionary_of, unpack_block
from replays.archive.block_storage import storage
from replays.models.archive_blocks import ArchivedMatchLog


def path_of_block(name: str) -> str:
    """Return the path of a block (an archived match log) in the archive, given its name."""
    return f"blocks/{name[:2]}/{name}"


def path_of_dictionary(name: str) -> str:
    """Return the path of a compression dictionary in the archive."""
    return f"dictionaries/{name}"


def read_block(row: ArchivedMatchLog) -> tuple[LogPage, ...]:
    """Return the pages of an archived match's log.

    Raises ArchiveUnavailable.
    """
    return read_block_with_records(row)[0]


def read_block_with_records(row: ArchivedMatchLog) -> tuple[tuple[LogPage, ...], list[PrivateBotDiagnostics]]:
    """Return the log of an archived match and its bots' private records.

    Raises ArchiveUnavailable.
    """
    # The records are in seat order, or empty. The error names the match and the reason.
    try:
        return _unpack_stored(row)
    except ArchiveUnavailable as error:
        told = gettext("%(match)s is in the archive and cannot be read now: %(reason)s")
        raise type(error)(told % {"match": row.stream_id, "reason": error}) from error


def _unpack_stored(row: ArchivedMatchLog) -> tuple[tuple[LogPage, ...], list[PrivateBotDiagnostics]]:
    body = storage().get(path_of_block(row.name))
    if block_name(body) != row.name:
        raise BrokenArchiveBlockError(
            gettext("the block is not what its name says; put back a copy of it from a backup")
        )
    name = dictionary_of(body)
    pages, records = unpack_block(body, read_dictionary(name) if name else b"")
    if not pages or pages[-1].head != bytes(row.head) or root_of([page.head for page in pages]) != bytes(row.root):
        raise BrokenArchiveBlockError(gettext("what is in the block is another log"))
    return pages, records


@lru_cache(maxsize=16)
def read_dictionary(name: str) -> bytes:
    """Return a compression dictionary by name.

    Raises CompressionDictionaryMissing, or another ArchiveUnavailable if the storage does not answer.
    """
    told = gettext("its dictionary %(name)s is missing; put back a copy of it from a backup")
    try:
        body = storage().get(path_of_dictionary(name))
    except ArchiveBlockMissing as error:
        raise CompressionDictionaryMissing(told % {"name": name}) from error
    if block_name(body) != name:
        raise CompressionDictionaryMissing(told % {"name": name})
    return body
