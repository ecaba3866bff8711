"""The doorbells of the matches; the database says what is to be done."""

from __future__ import annotations

from celery import shared_task

from bots.doorbell import ring
from replays import audit as auditing
from replays import leases, runner

AUDIT_SECONDS = 30
"""As long a worker audits before it looks whether a match is waiting."""


@shared_task(name="replays.run_match")
def run_match(match_id: str) -> bool:
    """Play a match if it is free; delivered twice, late or in parallel, it is still played once."""
    return runner.play_match(match_id)


@shared_task(name="replays.sweep")
def sweep() -> int:
    """Ring again for every match that nobody holds; returns how many."""
    waiting = leases.abandoned()
    for match_id in waiting:
        ring(run_match, match_id)
    return len(waiting)


@shared_task(name="replays.audit")
def audit() -> int:
    """Audit for a while what these rules have not audited yet, and ring for the rest; returns how many are left."""
    left = auditing.audit_for(AUDIT_SECONDS)
    if left:
        ring(audit)
    return left
