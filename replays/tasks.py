"""What workers do for the matches, and the doorbell of the audits."""

from __future__ import annotations

from celery import shared_task

from foundation.doorbell import ring
from replays.playing import leases, runner
from replays.reports import audit as auditing

AUDITS = "audits"
AUDIT_SECONDS = 30
"""How long a worker audits before it looks whether something else is waiting."""


def play_next(kind: str) -> bool:
    """Play the match of a kind whose turn it is; False where there is none, or others were quicker."""
    return any(runner.play_match(match_id) for match_id in leases.in_turn(kind)[:TRIES])


TRIES = 8
"""How many matches may be taken by others, or be put back, before a worker gives up looking for one."""


def audit_some() -> bool:
    """Audit for a while what these rules have not audited yet."""
    auditing.audit_for(AUDIT_SECONDS)
    return True


@shared_task(name="replays.audit")
def audit() -> None:
    """Ring for the audit; it goes on until nothing is left."""
    ring("bots.work", AUDITS, queue=AUDITS)
