"""Reproducible tar files: the names and contents of the files determine every byte.

Any tar program can read them. Owner, date and mode are constant and padding is zero, so that `unpack` can reject any
other byte. Only one file is held in memory at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from tarfile import BLOCKSIZE, NUL, USTAR_FORMAT, HeaderError, TarInfo
from typing import Protocol

File = tuple[str, bytes]
"""(name, content)"""
END = NUL * 2 * BLOCKSIZE
LARGEST = 1 << 28
"""Maximum file size in bytes, larger than any log. `unpack` rejects a header with a larger size."""


class BadArchive(Exception):
    """Raised for an archive that `pack` did not write. The message names the file at which this shows."""

    def __init__(self, file: str, what: str) -> None:
        super().__init__(f"{file}: {what}")
        self.file, self.what = file, what


class Source(Protocol):
    """A binary stream from which an archive is read."""

    def read(self, size: int, /) -> bytes:
        """Return `size` bytes, or fewer at the end of the stream."""
        ...


def pack(files: Iterable[File]) -> Iterator[bytes]:
    """Yield a tar archive of the files in pieces."""
    for name, content in files:
        yield _header(name, len(content))
        yield content + _gap(len(content))
    yield END


def unpack(source: Source) -> Iterator[File]:
    """Yield the files of an archive; raise BadArchive at the first byte that `pack` would not have written."""
    after = "the beginning"
    while (block := source.read(BLOCKSIZE)) != END[:BLOCKSIZE]:
        name, size = _read_header(block, after)
        content = source.read(size)
        if len(content) < size or source.read(-size % BLOCKSIZE) != _gap(size):
            raise BadArchive(name, "is cut off, or not followed by zeros")
        yield name, content
        after = name
    if source.read(BLOCKSIZE + 1) != END[BLOCKSIZE:]:
        raise BadArchive("the end of the archive", f"is not where it should be, behind {after}")


def _read_header(block: bytes, after: str) -> tuple[str, int]:
    """Return the name and size in a tar header."""
    try:
        found = TarInfo.frombuf(block, "ascii", "strict")
        canonical = _header(found.name, found.size)
    except (HeaderError, ValueError):
        raise BadArchive(f"what follows {after}", "is cut off or has a spoilt header") from None
    if canonical != block or found.size > LARGEST:
        raise BadArchive(found.name, "has a header with more than a name and a fair size")
    return found.name, found.size


def _header(name: str, size: int) -> bytes:
    entry = TarInfo(name)
    entry.size = size
    return entry.tobuf(USTAR_FORMAT, "ascii", "strict")


def _gap(size: int) -> bytes:
    return NUL * (-size % BLOCKSIZE)
