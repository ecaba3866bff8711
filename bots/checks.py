"""System checks of the sandbox and its settings, for `manage.py check`."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.checks import Warning as Advice

from bots import cage_settings
from bots.cage.probe import probe
from bots.cage.spawn import TIERS

GRIDS = range(2, 17)
"""Allowed values of BOT_ANSWER_GRID; a larger factor would delay matches too much."""


@register("cage", deploy=True)
def cage_holds(**_: Any) -> list[CheckMessage]:
    """Return a warning if bots cannot be started on this machine, as this user, with these settings."""
    report = probe(cage_settings.read_cage())
    if report.held:
        return []
    hint = f"BOT_CAGE may be {', '.join(TIERS)}; see deploy/CAGE.md"
    return [Advice(f"the cage {report.tier} does not hold here: {report.reason}", hint=hint, id="bots.W001")]


@register("cage")
def grid_is_a_factor(**_: Any) -> list[CheckMessage]:
    """Return an error for an invalid BOT_ANSWER_GRID."""
    if settings.BOT_ANSWER_GRID == 0 or settings.BOT_ANSWER_GRID in GRIDS:
        return []
    wrong = f"BOT_ANSWER_GRID must be 0 (off) or between {GRIDS[0]} and {GRIDS[-1]} (got {settings.BOT_ANSWER_GRID})"
    return [Error(wrong, hint="see deploy/README.md", id="bots.E001")]
