"""Heartbeat of a worker's leases, independent of its matches."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from types import TracebackType
from typing import Self

import structlog
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper

from foundation import watchdog
from foundation.draining import Draining, is_asked_to_leave
from replays.playing.leases import Lease, LeaseLost, renew_all

STALLED_SECONDS = 300.0
"""A match without any sign of progress for this long counts as stuck; its lease is left to expire."""
log = structlog.get_logger(__name__)


class Heartbeat:
    """Renews the lease of a match from a thread of its own, so that slow work elsewhere cannot let it expire."""

    def __init__(self, lease: Lease) -> None:
        self.lease = lease
        self.lost = False
        self._looked = time.monotonic()

    def __enter__(self) -> Self:
        _PULSE.take(self)
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        _PULSE.drop(self)

    def check(self) -> None:
        """Record progress; raises LeaseLost if the match is another's, Draining if it must be given up."""
        self._looked = time.monotonic()
        if is_asked_to_leave():
            raise Draining(f"match {self.lease.match_id} is left to others: this worker was asked to leave")
        if self.lost:
            raise LeaseLost(f"match {self.lease.match_id} is no longer held by {self.lease.holder}")

    @property
    def stalled(self) -> bool:
        """True if the match has made no progress for too long."""
        return time.monotonic() - self._looked > STALLED_SECONDS


class _Pulse:
    """Thread for all heartbeats of a process: one statement renews a hundred matches."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._beats: list[Heartbeat] = []
        self._thread: threading.Thread | None = None
        self._done = threading.Event()

    def take(self, beat: Heartbeat) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = self._begin()
            self._beats.append(beat)

    def _begin(self) -> threading.Thread:
        """Start and return the thread; raises RuntimeError if the machine has no more threads, or blocks forever."""
        watchdog.touch(watchdog.LEASES)
        self._done = threading.Event()
        thread = threading.Thread(target=self._run, args=(self._done,), name="leases", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            watchdog.release(watchdog.LEASES)
            raise
        return thread

    def drop(self, beat: Heartbeat) -> None:
        """Stop renewing a lease; the thread ends with the last one."""
        with self._lock:
            if beat in self._beats:
                self._beats.remove(beat)
            ending = self._thread if not self._beats else None
            if ending is not None:
                self._done.set()
                self._thread = None
                watchdog.release(watchdog.LEASES)
        if ending is not None:
            ending.join()

    def _run(self, done: threading.Event) -> None:
        while not done.wait(_pause_seconds()):
            with self._lock:
                for stuck in [beat for beat in self._beats if beat.stalled]:
                    log.error("worker_stalled", match=stuck.lease.match_id)
                    self._beats.remove(stuck)
                if self._beats:  # the removed ones are stuck; a process in which all are stuck is ended
                    watchdog.touch(watchdog.LEASES)
                beats = [beat for beat in self._beats if not beat.lost]
            self._renew(beats)

    def _renew(self, beats: list[Heartbeat]) -> None:
        try:
            with closing(_own_connection()) as own:
                held = renew_all([beat.lease for beat in beats], own)
        except DatabaseError as error:  # it may be back before the leases expire
            log.warning("leases_not_renewed", matches=len(beats), reason=str(error).strip())
            return
        for beat in beats:
            beat.lost = beat.lease.match_id not in held


def _pause_seconds() -> float:
    """Return the interval of renewals: several fit into a lease, and into the watchdog's time."""
    lease, watchdog_seconds = settings.LEASE_SECONDS / 3, settings.WATCHDOG_SECONDS / 4
    return float(min(lease, watchdog_seconds) if watchdog_seconds else lease)


def _own_connection() -> BaseDatabaseWrapper:
    """Return a connection outside the pool, for which the players may all be waiting."""
    own = connection.copy()
    own.settings_dict = {**own.settings_dict, "OPTIONS": {**own.settings_dict["OPTIONS"], "pool": False}}
    return own


_PULSE = _Pulse()
