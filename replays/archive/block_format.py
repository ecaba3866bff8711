"""File format of an archived match (a block).

A block begins with the bytes ``FTK1`` and the SHA-256 of its zstd dictionary (zeros if it has none). The rest is a
zstd frame with a msgpack array of four parts:

1. The number of the last log entry of each page. A page contains the entries that were stored in one transaction.
2. The log's text, without some of its numbers.
3. The numbers that the text lacks, in columns (see `columnar_log_encoding`).
4. The private records of the bots (faults, notes, stderr), in seat order.
"""
# The hashes of the pages are computed when the block is read.

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import islice

import msgspec
from django.utils.translation import gettext

from ftk_core.hash_chained_log import GENESIS, LogPage, next_page
from replays.archive.archive_errors import BrokenArchiveBlockError
from replays.archive.columnar_log_encoding import join_columns, split_columns

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MAGIC = b"FTK1"
NAME_BYTES = 32
HEADER = len(MAGIC) + NAME_BYTES
COMPRESSION_LEVEL = 22
DICTIONARY_BYTES = 1 << 20
"""Maximum bytes of example text in a compression dictionary."""
TABLES_BYTES = 4096
"""Bytes by which a dictionary may be longer than its text, for the tables that zstd adds."""
MIN_DICTIONARY_LOGS = 8
"""Minimum number of logs for a compression dictionary."""


class PrivateBotDiagnostics(msgspec.Struct, frozen=True, array_like=True):
    """A bot's faults, notes and stderr in a match, which only its authors may read."""

    faults: list[str] = []
    notes: list[str] = []
    stderr: str = ""


class ArchivedMatchContents(msgspec.Struct, frozen=True, array_like=True):
    """Content of an archived match: its log and its bots' private records."""

    lasts: list[int]
    text: bytes
    columns: bytes
    records: list[PrivateBotDiagnostics] = []
    """Private records by seat. The list is empty if all records are empty, and in old blocks, which have none."""


def make_dictionary(logs: Sequence[bytes]) -> bytes:
    """Make a zstd dictionary from example logs.

    Pass at least `MIN_DICTIONARY_LOGS` logs, the oldest first.
    """
    # The end of the logs' text compresses better than a dictionary from zstd's own trainer (docs/decisions/0050).
    parts = [split_columns(log) for log in logs]
    content = b"".join(text for text, _ in parts)[-DICTIONARY_BYTES:]
    raw = zstd.ZstdDict(content, is_raw=True)
    samples = [text + columns for text, columns in parts]
    return zstd.finalize_dict(raw, samples, DICTIONARY_BYTES + TABLES_BYTES, COMPRESSION_LEVEL).dict_content


def block_name(body: bytes) -> str:
    """Return the name of a block or dictionary: its SHA-256 in hexadecimal."""
    return sha256(body).hexdigest()


@lru_cache(maxsize=8)
def _prepare_dictionary(dictionary: bytes) -> zstd.ZstdDict:
    # Cached, because parsing a dictionary takes longer than compressing a block.
    return zstd.ZstdDict(dictionary)


def pack_block(
    pages: Sequence[LogPage], dictionary: bytes = b"", records: Sequence[PrivateBotDiagnostics] = ()
) -> bytes:
    """Compress a match's log and its bots' private records into one archive file."""
    text, columns = split_columns(b"".join(page.body for page in pages))
    contents = msgspec.msgpack.encode(
        ArchivedMatchContents([page.last for page in pages], text, columns, list(records))
    )
    frame = zstd.compress(
        contents, COMPRESSION_LEVEL, zstd_dict=_prepare_dictionary(dictionary).as_digested_dict if dictionary else None
    )
    return MAGIC + (sha256(dictionary).digest() if dictionary else bytes(NAME_BYTES)) + frame


def dictionary_of(block: bytes) -> str:
    """Return the name of the compression dictionary that an archived match needs, or "".

    Raises BrokenArchiveBlockError for an invalid header.
    """
    if not block.startswith(MAGIC) or len(block) < HEADER:
        raise BrokenArchiveBlockError(gettext("it lacks the first bytes of an archive block"))
    name = block[len(MAGIC) : HEADER]
    return name.hex() if any(name) else ""


def unpack_block(block: bytes, dictionary: bytes = b"") -> tuple[tuple[LogPage, ...], list[PrivateBotDiagnostics]]:
    """Decode an archived match into its log pages and its bots' private records.

    Raises BrokenArchiveBlockError.
    """
    # The records are in seat order, or empty.
    try:
        frame = zstd.decompress(block[HEADER:], _prepare_dictionary(dictionary) if dictionary else None)
        contents = msgspec.msgpack.decode(frame, type=ArchivedMatchContents)
        return _pages(contents.lasts, join_columns(contents.text, contents.columns)), contents.records
    except (zstd.ZstdError, msgspec.MsgspecError, ValueError) as error:
        raise BrokenArchiveBlockError(str(error)) from error


def _pages(lasts: Sequence[int], body: bytes) -> tuple[LogPage, ...]:
    """Split a log's text into pages, given the number of the last line of each page.

    Raises ValueError if the text has fewer or more lines.
    """
    lines = iter(body.splitlines(keepends=True))
    pages: list[LogPage] = []
    length, head = 0, GENESIS
    for last in lasts:
        page = next_page(length, head, list(islice(lines, max(0, last + 1 - length))))
        if page.last != last:
            raise ValueError(f"a page ends with entry {page.last} in place of {last}")
        pages.append(page)
        length, head = page.last + 1, page.head
    if next(lines, None) is not None:
        raise ValueError("there are lines behind the last page")
    return tuple(pages)
