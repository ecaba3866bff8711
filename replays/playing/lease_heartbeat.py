"""A thread that renews a worker's leases on matches."""
# A separate thread, so that slow matches cannot let a lease expire.

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

from foundation import stuck_process_watchdog
from foundation.celery_worker_draining import WorkerDrainingError, is_handover_requested
from replays.playing.match_leases import MatchLease, MatchLeaseLost, renew_all

STALLED_SECONDS = 300.0
"""Seconds without progress after which a match counts as stuck, so that its lease is no longer renewed."""
log = structlog.get_logger(__name__)


class LeaseHeartbeat:
    """Context manager during which a thread renews a match's lease."""

    def __init__(self, lease: MatchLease) -> None:
        self.lease = lease
        self.lost = False
        self._looked = time.monotonic()

    def __enter__(self) -> Self:
        _HEARTBEAT_THREAD.take(self)
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        _HEARTBEAT_THREAD.drop(self)

    def check(self) -> None:
        """Record that the match makes progress.

        Raises MatchLeaseLost if another worker has the match, and WorkerDrainingError if this worker shuts down.
        """
        self._looked = time.monotonic()
        if is_handover_requested():
            raise WorkerDrainingError(f"match {self.lease.match_id} is left to others: this worker was asked to leave")
        if self.lost:
            raise MatchLeaseLost(f"match {self.lease.match_id} is no longer held by {self.lease.holder}")

    @property
    def stalled(self) -> bool:
        """True if the match has made no progress for `STALLED_SECONDS`."""
        return time.monotonic() - self._looked > STALLED_SECONDS


class _HeartbeatThread:
    """Thread that renews the leases of all matches of a process with one SQL statement."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._beats: list[LeaseHeartbeat] = []
        self._thread: threading.Thread | None = None
        self._done = threading.Event()

    def take(self, beat: LeaseHeartbeat) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = self._begin()
            self._beats.append(beat)

    def _begin(self) -> threading.Thread:
        """Start and return the thread. Raises RuntimeError if the system allows no more threads."""
        # The watchdog's deadline is set first, because starting a thread can block forever.
        stuck_process_watchdog.extend_deadline(stuck_process_watchdog.LEASES_DUTY)
        self._done = threading.Event()
        thread = threading.Thread(target=self._run, args=(self._done,), name="leases", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            stuck_process_watchdog.remove_deadline(stuck_process_watchdog.LEASES_DUTY)
            raise
        return thread

    def drop(self, beat: LeaseHeartbeat) -> None:
        """Stop renewing a match's lease; the thread ends when no match is left."""
        with self._lock:
            if beat in self._beats:
                self._beats.remove(beat)
            ending = self._thread if not self._beats else None
            if ending is not None:
                self._done.set()
                self._thread = None
                stuck_process_watchdog.remove_deadline(stuck_process_watchdog.LEASES_DUTY)
        if ending is not None:
            ending.join()

    def _run(self, done: threading.Event) -> None:
        while not done.wait(_pause_seconds()):
            with self._lock:
                for stuck in [beat for beat in self._beats if beat.stalled]:
                    log.error("worker_stalled", match=stuck.lease.match_id)
                    self._beats.remove(stuck)
                if self._beats:  # if all matches are stuck, the watchdog ends the process
                    stuck_process_watchdog.extend_deadline(stuck_process_watchdog.LEASES_DUTY)
                beats = [beat for beat in self._beats if not beat.lost]
            self._renew(beats)

    def _renew(self, beats: list[LeaseHeartbeat]) -> None:
        try:
            with closing(_own_connection()) as own:
                held = renew_all([beat.lease for beat in beats], own)
        except DatabaseError as error:  # the database may be back before the leases expire
            log.warning("leases_not_renewed", matches=len(beats), reason=str(error).strip())
            return
        for beat in beats:
            beat.lost = beat.lease.match_id not in held


def _pause_seconds() -> float:
    """Return the interval between two lease renewals in seconds."""
    # Each renewal also extends the deadline of the watchdog, so a quarter of WATCHDOG_SECONDS is a limit, too.
    lease, watchdog_seconds = settings.LEASE_SECONDS / 3, settings.WATCHDOG_SECONDS / 4
    return float(min(lease, watchdog_seconds) if watchdog_seconds else lease)


def _own_connection() -> BaseDatabaseWrapper:
    """Return a database connection outside the pool, because the threads that play may occupy the whole pool."""
    own = connection.copy()
    own.settings_dict = {**own.settings_dict, "OPTIONS": {**own.settings_dict["OPTIONS"], "pool": False}}
    return own


_HEARTBEAT_THREAD = _HeartbeatThread()
