"""Log storage in PostgreSQL: one row per page, one conditional UPDATE per commit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from django.db import connection

from ftk_core.log import Conflict, Page, next_page
from replays import meters
from replays.block_models import Block
from replays.blocks.reading import read_block
from replays.models import Page as PageRow
from replays.models import Stream

# The head moves and the page is stored in one statement, hence in one transaction: the row of the stream is the lock,
# and a second writer finds another length or another fence and stores nothing.
APPEND = """
WITH moved AS (
    UPDATE replays_stream SET length = %(length)s, head = %(head)s
    WHERE id = %(stream)s AND length = %(expected)s AND fence = %(fence)s
    RETURNING id
)
INSERT INTO replays_page (stream_id, first, last, body, head)
SELECT id, %(expected)s, %(last)s, %(body)s, %(head)s FROM moved
"""


UNHURRIED = "set_config('synchronous_commit', 'off', true)"
"""Selected in a statement, it makes the commit asynchronous. Later commits are not durable before it."""
NEWER = """
SELECT page.stream_id, page.first, page.last, page.body, page.head
FROM unnest(%s::text[], %s::bigint[]) AS known (stream, last)
JOIN replays_page AS page ON page.stream_id = known.stream AND page.last > known.last
ORDER BY page.stream_id, page.first
"""
AT_ONCE = 50
"""Pages per query: a server-side cursor would take three more statements, even for a short log."""


class StreamLog:
    """A stream opened for appending under a fence."""

    def __init__(self, stream_id: str, fence: int | None = None) -> None:
        """Open the stream, making it if there is none; without a fence, under the one that is in force."""
        row = Stream.objects.filter(pk=stream_id).first() or Block.objects.filter(pk=stream_id).first()
        row = row or Stream.objects.get_or_create(pk=stream_id)[0]
        self.stream_id = stream_id
        self.fence = fence if fence is not None else row.fence if isinstance(row, Stream) else 0
        self._length, self._head = row.length, bytes(row.head)

    @classmethod
    def held(cls, stream_id: str, fence: int, length: int, head: bytes) -> StreamLog:
        """Open a stream whose length and head were just read."""
        log = cls.__new__(cls)
        log.stream_id, log.fence, log._length, log._head = stream_id, fence, length, head
        return log

    @classmethod
    def alone(cls, stream_id: str) -> StreamLog:
        """Open the stream under a row lock that lasts until the transaction ends."""
        Stream.objects.get_or_create(pk=stream_id)
        Stream.objects.select_for_update().get(pk=stream_id)
        return cls(stream_id)

    @property
    def length(self) -> int:
        """Number of lines durable when this log was opened or last appended to."""
        return self._length

    @property
    def head(self) -> bytes:
        """Hash of everything up to `length`."""
        return self._head

    def append(self, lines: Sequence[bytes], expected: int) -> Page:
        """Make the lines durable; raises Conflict when the stream has grown or changed hands."""
        if expected != self._length:
            raise Conflict(f"{self.stream_id}: expected {expected} lines, it held {self._length}")
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
            cursor.execute(APPEND, values)
            if cursor.rowcount != 1:
                raise Conflict(f"{self.stream_id}: not at {expected} lines under fence {self.fence} any more")
        self._length, self._head = page.last + 1, page.head
        meters.count_page(self.stream_id)
        return page

    def pages(self, after: int = -1) -> Iterator[Page]:
        """Yield the stored pages with any line later than `after`."""
        return pages_of(self.stream_id, after)


def pages_of(stream_id: str, after: int = -1) -> Iterator[Page]:
    """Yield the pages of a stream with any line later than `after`, in order, from the archive if they are there.

    Raises BlockUnread, before the first page, if the archive cannot return them.
    """
    rows = PageRow.objects.filter(stream_id=stream_id).order_by("first").values_list("first", "last", "body", "head")
    while found := list(rows.filter(last__gt=after)[:AT_ONCE]):
        for first, last, body, head in found:
            yield Page(first, last, bytes(body), bytes(head))
            after = last
        if len(found) < AT_ONCE:
            return
    # One transaction deletes the pages and records their place, so a reader that finds no pages sees the place.
    if block := Block.objects.filter(pk=stream_id, length__gt=after + 1).first():
        yield from (page for page in read_block(block) if page.last > after)


def read_ends(stream_ids: Sequence[str]) -> dict[str, tuple[int, bytes]]:
    """Return by name the length and the head of streams, in the archive too; others are left out."""
    found: dict[str, tuple[int, bytes]] = {}
    # a stream leaves behind its block in one transaction: who does not see the one sees the other
    for ends in (Stream, Block):
        left = [name for name in stream_ids if name not in found]
        rows = ends.objects.filter(pk__in=left).values_list("pk", "length", "head") if left else ()
        found |= {name: (length, bytes(head)) for name, length, head in rows}
    return found


def newer_pages(last_known: Mapping[str, int]) -> Iterator[tuple[str, Page]]:
    """Yield (stream, page) for each page with a line later than the last known one, in one statement for all streams.

    The streams must not be in the archive, which is not read.
    """
    with connection.cursor() as cursor:
        cursor.execute(NEWER, [list(last_known), list(last_known.values())])
        for stream, first, last, body, head in cursor.fetchall():
            yield stream, Page(first, last, bytes(body), bytes(head))


def raise_fence(stream_id: str) -> int:
    """Take the stream over: return a new fence, under which every earlier writer is refused."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO replays_stream (id, length, head, fence) VALUES (%s, 0, %s, 1)"
            " ON CONFLICT (id) DO UPDATE SET fence = replays_stream.fence + 1 RETURNING fence",
            [stream_id, bytes(32)],
        )
        row = cursor.fetchone()
    return int(row[0])
