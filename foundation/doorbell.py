"""Ring for a worker. A broker that cannot be reached loses nothing: the sweepers ring again."""

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
"""No more bells of a kind are rung at once."""
ABSENT = 404
"""What a broker answers when it is asked for a queue that it does not have (AMQP 0-9-1, 1.2)."""


def ring(name: str, *args: object, queue: str | None = None) -> None:
    """Send the task of that name; a broker that does not answer is logged and left to the sweepers.

    Who rings need not know where the task is written. Raises NotRegistered for a name that no task has, at once.
    """
    task: Task[Any, Any] = current_app.tasks[name]
    try:
        with watchdog.ringing():
            task.apply_async(args, retry=False, queue=queue)
    except OperationalError as error:
        log.warning("doorbell_silent", task=name, reason=str(error))


def top_up(name: str, queue: str, things: int) -> int:
    """Ring until as many bells wait in a queue as things wait for a worker, and no more; return how many it took."""
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
    """Return how many messages wait in a queue that no worker has taken; raises OperationalError."""
    with watchdog.ringing(), current_app.pool.acquire(block=True) as connection:
        try:
            connection.ensure_connection(max_retries=1, interval_start=0, timeout=2)
            with connection.channel() as channel:  # one of its own: a broker closes that in which it says no
                return int(channel.queue_declare(queue, passive=True).message_count)
        except ChannelError as error:  # over AMQP its kin `NotFound`; over Redis a queue that is empty is not there
            if int(error.reply_code) != ABSENT:
                raise
            return 0
        except connection.connection_errors as error:
            connection.collect()  # who comes next connects anew
            raise OperationalError(str(error)) from error
