"""Settings of the archive for old match logs, and the schedule of periodic tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from celery.schedules import crontab

from deploy.environment import env

ARCHIVE_AFTER_DAYS = env.int("FTK_ARCHIVE_AFTER", default=0)
"""Days from the end of a match until it is moved to the archive automatically; 0 means never."""
BEAT_ENTRIES: dict[str, dict[str, Any]] = {
    "replays.audit": {"task": "replays.audit", "schedule": crontab(hour="3", minute="30")},
    "replays.archive": {"task": "replays.archive", "schedule": 60.0, "options": {"expires": 60.0}},
    "replays.end_unsupported": {"task": "replays.end_unsupported", "schedule": 60.0, "options": {"expires": 60.0}},
    "replays.erase_late_texts": {"task": "replays.erase_late_texts", "schedule": 3600.0},
    "tournaments.prune": {"task": "tournaments.prune", "schedule": 60.0, "options": {"expires": 60.0}},
}
"""Celery beat entries. Every night audit the match logs that the current code has not audited, by replaying them.
Every minute move some old matches to the archive; end matches that have waited too long for a worker with their bots'
languages; and delete old rows of the database tables for ladders. Every hour delete texts for erased authors."""


def url_of(var: Path) -> str:
    """Return the location of the archive: a folder, or an S3 bucket as s3://bucket/prefix."""
    return str(env.str("FTK_ARCHIVE_URL", default="") or var / "archive")
