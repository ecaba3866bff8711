"""Log writer of the referee: it appends new entries in pages and checks entries that the log already holds.

So playing a match, resuming it after a worker died, and rerunning it for an audit are the same loop of the referee.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from ftk_core.entries import Chose, Entry, read
from ftk_core.facts import encode
from ftk_core.log import Log, Page

PAGE_ENTRIES = 256
"""Maximum number of entries that wait to be written."""
PAGE_SECONDS = 0.1
"""Maximum time that an entry waits to be written, in seconds, while the match goes on."""


class Diverged(Exception):
    """Raised if a log differs from what follows from the rules, the seed and its choices."""

    def __init__(self, seq: int, found: bytes, expected: bytes) -> None:
        super().__init__(f"entry {seq} says {found.decode(errors='replace')} where {expected.decode()} follows")
        self.seq, self.found, self.expected = seq, found, expected


class Scribe:
    """Log writer of one match."""

    def __init__(
        self,
        log: Log,
        past: Iterable[bytes] = (),
        *,
        now: Callable[[], float] | None = None,
        durable: Callable[[Page], None] | None = None,
    ) -> None:
        self._log, self._now, self._durable = log, now, durable
        self._past = [line.rstrip(b"\n") for line in past]
        self._waiting: list[bytes] = []
        self._since = 0.0
        self._stored = len(self._past)
        self.seq = 0
        """Sequence number of the next entry."""

    @property
    def checking(self) -> bool:
        """True if the log already holds the next entry."""
        return self.seq < len(self._past)

    def remembered(self) -> Entry | None:
        """Return the next entry if the log already holds it; raise Diverged if it cannot be decoded."""
        if not self.checking:
            return None
        try:
            return read(self._past[self.seq])
        except msgspec.MsgspecError as error:
            raise Diverged(self.seq, self._past[self.seq], f"a well-formed entry ({error})".encode()) from error

    def remembered_choice(self, seat: int) -> Chose | None:
        """Return the seat's choice if the log already holds it; raise Diverged if it holds something else."""
        entry = self.remembered()
        if entry is None:
            return None
        if not isinstance(entry, Chose) or entry.seat != seat:
            raise Diverged(self.seq, self._past[self.seq], f"a choice of seat {seat}".encode())
        return entry

    def put(self, entry: Entry) -> None:
        """Write the next entry, or compare it with the log; raise Diverged if they differ."""
        line = encode(entry)
        if self.seq >= len(self._past):
            self._wait(line + b"\n")
        elif self._past[self.seq] != line:
            raise Diverged(self.seq, self._past[self.seq], line)
        self.seq += 1

    def _wait(self, line: bytes) -> None:
        if self._now is not None:
            if not self._waiting:
                self._since = self._now()
            elif self._now() - self._since >= PAGE_SECONDS:
                self.flush()
                self._since = self._now()
        self._waiting.append(line)
        if len(self._waiting) >= PAGE_ENTRIES:
            self.flush()

    def flush(self) -> None:
        """Make all waiting entries durable as one page; raise Conflict if another writer has appended."""
        if self._waiting:
            lines, self._waiting = self._waiting, []
            page = self._log.append(lines, self._stored)
            self._stored = page.last + 1
            if self._durable is not None:
                self._durable(page)

    def finished(self) -> None:
        """Make all entries durable; raise Diverged if the log continues after the last one."""
        if self.checking:
            raise Diverged(self.seq, self._past[self.seq], b"the end of the match")
        self.flush()
