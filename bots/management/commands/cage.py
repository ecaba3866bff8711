"""``manage.py cage``: test each sandbox backend on this machine, and print which of them work."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.core.management.base import CommandError, CommandParser

from bots import sandbox_settings
from bots.sandbox.sandbox_self_test import probe_sandbox
from bots.sandbox.sandboxed_bot_start import BACKENDS
from foundation.management_commands import ArenaCommand


class Command(ArenaCommand):
    """Runs the self-test of each sandbox backend; fails if the configured backend does not pass."""

    help = __doc__
    requires_system_checks = ()
    needs_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the option to print only the first sandbox backend that works."""
        parser.add_argument(
            "--best", action="store_true", help="print the first sandbox backend that works, and nothing else"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Test each sandbox backend and print the result. Raises CommandError if the configured one fails."""
        reports, sandbox = [], sandbox_settings.read_sandbox()
        for name in BACKENDS:
            reports.append(probe_sandbox(replace(sandbox, backend=name)))
            if options["best"] and reports[-1].passed:
                self.stdout.write(name)
                return
            if not options["best"]:
                self.stdout.write(f"{name:<11} {'passed' if reports[-1].passed else 'failed: ' + reports[-1].reason}")
        held = {report.backend for report in reports if report.passed}
        if sandbox.backend not in held:
            reasons = "; ".join(f"{report.backend}: {report.reason}" for report in reports if not report.passed)
            raise CommandError(f"BOT_CAGE={sandbox.backend} fails its self-test here ({reasons})")
