"""Settings of webhooks and of links in mails."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured

from deploy.environment import env

WEBHOOK_PRIVATE = env.bool("FTK_WEBHOOK_PRIVATE", default=False)
"""If True, webhooks may send to loopback and private addresses, for an arena inside a private network."""


def read_site() -> str:
    """Return the site's base URL from FTK_SITE; raises ImproperlyConfigured if it is not a URL."""
    said = str(env.str("FTK_SITE", default="http://127.0.0.1:8000")).rstrip("/")
    if not said.startswith(("http://", "https://")) or " " in said:
        raise ImproperlyConfigured(f"FTK_SITE must be like https://arena.example, not {said[:60]!r}")
    return said


SITE = read_site()
"""Base URL of the site, for links in mail."""
BEAT_ENTRIES = {
    "notices.sweep": {"task": "notices.sweep", "schedule": 2.0, "options": {"expires": 2.0}},
    "notices.forget": {"task": "notices.forget", "schedule": 3600.0},
}
"""Celery beat entries. Every two seconds process new events into notices and webhook deliveries, and enqueue what is
due to be sent. Every hour delete old deliveries and notices."""
