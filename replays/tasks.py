"""Work of workers on matches, and the periodic tasks."""

from __future__ import annotations

import structlog
from celery import shared_task
from django.conf import settings

from foundation.doorbell import ring
from replays import archiving, sums
from replays.blocks.unread import StoreRefused, StoreUnreachable
from replays.failed_work import run_bounded
from replays.playing import leases, runner
from replays.reports import audit as auditing

log = structlog.get_logger(__name__)
AUDITS = "audits"
AUDIT_SECONDS = 30
"""Seconds a worker audits before it checks for other work."""


def play_next(kind: str) -> bool:
    """Play the next match of a kind; return False if there is none, or others were quicker."""
    return any(runner.play_match(match_id) for match_id in leases.in_turn(kind, TRIES))


TRIES = 8
"""Number of matches that may be taken by others, or put back, before a worker stops looking."""


def audit_some() -> bool:
    """Audit unaudited matches for a while; return False if the archive is away."""
    try:
        auditing.audit_for(AUDIT_SECONDS)
    except (StoreRefused, StoreUnreachable) as error:
        log.warning("audit_waits", reason=str(error))
        return False
    return True


@shared_task(name="replays.audit")
def audit() -> None:
    """Enqueue the audit; it repeats until nothing is left."""
    ring("bots.work", AUDITS, queue=AUDITS)


@shared_task(name="replays.count")
def count() -> int:
    """Add finished matches to the seat sums; return their number."""
    return run_bounded("sums", "all", sums.add_all, otherwise=0)


ARCHIVE_SECONDS = 2.0
"""Seconds per minute spent on the archive: the process also runs urgent tasks."""


@shared_task(name="replays.archive")
def archive() -> None:
    """Archive some closed matches that have the age of the settings."""
    if settings.ARCHIVE_AFTER:
        archiving.archive_for(ARCHIVE_SECONDS, settings.ARCHIVE_AFTER)
