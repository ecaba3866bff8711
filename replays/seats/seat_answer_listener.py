"""Listener that wakes a worker's threads when remote bots or people have answered."""
# One listener serves all threads.

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from channels.layers import get_channel_layer

from replays.seats.seat_question_mailbox import ANSWERS_GROUP

log = structlog.get_logger(__name__)
RETRY_SECONDS = 1.0
"""Pause in seconds after an error of the channel layer."""


class AnswerListener:
    """Listener that wakes the threads that wait for answers."""

    # Notifications can fail, so the threads also poll.

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[int, threading.Event] = {}
        self._thread: threading.Thread | None = None
        self._process = 0

    @contextmanager
    def expecting(self, seat_id: int) -> Iterator[threading.Event]:
        """Return a context manager that yields an event. It is set when an answer from the seat may have arrived."""
        woken = threading.Event()
        with self._lock:
            self._waiting[seat_id] = woken
            if self._thread is None or self._process != os.getpid():  # threads are not inherited over a fork
                self._process = os.getpid()
                self._thread = threading.Thread(target=self._run, name="answers", daemon=True)
                self._thread.start()
        try:
            yield woken
        finally:
            with self._lock:
                if self._waiting.get(seat_id) is woken:
                    del self._waiting[seat_id]

    def _run(self) -> None:
        asyncio.run(self._listen())

    async def _listen(self) -> None:
        """Wake the waiting threads at each notification of an answer."""
        # Returns only if there is no channel layer.
        while (layer := get_channel_layer()) is not None:
            channel = await layer.new_channel()
            try:
                await layer.group_add(ANSWERS_GROUP, channel)
                while True:
                    self._wake((await layer.receive(channel)).get("seats"))
            except Exception as error:  # noqa: BLE001 - any error of the layer: the threads poll meanwhile
                log.warning("answers_not_heard", reason=str(error))
            await asyncio.sleep(RETRY_SECONDS)

    def _wake(self, seat_ids: list[int] | None) -> None:
        """Wake the threads that wait for the given seats, or all waiting threads if `seat_ids` is None."""
        with self._lock:
            for seat_id in list(self._waiting) if seat_ids is None else seat_ids:
                if seat_id in self._waiting:
                    self._waiting[seat_id].set()


WAKE_UPS = AnswerListener()
