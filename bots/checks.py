"""What `manage.py check --deploy` says of the cage."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage, register
from django.core.checks import Warning as Advice

from bots import cage_settings
from bots.cage.probe import probe
from bots.cage.spawn import TIERS


@register("cage", deploy=True)
def cage_holds(**_: Any) -> list[CheckMessage]:
    """Return a warning when no bot could be started on this machine, as this user, with these settings."""
    report = probe(cage_settings.read_cage())
    if report.held:
        return []
    hint = f"BOT_CAGE may be {', '.join(TIERS)}; see deploy/CAGE.md"
    return [Advice(f"the cage {report.tier} does not hold here: {report.reason}", hint=hint, id="bots.W001")]
