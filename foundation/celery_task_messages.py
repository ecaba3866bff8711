"""Functions that enqueue Celery tasks and survive an unreachable broker."""
# No work is lost without a broker: periodic tasks enqueue it again later.

from __future__ import annotations

from typing import Any

import structlog
from amqp.exceptions import ChannelError
from celery import current_app
from celery.app.task import Task
from kombu.exceptions import OperationalError

from foundation import stuck_process_watchdog

log = structlog.get_logger(__name__)
MAX_ENQUEUED = 50
"""Maximum number of messages for one task that are enqueued at once."""
NO_SUCH_QUEUE = 404
"""Reply code of a broker for a queue that does not exist (AMQP 0-9-1, 1.2)."""


def enqueue_task(name: str, *args: object, queue: str | None = None) -> bool:
    """Enqueue a Celery task by name. If the broker is unreachable, log a warning and return False.

    Raises NotRegistered for an unknown name.
    """
    task: Task[Any, Any] = current_app.tasks[name]
    try:
        with stuck_process_watchdog.enqueue_deadline():
            task.apply_async(args, retry=False, queue=queue)
    except OperationalError as error:
        log.warning("broker_unreachable", task=name, reason=str(error))
        return False
    return True


def enqueue_missing(name: str, queue: str, waiting: int) -> int:
    """Enqueue a task until `queue` has `waiting` messages, one per waiting job. Return the number of new messages."""
    # One call adds at most `MAX_ENQUEUED` messages.
    if not waiting:
        return 0
    try:
        missing = min(waiting - count_messages(queue), MAX_ENQUEUED)
    except OperationalError as error:
        log.warning("broker_unreachable", task=name, reason=str(error))
        return 0
    for sent in range(missing):
        if not enqueue_task(name, queue, queue=queue):
            return sent  # each further attempt would wait for the broker, too
    return max(0, missing)


def count_messages(queue: str) -> int:
    """Return the number of messages that wait in a queue for a worker; raises OperationalError."""
    with stuck_process_watchdog.enqueue_deadline(), current_app.pool.acquire(block=True) as connection:
        try:
            connection.ensure_connection(max_retries=1, interval_start=0, timeout=2)
            with connection.channel() as channel:  # a separate channel: a broker closes the channel on which it refuses
                return int(channel.queue_declare(queue, passive=True).message_count)
        except ChannelError as error:  # AMQP raises the subclass `NotFound`; in Redis an empty queue does not exist
            if int(error.reply_code) != NO_SUCH_QUEUE:
                raise
            return 0
        except connection.connection_errors as error:
            connection.collect()  # the next caller connects anew
            raise OperationalError(str(error)) from error
