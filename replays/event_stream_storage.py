"""Storage of append-only event logs (streams) in PostgreSQL."""
# Lines that are appended at once are a page. One SQL statement stores the page and detects concurrent writers.

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from django.db import connection

from ftk_core.hash_chained_log import LogPage, LogWriteConflictError, next_page
from replays import metrics
from replays.archive.archived_log_reading import read_block
from replays.models import EventStream, EventStreamPage as PageRow
from replays.models.archive_blocks import ArchivedMatchLog

# One statement, and hence one transaction, updates the stream's row and stores the page. The row is the lock: a second
# writer finds another length or another fencing token, and stores nothing.
APPEND_SQL = """
WITH moved AS (
    UPDATE replays_stream SET length = %(length)s, head = %(head)s
    WHERE id = %(stream)s AND length = %(expected)s AND fence = %(fence)s
    RETURNING id
)
INSERT INTO replays_page (stream_id, first, last, body, head)
SELECT id, %(expected)s, %(last)s, %(body)s, %(head)s FROM moved
"""


ASYNC_COMMIT_SQL = "set_config('synchronous_commit', 'off', true)"
"""SQL expression that makes the commit of its statement asynchronous: the commit returns before the data is on disk.

The data is on disk at the latest when a later, synchronous commit returns.
"""
NEWER_SQL = """
SELECT page.stream_id, page.first, page.last, page.body, page.head
FROM unnest(%s::text[], %s::bigint[]) AS known (stream, last)
JOIN replays_page AS page ON page.stream_id = known.stream AND page.last > known.last
ORDER BY page.stream_id, page.first
"""
BATCH_SIZE = 50
"""Number of pages per query; a server-side cursor would take three more statements, even for a short log."""


class EventAppender:
    """An event log opened for appending."""

    # Appending fails once a later owner has taken the log over with a newer fencing token.

    def __init__(self, stream_id: str, fence: int | None = None) -> None:
        """Open an event log for appending, and create it if it does not exist.

        The default of `fence` is the log's current fencing token.
        """
        row = EventStream.objects.filter(pk=stream_id).first() or ArchivedMatchLog.objects.filter(pk=stream_id).first()
        row = row or EventStream.objects.get_or_create(pk=stream_id)[0]
        self.stream_id = stream_id
        self.fence = fence if fence is not None else row.fence if isinstance(row, EventStream) else 0
        self._length, self._head = row.length, bytes(row.head)

    @classmethod
    def open_at(cls, stream_id: str, fence: int, length: int, head: bytes) -> EventAppender:
        """Open a stream of known length and hash, without a query."""
        log = cls.__new__(cls)
        log.stream_id, log.fence, log._length, log._head = stream_id, fence, length, head
        return log

    @classmethod
    def open_locked(cls, stream_id: str) -> EventAppender:
        """Open a stream and lock its row until the transaction ends."""
        EventStream.objects.get_or_create(pk=stream_id)
        EventStream.objects.select_for_update().get(pk=stream_id)
        return cls(stream_id)

    @property
    def length(self) -> int:
        """Number of stored lines when this object was opened or last appended to."""
        return self._length

    @property
    def head(self) -> bytes:
        """Hash of the stream's first `length` lines."""
        return self._head

    def append(self, lines: Sequence[bytes], expected: int) -> LogPage:
        """Append lines to the log in one transaction.

        Raises LogWriteConflictError if the log does not have `expected` lines, or has a newer fencing token.
        """
        if expected != self._length:
            raise LogWriteConflictError(f"{self.stream_id}: expected {expected} lines, it held {self._length}")
        page = next_page(self._length, self._head, lines)
        values: dict[str, str | int | bytes] = {
            "stream": self.stream_id,
            "expected": expected,
            "fence": self.fence,
            "length": page.last + 1,
            "last": page.last,
            "body": page.body,
            "head": page.head,
        }
        with connection.cursor() as cursor:
            cursor.execute(APPEND_SQL, values)
            if cursor.rowcount != 1:
                raise LogWriteConflictError(
                    f"{self.stream_id}: not at {expected} lines under fence {self.fence} any more"
                )
        self._length, self._head = page.last + 1, page.head
        metrics.count_page(self.stream_id)
        return page

    def pages(self, after: int = -1) -> Iterator[LogPage]:
        """Yield, in order, the log's pages that contain lines after the line number `after`.

        Lines are counted from 0.
        """
        return pages_of(self.stream_id, after)


def pages_of(stream_id: str, after: int = -1) -> Iterator[LogPage]:
    """Yield, in order, the pages of an event log that contain lines after the line number `after`.

    Lines are counted from 0. Raises ArchiveUnavailable if an archived log cannot be read.
    """
    rows = PageRow.objects.filter(stream_id=stream_id).order_by("first").values_list("first", "last", "body", "head")
    while found := list(rows.filter(last__gt=after)[:BATCH_SIZE]):
        for first, last, body, head in found:
            yield LogPage(first, last, bytes(body), bytes(head))
            after = last
        if len(found) < BATCH_SIZE:
            return
    # One transaction deletes the pages and stores the block's row, so that a query that finds no pages finds the row.
    if block := ArchivedMatchLog.objects.filter(pk=stream_id, length__gt=after + 1).first():
        yield from (page for page in read_block(block) if page.last > after)


def is_archived(stream_id: str) -> bool:
    """Return True if a log is in the archive, so that reading it may take seconds."""
    return ArchivedMatchLog.objects.filter(pk=stream_id).exists()


def read_ends(stream_ids: Sequence[str]) -> dict[str, tuple[int, bytes]]:
    """Return (number of lines, hash of all lines) by log name, including archived logs."""
    # Logs that do not exist are left out.
    found: dict[str, tuple[int, bytes]] = {}
    # One transaction replaces a stream's row by its block's row, so that one of the two queries finds it.
    for ends in (EventStream, ArchivedMatchLog):
        left = [name for name in stream_ids if name not in found]
        rows = ends.objects.filter(pk__in=left).values_list("pk", "length", "head") if left else ()
        found |= {name: (length, bytes(head)) for name, length, head in rows}
    return found


def newer_pages(last_known: Mapping[str, int]) -> Iterator[tuple[str, LogPage]]:
    """Yield (log name, page) for each page that contains lines after the log's line number in `last_known`.

    Lines are counted from 0; -1 selects all pages of a log. Archived logs are not read.
    """
    with connection.cursor() as cursor:
        cursor.execute(NEWER_SQL, [list(last_known), list(last_known.values())])
        for stream, first, last, body, head in cursor.fetchall():
            yield stream, LogPage(first, last, bytes(body), bytes(head))


def raise_fence(stream_id: str) -> int:
    """Return a new fencing token for a stream; from now on, writes with an earlier token fail."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO replays_stream (id, length, head, fence) VALUES (%s, 0, %s, 1)"
            " ON CONFLICT (id) DO UPDATE SET fence = replays_stream.fence + 1 RETURNING fence",
            [stream_id, bytes(32)],
        )
        row = cursor.fetchone()
    return int(row[0])
