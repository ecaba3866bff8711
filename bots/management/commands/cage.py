"""``manage.py cage``: try every way to contain a bot on this machine, and say which of them hold."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.core.management.base import CommandError, CommandParser

from bots import cage_settings
from bots.cage.probe import probe
from bots.cage.spawn import TIERS
from foundation.shell import ArenaCommand


class Command(ArenaCommand):
    """Run the probe bot in each sandbox backend; fails unless the configured one holds."""

    help = __doc__
    requires_system_checks = ()
    needs_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Add `--best`."""
        parser.add_argument("--best", action="store_true", help="print the first tier that holds, and nothing else")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Run the probes and print the results; raises CommandError if none, or not the configured one, holds."""
        reports, cage = [], cage_settings.read_cage()
        for name in TIERS:
            reports.append(probe(replace(cage, tier=name)))
            if options["best"] and reports[-1].held:
                self.stdout.write(name)
                return
            if not options["best"]:
                self.stdout.write(f"{name:<11} {'holds' if reports[-1].held else 'does not: ' + reports[-1].reason}")
        held = {report.tier for report in reports if report.held}
        if cage.tier not in held:
            reasons = "; ".join(f"{report.tier}: {report.reason}" for report in reports if not report.held)
            raise CommandError(f"BOT_CAGE={cage.tier} does not hold here ({reasons})")
