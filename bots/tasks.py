"""Background work on bots."""

from __future__ import annotations

from celery import shared_task

from bots import services
from bots.doorbell import ring


@shared_task(name="bots.try_out")
def try_out(version_id: int) -> None:
    """Play a version's trial match; delivered twice it does nothing the second time."""
    services.try_out(version_id)


@shared_task(name="bots.sweep")
def sweep() -> None:
    """Ring again for the trials nobody has played."""
    for version_id in services.waiting_trials():
        ring(try_out, version_id)
