"""Log stored as a JSON Lines file: the lines of each page, followed by one line with the hash of the page.

The page line is ``{"page":0,"first":0,"last":17,"head":"<hex>"}``. No other spelling is accepted, so that no byte of
the file can change unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from ftk_core.facts import encode
from ftk_core.log import GENESIS, BrokenChain, Conflict, Page, next_page

_MARK = b'{"page":'
_FIRST = b'{"page":0,'


class PageLine(msgspec.Struct, frozen=True):
    """Line that ends a page in a file and holds its hash."""

    page: int
    """Page number, from 0."""
    first: int
    last: int
    head: str
    """Hash of the log up to this page, in hexadecimal."""


def page_line(number: int, page: Page) -> bytes:
    """Return the line that ends a page in a file."""
    return encode(PageLine(number, page.first, page.last, page.head.hex())) + b"\n"


def dump(pages: Iterable[Page]) -> Iterator[bytes]:
    """Yield the file of a log page by page."""
    for number, page in enumerate(pages):
        yield page.body + page_line(number, page)


def parse(chunks: Iterable[bytes]) -> Iterator[Page]:
    """Yield the pages of a log file given as its lines; raise BrokenChain with the number of the invalid page."""
    number, length, head = 0, 0, GENESIS
    pending: list[bytes] = []
    for line in chunks:
        if not line.startswith(_MARK):
            pending.append(line)
            continue
        page = _sealed(length, head, pending)
        if page is None or page_line(number, page) != line:
            raise BrokenChain(f"page {number} (from entry {length}) does not match its hash")
        yield page
        number, length, head = number + 1, page.last + 1, page.head
        pending = []
    if pending:
        raise BrokenChain(f"page {number} (from entry {length}) is cut off: it has no hash")


def split(chunks: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Yield the lines of each log in a file of concatenated logs; each log begins with page 0."""
    log: list[bytes] = []
    pending: list[bytes] = []
    for line in chunks:
        pending.append(line)
        if not line.startswith(_MARK):
            continue
        if line.startswith(_FIRST) and log:
            yield log
            log = []
        log += pending
        pending = []
    yield log + pending


def _sealed(length: int, head: bytes, lines: list[bytes]) -> Page | None:
    try:
        return next_page(length, head, lines)
    except ValueError:
        return None


class FileLog:
    """Log in one file. Opening an existing file verifies it and continues after its last complete page."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._pages = list(parse(path.read_bytes().splitlines(keepends=True))) if path.exists() else []
        self._file = path.open("ab")

    @property
    def length(self) -> int:
        """Number of lines in the file."""
        return self._pages[-1].last + 1 if self._pages else 0

    def append(self, lines: Sequence[bytes], expected: int) -> Page:
        """Write a page and flush it to disk; raise Conflict if `expected` is not the length."""
        if expected != self.length:
            raise Conflict(f"expected {expected} lines, {self.path.name} holds {self.length}")
        page = next_page(self.length, self._pages[-1].head if self._pages else GENESIS, lines)
        self._file.write(page.body + page_line(len(self._pages), page))
        self._file.flush()
        self._pages.append(page)
        return page

    def pages(self, after: int = -1) -> Iterator[Page]:
        """Yield the pages with any line after `after`."""
        return (page for page in tuple(self._pages) if page.last > after)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
