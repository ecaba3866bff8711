"""``manage.py rematch MATCH``: order a void match of a league again, with the same deal and seats."""

from __future__ import annotations

import getpass
from typing import Any

from django.core.management.base import CommandParser

from foundation.shell import ArenaCommand, Refusal
from ftk_core.league.state import NotNow
from tournaments.models import TableMatch
from tournaments.voids import replace_void


class Command(ArenaCommand):
    """Lets a round go on that waits for a match which was given up."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the match's id."""
        parser.add_argument("match")
        parser.add_argument(
            "--why", default="", help="stands in the league's stream; without it, why the match is void"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Order the match again; raises Refusal when it is not void or not of a league."""
        try:
            self.stdout.write(f"ordered as match {replace_void(options['match'], getpass.getuser(), options['why'])}")
        except TableMatch.DoesNotExist:
            raise Refusal(f"no league has a match {options['match']!r} that could be played again") from None
        except NotNow as error:
            raise Refusal(error) from error
