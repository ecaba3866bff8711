"""``manage.py failed``: list the background work that failed in all allowed attempts; with `--try-again`, retry it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from foundation.management_commands import ArenaCommand
from replays.background_work_retries import list_all_given_up, reset_attempts


class Command(ArenaCommand):
    """Lists failed background work, and retries it on request."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the option to retry all failed work."""
        parser.add_argument(
            "--try-again", action="store_true", help="have whatever failed tried again, five times each"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print all work that was given up. With `--try-again`, let all failed work start again."""
        for failure in list_all_given_up():
            self.stdout.write(failure)
        if options["try_again"]:
            self.stdout.write(f"{reset_attempts()} pieces of work are tried again.")
