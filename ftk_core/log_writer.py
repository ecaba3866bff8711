"""Writer that appends new entries to a match's log and checks those already stored."""
# So the referee plays, resumes and audits a match with the same loop.

from __future__ import annotations

from collections.abc import Callable, Iterable
from gettext import gettext as _

import msgspec

from ftk_core.facts import encode
from ftk_core.hash_chained_log import HashChainedLog, LogPage
from ftk_core.log_entries import ChoiceMade, Entry, read

MAX_PAGE_ENTRIES = 256
"""Number of waiting entries that triggers writing all of them as one page."""
MAX_PAGE_DELAY_SECONDS = 0.1
"""Age of the oldest waiting entry at which a new entry triggers writing the waiting entries as one page."""


class LogDivergedError(Exception):
    """Raised if a log differs from what rules, seed and choices lead to."""

    def __init__(self, seq: int, actual: bytes, expected: bytes) -> None:
        super().__init__(f"entry {seq} says {actual.decode(errors='replace')} where {expected.decode()} follows")
        self.seq, self.found, self.expected = seq, actual, expected


class LogWriter:
    """Writer of one match's log, which collects entries and stores them in pages.

    It stores a page when `flush` is called, when `MAX_PAGE_ENTRIES` entries are waiting, or when a new entry arrives
    `MAX_PAGE_DELAY_SECONDS` after the oldest waiting one. `past` holds the lines already stored. `now` is a clock in
    seconds; without it, there is no maximum delay. `durable` is called after each stored page.
    """

    def __init__(
        self,
        log: HashChainedLog,
        past: Iterable[bytes] = (),
        *,
        now: Callable[[], float] | None = None,
        durable: Callable[[LogPage], None] | None = None,
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
        """True if the log already holds the next entry, so that `put` compares instead of writing."""
        return self.seq < len(self._past)

    def next_logged_entry(self) -> Entry | None:
        """Return the next entry of a log that is being resumed, or None if the log ends here.

        Raises LogDivergedError if the entry is malformed.
        """
        if not self.checking:
            return None
        try:
            return read(self._past[self.seq])
        except msgspec.MsgspecError as error:
            raise LogDivergedError(
                self.seq, self._past[self.seq], _("a well-formed entry ({error})").format(error=error).encode()
            ) from error

    def logged_choice_of(self, seat: int) -> ChoiceMade | None:
        """Return the player's choice if the log already holds the next entry, else None.

        Raises LogDivergedError if that entry is not a choice of this player.
        """
        entry = self.next_logged_entry()
        if entry is None:
            return None
        if not isinstance(entry, ChoiceMade) or entry.seat != seat:
            raise LogDivergedError(
                self.seq, self._past[self.seq], _("a choice of seat {seat}").format(seat=seat).encode()
            )
        return entry

    def put(self, entry: Entry) -> None:
        """Write an entry, or compare it with the stored one. Raises LogDivergedError if they differ."""
        line = encode(entry)
        if entry.seq != self.seq:
            raise LogDivergedError(self.seq, line, _("the number {seq}").format(seq=self.seq).encode())
        if self.seq >= len(self._past):
            self._wait(line + b"\n")
        elif self._past[self.seq] != line:
            raise LogDivergedError(self.seq, self._past[self.seq], line)
        self.seq += 1

    def _wait(self, line: bytes) -> None:
        if self._now is not None:
            if not self._waiting:
                self._since = self._now()
            elif self._now() - self._since >= MAX_PAGE_DELAY_SECONDS:
                self.flush()
                self._since = self._now()
        self._waiting.append(line)
        if len(self._waiting) >= MAX_PAGE_ENTRIES:
            self.flush()

    def flush(self) -> None:
        """Store all waiting entries as one page; raise LogWriteConflictError if another writer appended to the log."""
        if self._waiting:
            lines, self._waiting = self._waiting, []
            page = self._log.append(lines, self._stored)
            self._stored = page.last + 1
            if self._durable is not None:
                self._durable(page)

    def finished(self) -> None:
        """Store all waiting entries at the end of the match.

        Raises LogDivergedError if the stored log goes on after this end.
        """
        if self.checking:
            raise LogDivergedError(self.seq, self._past[self.seq], b"the end of the match")
        self.flush()
