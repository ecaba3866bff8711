"""``manage.py rematch MATCH``: order a void match of a league again, with the same deal and seats."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ftk_core.league.state import NotNow
from tournaments.models import Table
from tournaments.services import replace_void


class Command(BaseCommand):
    """Lets a round go on that waits for a match which was given up."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the match's id."""
        parser.add_argument("match")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Order the match again; raises CommandError when it is not void or not of a league."""
        try:
            self.stdout.write(f"ordered as match {replace_void(options['match']).pk}")
        except (NotNow, Table.DoesNotExist) as error:
            raise CommandError(str(error)) from error
