"""Settings of outgoing communication: webhooks, links in mail."""

from __future__ import annotations

import environ
from django.core.exceptions import ImproperlyConfigured

env = environ.Env()
WEBHOOK_PRIVATE = env.bool("FTK_WEBHOOK_PRIVATE", default=False)
"""If True, webhooks may address loopback and private networks, as where all authors belong there."""


def site() -> str:
    """Return the base URL of links in mail; raises ImproperlyConfigured if it is not a URL."""
    said = str(env.str("FTK_SITE", default="http://127.0.0.1:8000")).rstrip("/")
    if not said.startswith(("http://", "https://")) or " " in said:
        raise ImproperlyConfigured(f"FTK_SITE must be like https://arena.example, not {said[:60]!r}")
    return said


SITE = site()
"""Base URL of the site, for links in mail."""
BEAT = {
    "notices.sweep": {"task": "notices.sweep", "schedule": 2.0, "options": {"expires": 2.0}},
    "notices.forget": {"task": "notices.forget", "schedule": 3600.0},
}
"""Schedule in seconds: deliver pending events, and delete old ones."""
