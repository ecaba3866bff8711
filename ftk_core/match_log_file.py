"""Match log in a JSON Lines file. Each page (batch of lines) is followed by a line with its hash.

Such a line is ``{"page":0,"first":0,"last":17,"head":"<hex>"}``. A reader rejects the file if any byte has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from gettext import gettext as _

import msgspec

from ftk_core.facts import encode
from ftk_core.hash_chained_log import GENESIS, BrokenHashChainError, LogPage, next_page

_PAGE_LINE_START = b'{"page":'
_FIRST_PAGE_START = b'{"page":0,'


class LogPageHashLine(msgspec.Struct, frozen=True):
    """Line that ends a page in a log file and holds the page's hash."""

    page: int
    """Page number, from 0."""
    first: int
    """Number of the page's first line, counted over the whole log from 0."""
    last: int
    """Number of the page's last line."""
    head: str
    """Hash of the log up to this page, in hexadecimal."""


def page_line(number: int, page: LogPage) -> bytes:
    """Return the line with the hash of a page, as canonical JSON with a newline."""
    return encode(LogPageHashLine(number, page.first, page.last, page.head.hex())) + b"\n"


def dump_pages(pages: Iterable[LogPage]) -> Iterator[bytes]:
    """Yield the bytes of a log file, one page at a time."""
    for number, page in enumerate(pages):
        yield page.body + page_line(number, page)


def parse_pages(chunks: Iterable[bytes]) -> Iterator[LogPage]:
    """Parse a log file's lines into pages. Raises BrokenHashChainError at the first invalid page."""
    number, length, head = 0, 0, GENESIS
    pending: list[bytes] = []
    for line in chunks:
        if not line.startswith(_PAGE_LINE_START):
            pending.append(line)
            continue
        page = _page_from_lines(length, head, pending)
        if page is None or page_line(number, page) != line:
            raise BrokenHashChainError(
                _("page {number} (from entry {length}) does not match its hash").format(number=number, length=length)
            )
        yield page
        number, length, head = number + 1, page.last + 1, page.head
        pending = []
    if pending:
        raise BrokenHashChainError(
            _("page {number} (from entry {length}) is cut off: it has no hash").format(number=number, length=length)
        )


def split_logs(chunks: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Yield the lines of each log in a file of concatenated logs."""
    log: list[bytes] = []
    pending: list[bytes] = []
    for line in chunks:
        pending.append(line)
        if not line.startswith(_PAGE_LINE_START):
            continue
        if line.startswith(_FIRST_PAGE_START) and log:
            yield log
            log = []
        log += pending
        pending = []
    yield log + pending


def _page_from_lines(length: int, head: bytes, lines: list[bytes]) -> LogPage | None:
    try:
        return next_page(length, head, lines)
    except ValueError:
        return None
