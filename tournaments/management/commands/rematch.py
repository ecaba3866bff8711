"""``manage.py rematch MATCH``: play a void match of a league again with the same seats."""

from __future__ import annotations

import getpass
from typing import Any

from django.core.management.base import CommandParser

from foundation.management_commands import ArenaCommand, InvalidCommandInputError
from ftk_core.league.league_state import CommandRejected
from tournaments.leagues.void_match_resolution import replace_void
from tournaments.models import LeagueMatch


class Command(ArenaCommand):
    """Command that replaces a void match (without a result) by a rematch, so that its round can go on."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the arguments of the command."""
        parser.add_argument("match")
        parser.add_argument(
            "--why", default="", help="stands in the league's stream; without it, why the match is void"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Create the rematch; raises InvalidCommandInputError if the match is not void or not in a league."""
        try:
            self.stdout.write(f"ordered as match {replace_void(options['match'], getpass.getuser(), options['why'])}")
        except LeagueMatch.DoesNotExist:
            raise InvalidCommandInputError(
                f"no league has a match {options['match']!r} that could be played again"
            ) from None
        except CommandRejected as error:
            raise InvalidCommandInputError(error) from error
