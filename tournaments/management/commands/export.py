"""``manage.py export LEAGUE``: write a finished league and all its matches into one tar, for `ftk verify`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ftk_core.league.state import NotNow
from tournaments.models import Tournament
from tournaments.services import export_league


class Command(BaseCommand):
    """Writes a league to a file that holds all that is needed to check it."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the league's short name and where to write."""
        parser.add_argument("slug")
        parser.add_argument("--to", type=Path, help="the file; <slug>.tar by default")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Write the tar; raises CommandError for a league that is not there or not over."""
        target: Path = options["to"] or Path(f"{options['slug']}.tar")
        try:
            size = export_league(options["slug"], target)
        except (NotNow, Tournament.DoesNotExist, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{target}: {size} bytes; check it with: ftk verify {target}")
