"""Reproducible tar archives, in which names and contents of the files determine every byte."""
# Owner, date and mode are constant and padding is zero, so that `unpack` can reject any other byte. Only one file is
# held in memory at a time.

from __future__ import annotations

from collections.abc import Iterable, Iterator
from gettext import gettext as _
from tarfile import BLOCKSIZE, NUL, USTAR_FORMAT, HeaderError, TarInfo
from typing import IO

File = tuple[str, bytes]
"""File of an archive, as a pair (name, content in bytes)."""
END_OF_ARCHIVE = NUL * 2 * BLOCKSIZE
MAX_FILE_BYTES = 1 << 28
"""Maximum file size in bytes, larger than any log. `unpack` rejects a header with a larger size."""


class InvalidArchiveError(Exception):
    """Raised for an archive that `pack` cannot have written. The message names the first wrong file."""

    def __init__(self, file: str, what: str) -> None:
        super().__init__(f"{file}: {what}")
        self.file, self.what = file, what


def pack(files: Iterable[File]) -> Iterator[bytes]:
    """Yield the bytes of a tar archive that contains these files, piece by piece."""
    for name, content in files:
        yield _header(name, len(content))
        yield content + _padding_bytes(len(content))
    yield END_OF_ARCHIVE


def unpack(source: IO[bytes]) -> Iterator[File]:
    """Yield the files of an archive. Raises InvalidArchiveError at a byte that `pack` would not have written."""
    after = _("the beginning")
    while (block := source.read(BLOCKSIZE)) != END_OF_ARCHIVE[:BLOCKSIZE]:
        name, size = _read_header(block, after)
        content = source.read(size)
        if len(content) < size or source.read(-size % BLOCKSIZE) != _padding_bytes(size):
            raise InvalidArchiveError(name, _("is cut off, or not followed by zeros"))
        yield name, content
        after = name
    if source.read(BLOCKSIZE + 1) != END_OF_ARCHIVE[BLOCKSIZE:]:
        raise InvalidArchiveError(
            _("the end of the archive"), _("does not follow directly after {after}").format(after=after)
        )


def _read_header(block: bytes, after: str) -> tuple[str, int]:
    try:
        entry = TarInfo.frombuf(block, "ascii", "strict")
        canonical = _header(entry.name, entry.size)
    except (HeaderError, ValueError):
        raise InvalidArchiveError(
            _("what follows {after}").format(after=after), _("is cut off or has an invalid header")
        ) from None
    if canonical != block or entry.size > MAX_FILE_BYTES:
        raise InvalidArchiveError(entry.name, _("has a header with other fields than name and size, or is too large"))
    return entry.name, entry.size


def _header(name: str, size: int) -> bytes:
    entry = TarInfo(name)
    entry.size = size
    return entry.tobuf(USTAR_FORMAT, "ascii", "strict")


def _padding_bytes(size: int) -> bytes:
    return NUL * (-size % BLOCKSIZE)
