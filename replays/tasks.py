"""Jobs of workers on matches, and periodic Celery tasks."""

from __future__ import annotations

import structlog
from celery import shared_task
from django.conf import settings

from foundation.celery_task_messages import enqueue_task
from replays import match_archiving, private_bot_diagnostics, result_totals_by_seat
from replays.archive.archive_errors import ArchiveStoreRefusedError, ArchiveStoreUnavailable
from replays.background_work_retries import run_with_retries
from replays.playing import match_leases, match_runner, unplayable_match_timeout
from replays.reports import match_audits as auditing

log = structlog.get_logger(__name__)
AUDITS = "audits"
AUDIT_SECONDS = 30
"""Seconds for which a worker audits matches before it looks for other jobs."""


def play_next(kind: str) -> bool:
    """Play waiting matches of a queue until one ends with a result. Return True if one did."""
    return any(match_runner.play_match(match_id) for match_id in match_leases.list_in_fair_order(kind, MAX_ATTEMPTS))


MAX_ATTEMPTS = 8
"""Number of matches that a worker tries to play before it stops looking."""


def run_audit_job() -> bool:
    """Audit ended matches for about `AUDIT_SECONDS`. Return False if the archive cannot be reached."""
    try:
        auditing.audit_for(AUDIT_SECONDS)
    except (ArchiveStoreRefusedError, ArchiveStoreUnavailable) as error:
        log.warning("audit_waits", reason=str(error))
        return False
    return True


@shared_task(name="replays.audit")
def audit() -> None:
    """Enqueue an audit job. Workers enqueue further audit jobs until all matches are audited."""
    enqueue_task("bots.work", AUDITS, queue=AUDITS)


@shared_task(name="replays.count")
def count() -> int:
    """Add public matches to the sums of results by seat, and return their number."""
    return run_with_retries("sums", "all", result_totals_by_seat.add_all, otherwise=0)


@shared_task(name="replays.end_unsupported")
def end_unsupported() -> int:
    """End matches that waited too long, because no worker supports a bot's language or has the game's code.

    Return the number of ended matches.
    """
    return unplayable_match_timeout.end_unsupported_matches() + unplayable_match_timeout.end_matches_of_other_builds()


@shared_task(name="replays.erase_late_texts")
def erase_late_texts() -> None:
    """Delete what bots wrote for authors whose accounts were erased before it was stored."""
    private_bot_diagnostics.erase_late_texts()


ARCHIVE_SECONDS = 2.0
"""Maximum seconds per run for archiving, because the same process also runs urgent tasks."""


@shared_task(name="replays.archive")
def archive() -> None:
    """Archive matches that ended more than ARCHIVE_AFTER days ago. If the setting is 0, do nothing."""
    if settings.ARCHIVE_AFTER:
        match_archiving.archive_for(ARCHIVE_SECONDS, settings.ARCHIVE_AFTER)
