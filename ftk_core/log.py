"""An append-only log of lines, stored in pages that are chained by their hashes.

A page is what becomes durable at once. ``head = SHA-256(previous head || body)``; the head
before the first page is 32 zero bytes. Every store passes the same law tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Protocol

import msgspec

GENESIS = bytes(32)
"""The head of an empty stream."""


class Page(msgspec.Struct, frozen=True):
    """Lines ``first`` to ``last`` of a stream, as they were made durable."""

    first: int
    last: int
    body: bytes
    """The lines, each ending in a newline."""
    head: bytes
    """The hash of everything up to and including this page."""

    @property
    def lines(self) -> list[bytes]:
        """The lines without their newlines."""
        return self.body.splitlines()


class Conflict(Exception):
    """Raised when a stream has grown, or changed hands, since the writer last looked."""


class BrokenChain(Exception):
    """Raised when a page is not what its hash says; the message names the page."""


def next_page(length: int, head: bytes, lines: Sequence[bytes]) -> Page:
    """Return the page that appends the lines to a stream of that length and head."""
    if not lines:
        raise ValueError("a page holds at least one line")
    body = b"".join(lines)
    if body.count(b"\n") != len(lines) or not body.endswith(b"\n"):
        raise ValueError("each line ends in its only newline")
    return Page(length, length + len(lines) - 1, body, sha256(head + body).digest())


def check_chain(pages: Iterator[Page], length: int = 0, head: bytes = GENESIS) -> Iterator[Page]:
    """Pass the pages of a stream on, raising BrokenChain at the first that does not follow what it held before."""
    for number, page in enumerate(pages):
        if page.first != length or page.body.count(b"\n") != page.last - page.first + 1:
            raise BrokenChain(f"page {number} (entries {page.first}-{page.last}) does not follow entry {length - 1}")
        if sha256(head + page.body).digest() != page.head:
            raise BrokenChain(f"page {number} (entries {page.first}-{page.last}) does not match its hash")
        length, head = page.last + 1, page.head
        yield page


class Log(Protocol):
    """One stream of lines, open for one writer and any number of readers."""

    @property
    def length(self) -> int:
        """How many lines are durable."""
        ...

    def append(self, lines: Sequence[bytes], expected: int) -> Page:
        """Make the lines durable at once; raises Conflict unless the stream holds exactly `expected` lines."""
        ...

    def pages(self, after: int = -1) -> Iterator[Page]:
        """Yield the pages that hold any line later than `after`, in order."""
        ...


class MemoryLog:
    """A log that lives as long as the process."""

    def __init__(self) -> None:
        self._pages: list[Page] = []

    @property
    def length(self) -> int:
        """How many lines it holds."""
        return self._pages[-1].last + 1 if self._pages else 0

    def append(self, lines: Sequence[bytes], expected: int) -> Page:
        """Add a page; raises Conflict when `expected` is not the length."""
        if expected != self.length:
            raise Conflict(f"expected {expected} lines, the log holds {self.length}")
        page = next_page(self.length, self._pages[-1].head if self._pages else GENESIS, lines)
        self._pages.append(page)
        return page

    def pages(self, after: int = -1) -> Iterator[Page]:
        """Yield the pages with any line later than `after`."""
        return (page for page in tuple(self._pages) if page.last > after)


def lines_of(log: Log, after: int = -1) -> Iterator[bytes]:
    r"""Yield the lines of a log later than `after`.

    >>> log = MemoryLog()
    >>> page = log.append([b"first\n", b"second\n", b"third\n"], expected=0)
    >>> list(lines_of(log, after=0))
    [b'second', b'third']
    """
    for page in log.pages(after):
        yield from page.lines[max(0, after + 1 - page.first) :]
