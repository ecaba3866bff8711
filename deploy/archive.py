"""Settings of the archive of old logs, and the schedule of audits and archiving."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import environ
from celery.schedules import crontab

env = environ.Env()
AFTER = env.int("FTK_ARCHIVE_AFTER", default=0)
"""Days after which a closed match is archived automatically; 0 turns it off."""
BEAT: dict[str, dict[str, Any]] = {
    "replays.audit": {"task": "replays.audit", "schedule": crontab(hour="3", minute="30")},
    "replays.archive": {"task": "replays.archive", "schedule": 60.0, "options": {"expires": 60.0}},
    "tournaments.prune": {"task": "tournaments.prune", "schedule": 60.0, "options": {"expires": 60.0}},
}
"""Every night all that these rules have not audited is; every minute a few old matches go to the archive, and the
ladders are pruned behind it."""


def url_of(var: Path) -> str:
    """Return the location of the archive: a folder, or s3://bucket/prefix with AWS_* in the environment."""
    return str(env.str("FTK_ARCHIVE_URL", default="") or var / "archive")
