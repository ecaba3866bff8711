"""What workers do for the matches, and the doorbell of the audits."""

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
"""How long a worker audits before it looks whether something else is waiting."""


def play_next(kind: str) -> bool:
    """Play the match of a kind whose turn it is; False where there is none, or others were quicker."""
    return any(runner.play_match(match_id) for match_id in leases.in_turn(kind, TRIES))


TRIES = 8
"""How many matches may be taken by others, or be put back, before a worker gives up looking for one."""


def audit_some() -> bool:
    """Audit for a while what these rules have not audited yet; False where the archive is away."""
    try:
        auditing.audit_for(AUDIT_SECONDS)
    except (StoreRefused, StoreUnreachable) as error:
        log.warning("audit_waits", reason=str(error))
        return False
    return True


@shared_task(name="replays.audit")
def audit() -> None:
    """Ring for the audit; it goes on until nothing is left."""
    ring("bots.work", AUDITS, queue=AUDITS)


@shared_task(name="replays.count")
def count() -> int:
    """Add to the sums of the seats what has been played; returns how many matches."""
    return run_bounded("sums", "all", sums.add_all, otherwise=0)


ARCHIVE_SECONDS = 2.0
"""How long a minute is spent on the archive: the process does what cannot wait, too."""


@shared_task(name="replays.archive")
def archive() -> None:
    """Put some closed matches into the archive that are as old as the settings say."""
    if settings.ARCHIVE_AFTER:
        archiving.archive_for(ARCHIVE_SECONDS, settings.ARCHIVE_AFTER)
