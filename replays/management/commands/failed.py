"""``manage.py failed``: list the background work that was left aside after its last attempt, or have it tried again."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from foundation.shell import ArenaCommand
from replays.failed_work import list_all_left, try_again


class Command(ArenaCommand):
    """Lists failed work for the arena's operator."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the option to retry."""
        parser.add_argument(
            "--try-again", action="store_true", help="have whatever failed tried again, five times each"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the given-up work, each item with the party at fault."""
        for failure in list_all_left():
            self.stdout.write(failure)
        if options["try_again"]:
            self.stdout.write(f"{try_again()} pieces of work are tried again.")
