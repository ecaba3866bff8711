"""Append-only log of lines, stored in pages that form a hash chain.

A page is the unit of durability. ``head = SHA-256(previous head || body)``; the head before the first page is 32 zero
bytes. All stores pass the same contract tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Protocol

import msgspec

GENESIS = bytes(32)
"""Head of an empty stream."""


class Page(msgspec.Struct, frozen=True):
    """Lines ``first`` to ``last`` of a stream, made durable together."""

    first: int
    last: int
    body: bytes
    """The lines, each with its newline."""
    head: bytes
    """Hash of everything up to and including this page."""

    @property
    def lines(self) -> list[bytes]:
        """The lines without their newlines."""
        return self.body.splitlines()


class Conflict(Exception):
    """Raised if another writer has appended to the stream or taken it over."""


class BrokenChain(Exception):
    """Raised if a page does not match its hash. The message names the page."""


def next_page(length: int, head: bytes, lines: Sequence[bytes]) -> Page:
    """Build the next page (block of log lines) of a stream that has this length and this latest hash."""
    if not lines:
        raise ValueError("a page holds at least one line")
    body = b"".join(lines)
    if body.count(b"\n") != len(lines) or not body.endswith(b"\n"):
        raise ValueError("each line ends in its only newline")
    return Page(length, length + len(lines) - 1, body, sha256(head + body).digest())


def check_chain(pages: Iterator[Page], length: int = 0, head: bytes = GENESIS) -> Iterator[Page]:
    """Yield the pages of a stream unchanged; raise BrokenChain at the first that does not continue the chain."""
    for number, page in enumerate(pages):
        if page.first != length or page.body.count(b"\n") != page.last - page.first + 1:
            raise BrokenChain(f"page {number} (entries {page.first}-{page.last}) does not follow entry {length - 1}")
        if sha256(head + page.body).digest() != page.head:
            raise BrokenChain(f"page {number} (entries {page.first}-{page.last}) does not match its hash")
        length, head = page.last + 1, page.head
        yield page


class Log(Protocol):
    """Stream of lines, open for one writer and any number of readers."""

    @property
    def length(self) -> int:
        """Number of durable lines."""
        ...

    def append(self, lines: Sequence[bytes], expected: int) -> Page:
        """Append the lines durably in one page; raise Conflict unless the stream holds exactly `expected` lines."""
        ...

    def pages(self, after: int = -1) -> Iterator[Page]:
        """Yield the pages that hold any line after `after`, in order."""
        ...


class MemoryLog:
    """Log in memory."""

    def __init__(self) -> None:
        self._pages: list[Page] = []

    @property
    def length(self) -> int:
        """Number of lines."""
        return self._pages[-1].last + 1 if self._pages else 0

    def append(self, lines: Sequence[bytes], expected: int) -> Page:
        """Append a page; raise Conflict if `expected` is not the length."""
        if expected != self.length:
            raise Conflict(f"expected {expected} lines, the log holds {self.length}")
        page = next_page(self.length, self._pages[-1].head if self._pages else GENESIS, lines)
        self._pages.append(page)
        return page

    def pages(self, after: int = -1) -> Iterator[Page]:
        """Yield the pages with any line after `after`."""
        return (page for page in tuple(self._pages) if page.last > after)


def lines_of(log: Log, after: int = -1) -> Iterator[bytes]:
    r"""Yield the lines of a log after `after`.

    >>> log = MemoryLog()
    >>> page = log.append([b"first\n", b"second\n", b"third\n"], expected=0)
    >>> list(lines_of(log, after=0))
    [b'second', b'third']
    """
    for page in log.pages(after):
        yield from page.lines[max(0, after + 1 - page.first) :]
