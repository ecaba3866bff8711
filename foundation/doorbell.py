"""Task messages for workers. If the broker is unreachable nothing is lost: the sweepers enqueue again."""

from __future__ import annotations

from typing import Any

import structlog
from amqp.exceptions import ChannelError
from celery import current_app
from celery.app.task import Task
from kombu.exceptions import OperationalError

from foundation import watchdog

log = structlog.get_logger(__name__)
MOST = 50
"""Maximum number of messages of one kind that are enqueued at once."""
ABSENT = 404
"""Reply code of a broker for a queue that does not exist (AMQP 0-9-1, 1.2)."""


def ring(name: str, *args: object, queue: str | None = None) -> None:
    """Enqueue the task of that name. If the broker does not answer, log it and leave the work to the sweepers.

    The caller need not know the module of the task. Raises NotRegistered at once for an unknown name.
    """
    task: Task[Any, Any] = current_app.tasks[name]
    try:
        with watchdog.ringing():
            task.apply_async(args, retry=False, queue=queue)
    except OperationalError as error:
        log.warning("doorbell_silent", task=name, reason=str(error))


def top_up(name: str, queue: str, things: int) -> int:
    """Enqueue until a queue has one message for each thing that waits for a worker; return the number enqueued."""
    if not things:
        return 0
    try:
        missing = min(things - bells(queue), MOST)
    except OperationalError as error:
        log.warning("doorbell_silent", task=name, reason=str(error))
        return 0
    for _ in range(missing):
        ring(name, queue, queue=queue)
    return max(0, missing)


def bells(queue: str) -> int:
    """Return the number of messages in a queue that no worker has taken; raises OperationalError."""
    with watchdog.ringing(), current_app.pool.acquire(block=True) as connection:
        try:
            connection.ensure_connection(max_retries=1, interval_start=0, timeout=2)
            with connection.channel() as channel:  # a separate channel: a broker closes the channel on which it refuses
                return int(channel.queue_declare(queue, passive=True).message_count)
        except ChannelError as error:  # over AMQP a subclass, `NotFound`; over Redis an empty queue does not exist
            if int(error.reply_code) != ABSENT:
                raise
            return 0
        except connection.connection_errors as error:
            connection.collect()  # the next caller connects anew
            raise OperationalError(str(error)) from error
