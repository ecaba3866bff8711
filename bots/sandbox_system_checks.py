"""System checks of the sandbox and its settings, for `manage.py check`."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning as Advice, register

from bots import sandbox_settings
from bots.sandbox.sandbox_self_test import probe_sandbox
from bots.sandbox.sandboxed_bot_start import BACKENDS

ALLOWED_GRIDS = range(2, 17)
"""Allowed values of the setting BOT_ANSWER_GRID, besides 0 (off).

The setting is the factor of a geometric series. Answer times of bots are rounded up to the next term of that series. A
larger factor would delay matches too much."""


@register("cage", deploy=True)
def check_sandbox(**_: Any) -> list[CheckMessage]:
    """Return a warning if the sandbox cannot start a bot on this machine."""
    report = probe_sandbox(sandbox_settings.read_sandbox())
    if report.passed:
        return []
    hint = f"BOT_CAGE may be {', '.join(BACKENDS)}; see deploy/SANDBOX.md"
    return [
        Advice(f"the sandbox {report.backend} fails its self-test here: {report.reason}", hint=hint, id="bots.W001")
    ]


@register("cage")
def check_answer_grid(**_: Any) -> list[CheckMessage]:
    """Return an error if BOT_ANSWER_GRID, the setting for the rounding of answer times, is out of range."""
    if settings.BOT_ANSWER_GRID == 0 or settings.BOT_ANSWER_GRID in ALLOWED_GRIDS:
        return []
    limits = f"between {ALLOWED_GRIDS[0]} and {ALLOWED_GRIDS[-1]}"
    message = f"BOT_ANSWER_GRID must be 0 (off) or {limits} (got {settings.BOT_ANSWER_GRID})"
    return [Error(message, hint="see deploy/README.md", id="bots.E001")]
