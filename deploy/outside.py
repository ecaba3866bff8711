"""The part of the settings that says how the arena speaks to the outside: webhooks, links in mail."""

from __future__ import annotations

import environ
from django.core.exceptions import ImproperlyConfigured

env = environ.Env()
WEBHOOK_PRIVATE = env.bool("FTK_WEBHOOK_PRIVATE", default=False)
"""Whether webhooks may go to loopback and inner networks, as where everybody who signs up belongs there."""


def site() -> str:
    """Return what links in mail begin with; raises ImproperlyConfigured for what no link can begin with."""
    said = str(env.str("FTK_SITE", default="http://127.0.0.1:8000")).rstrip("/")
    if not said.startswith(("http://", "https://")) or " " in said:
        raise ImproperlyConfigured(f"FTK_SITE must be like https://arena.example, not {said[:60]!r}")
    return said


SITE = site()
"""Where browsers find us, for links in mail."""
BEAT = {
    "notices.sweep": {"task": "notices.sweep", "schedule": 2.0, "options": {"expires": 2.0}},
    "notices.forget": {"task": "notices.forget", "schedule": 3600.0},
}
"""What is looked for how often, in seconds: happenings to tell; and what is too old to keep."""
