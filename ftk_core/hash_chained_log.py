"""Append-only log whose pages form a hash chain.

A page is a batch of lines that become durable together. The hash of a page is SHA-256(hash of the previous page ||
body), where the body is the text of the lines. For the first page, 32 zero bytes replace the hash of a previous page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from gettext import gettext as _
from hashlib import sha256
from typing import Protocol

import msgspec

GENESIS = bytes(32)
"""Head (latest page hash) of an empty stream."""


class LogPage(msgspec.Struct, frozen=True):
    """Lines ``first`` to ``last`` of a stream, which become durable together."""

    first: int
    last: int
    body: bytes
    """Log lines of the page as bytes, each with its newline."""
    head: bytes
    """Hash that covers the stream up to and including this page."""

    @property
    def lines(self) -> list[bytes]:
        """List of the log lines in `body`, without their newlines."""
        return self.body.splitlines()


class LogWriteConflictError(Exception):
    """Raised if another writer has appended to the stream, or has replaced this writer."""


class BrokenHashChainError(Exception):
    """Raised if a page does not match its hash. The message names the page."""


def next_page(length: int, head: bytes, lines: Sequence[bytes]) -> LogPage:
    """Build a page from new lines, to append it to a stream.

    The stream holds `length` lines so far, and the hash of its last page is `head`. Raises ValueError if `lines` is
    empty, or if a line does not have exactly one newline, at its end.
    """
    if not lines:
        raise ValueError(_("a page holds at least one line"))
    body = b"".join(lines)
    if body.count(b"\n") != len(lines) or not body.endswith(b"\n"):
        raise ValueError(_("each line must contain exactly one newline, at its end"))
    return LogPage(length, length + len(lines) - 1, body, sha256(head + body).digest())


def check_chain(pages: Iterator[LogPage], length: int = 0, head: bytes = GENESIS) -> Iterator[LogPage]:
    """Yield the pages of a stream unchanged; raise BrokenHashChainError at the first that breaks the hash chain."""
    for number, page in enumerate(pages):
        if page.first != length or page.body.count(b"\n") != page.last - page.first + 1:
            raise BrokenHashChainError(
                _("page {number} (entries {first}-{last}) does not follow entry {length}").format(
                    number=number, first=page.first, last=page.last, length=length - 1
                )
            )
        if sha256(head + page.body).digest() != page.head:
            raise BrokenHashChainError(
                _("page {number} (entries {first}-{last}) does not match its hash").format(
                    number=number, first=page.first, last=page.last
                )
            )
        length, head = page.last + 1, page.head
        yield page


class HashChainedLog(Protocol):
    """Stream of lines with one writer and any number of readers."""

    @property
    def length(self) -> int:
        """Number of lines stored durably."""
        ...

    def append(self, lines: Sequence[bytes], expected: int) -> LogPage:
        """Append the lines durably in one page.

        Raise LogWriteConflictError unless the stream holds exactly `expected` lines.
        """
        ...

    def pages(self, after: int = -1) -> Iterator[LogPage]:
        """Yield, in order, the pages that hold any line with a number greater than `after`."""
        ...


class InMemoryLog:
    """Log stored in memory."""

    def __init__(self) -> None:
        self._pages: list[LogPage] = []

    @property
    def length(self) -> int:
        """Number of lines in the log."""
        return self._pages[-1].last + 1 if self._pages else 0

    def append(self, lines: Sequence[bytes], expected: int) -> LogPage:
        """Append the lines as one page; raise LogWriteConflictError unless the log holds exactly `expected` lines."""
        if expected != self.length:
            raise LogWriteConflictError(
                _("expected {expected} lines, the log holds {length}").format(expected=expected, length=self.length)
            )
        page = next_page(self.length, self._pages[-1].head if self._pages else GENESIS, lines)
        self._pages.append(page)
        return page

    def pages(self, after: int = -1) -> Iterator[LogPage]:
        """Return an iterator over the pages that hold any line with a number greater than `after`."""
        return (page for page in tuple(self._pages) if page.last > after)


def lines_of(log: HashChainedLog, after: int = -1) -> Iterator[bytes]:
    r"""Yield the lines of a log whose numbers are greater than `after`, without newlines.

    Lines are numbered from 0. By default, yield all lines.

    >>> log = InMemoryLog()
    >>> page = log.append([b"first\n", b"second\n", b"third\n"], expected=0)
    >>> list(lines_of(log, after=0))
    [b'second', b'third']
    """
    for page in log.pages(after):
        yield from page.lines[max(0, after + 1 - page.first) :]
