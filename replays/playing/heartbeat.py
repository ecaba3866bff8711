"""Keeps a worker's lease alive by time, whatever the match is doing meanwhile."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Self

import structlog
from django.conf import settings
from django.db import DatabaseError, connection

from replays.playing.leases import Lease, LeaseLost, renew

STALLED_SECONDS = 300.0
"""A worker that has not looked up for so long is taken for stuck, and its match left to others."""
log = structlog.get_logger(__name__)


class Heartbeat:
    """Renews a lease from a thread of its own: starting, compiling, replaying, storing or a bot's drip delay it not."""

    def __init__(self, lease: Lease) -> None:
        self._lease = lease
        self._done = threading.Event()
        self._lost: LeaseLost | None = None
        self._looked = time.monotonic()
        self._thread = threading.Thread(target=self._beat, name=f"lease {lease.match_id}", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()

    def check(self) -> None:
        """Say that the match goes on; raises LeaseLost once it is another's."""
        self._looked = time.monotonic()
        if self._lost is not None:
            raise self._lost

    def _beat(self) -> None:
        while not self._done.wait(settings.LEASE_SECONDS / 3) and self._lost is None:
            if time.monotonic() - self._looked > STALLED_SECONDS:
                log.error("worker_stalled", match=self._lease.match_id)
                return
            self._renew()

    def _renew(self) -> None:
        try:
            renew(self._lease)
        except LeaseLost as error:
            self._lost = error
        except DatabaseError as error:  # it may be back before the lease is over
            log.warning("lease_not_renewed", match=self._lease.match_id, reason=str(error).strip())
        finally:
            connection.close()  # a hundred matches that wait in one worker need no hundred connections
