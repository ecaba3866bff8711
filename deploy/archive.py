"""The part of the settings about what was played: where old logs are kept, and what is looked through when."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import environ
from celery.schedules import crontab

env = environ.Env()
AFTER = env.int("FTK_ARCHIVE_AFTER", default=0)
"""After how many days a closed match goes to the archive by itself; 0 is never."""
BEAT: dict[str, dict[str, Any]] = {
    "replays.audit": {"task": "replays.audit", "schedule": crontab(hour="3", minute="30")},
    "replays.archive": {"task": "replays.archive", "schedule": 60.0, "options": {"expires": 60.0}},
    "tournaments.prune": {"task": "tournaments.prune", "schedule": 60.0, "options": {"expires": 60.0}},
}
"""Every night all that these rules have not audited is; every minute a few old matches go to the archive, and the
ladders are pruned behind it."""


def url_of(var: Path) -> str:
    """Return where the archive is: a folder, or s3://bucket/prefix with AWS_* in the environment."""
    return str(env.str("FTK_ARCHIVE_URL", default="") or var / "archive")
