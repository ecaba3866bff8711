"""Format of a block: the bytes ``FTK1``, the SHA-256 of its dictionary (zeros for none), and a zstd frame.

In the frame is a msgpack array: the last entry of each page, the text, the columns (see `columns`), and by seat what
only the bot's author may read. The hashes of the pages follow from their bodies and are not kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import islice

import msgspec
from backports import zstd
from django.utils.translation import gettext

from ftk_core.log import GENESIS, Page, next_page
from replays.blocks.columns import put_together, take_apart
from replays.blocks.unread import BrokenBlock

MAGIC = b"FTK1"
NAME_BYTES = 32
HEADER = len(MAGIC) + NAME_BYTES
LEVEL = 22
DICTIONARY_BYTES = 1 << 20
"""Size of a dictionary's content, taken from the latest logs."""
TABLES_BYTES = 4096
"""Additional size for zstd's tables."""
LEAST = 8
"""Minimum number of logs for a dictionary."""


class AuthorRecord(msgspec.Struct, frozen=True, array_like=True):
    """Private record of one bot in a match, for its author alone."""

    faults: list[str] = []
    notes: list[str] = []
    stderr: str = ""


class Contents(msgspec.Struct, frozen=True, array_like=True):
    """Content of the frame."""

    lasts: list[int]
    text: bytes
    columns: bytes
    records: list[AuthorRecord] = []
    """By seat; empty in blocks from before they were packed, and where there is nothing to tell."""


def make_dictionary(logs: Sequence[bytes]) -> bytes:
    """Return a dictionary for logs like these, of which there are `LEAST` or more, the best example last.

    Its content is their texts; zstd adds its entropy tables. By measurement, this compresses better than the selection
    of zstd's own trainer (docs/decisions/0050).
    """
    parts = [take_apart(log) for log in logs]
    content = b"".join(text for text, _ in parts)[-DICTIONARY_BYTES:]
    raw = zstd.ZstdDict(content, is_raw=True)
    samples = [text + columns for text, columns in parts]
    return zstd.finalize_dict(raw, samples, DICTIONARY_BYTES + TABLES_BYTES, LEVEL).dict_content


def name_of(body: bytes) -> str:
    """Return the name of a block or dictionary: its SHA-256 in hexadecimal."""
    return sha256(body).hexdigest()


@lru_cache(maxsize=8)
def _known(dictionary: bytes) -> zstd.ZstdDict:
    """Return a prepared dictionary: preparing takes longer than compressing a block."""
    return zstd.ZstdDict(dictionary)


def pack(pages: Sequence[Page], dictionary: bytes = b"", records: Sequence[AuthorRecord] = ()) -> bytes:
    """Return the block of a log and of its bots' records, packed with a dictionary if there is one."""
    text, columns = take_apart(b"".join(page.body for page in pages))
    contents = msgspec.msgpack.encode(Contents([page.last for page in pages], text, columns, list(records)))
    frame = zstd.compress(contents, LEVEL, zstd_dict=_known(dictionary).as_digested_dict if dictionary else None)
    return MAGIC + (sha256(dictionary).digest() if dictionary else bytes(NAME_BYTES)) + frame


def dictionary_of(block: bytes) -> str:
    """Return the name of the dictionary that a block needs, or an empty text; raises BrokenBlock."""
    if not block.startswith(MAGIC) or len(block) < HEADER:
        raise BrokenBlock(gettext("it does not begin as a block does"))
    name = block[len(MAGIC) : HEADER]
    return name.hex() if any(name) else ""


def unpack(block: bytes, dictionary: bytes = b"") -> tuple[tuple[Page, ...], list[AuthorRecord]]:
    """Return the pages of a block and its bots' records; raises BrokenBlock."""
    try:
        frame = zstd.decompress(block[HEADER:], _known(dictionary) if dictionary else None)
        contents = msgspec.msgpack.decode(frame, type=Contents)
        return _pages(contents.lasts, put_together(contents.text, contents.columns)), contents.records
    except (zstd.ZstdError, msgspec.MsgspecError, ValueError) as error:
        raise BrokenBlock(str(error)) from error


def _pages(lasts: Sequence[int], body: bytes) -> tuple[Page, ...]:
    """Return the pages that end with these entries; raises ValueError if lines are left over."""
    lines = iter(body.splitlines(keepends=True))
    pages: list[Page] = []
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
