"""Ring for a worker. A broker that cannot be reached loses nothing: the sweepers ring again."""

from __future__ import annotations

from typing import Any

import structlog
from celery.app.task import Task
from kombu.exceptions import OperationalError

log = structlog.get_logger(__name__)


def ring(task: Task[Any, Any], *args: object) -> None:
    """Send a task; a broker that does not answer is logged and left to the sweepers."""
    try:
        task.apply_async(args, retry=False)
    except OperationalError as error:
        log.warning("doorbell_silent", task=task.name, reason=str(error))
