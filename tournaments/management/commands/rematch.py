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
    """Replaces a void match, for which a round waits."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the match's id."""
        parser.add_argument("match")
        parser.add_argument(
            "--why", default="", help="stands in the league's stream; without it, why the match is void"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Order the match again; raises Refusal if it is not void or not in a league."""
        try:
            self.stdout.write(f"ordered as match {replace_void(options['match'], getpass.getuser(), options['why'])}")
        except TableMatch.DoesNotExist:
            raise Refusal(f"no league has a match {options['match']!r} that could be played again") from None
        except NotNow as error:
            raise Refusal(error) from error
