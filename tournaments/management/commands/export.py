"""``manage.py export LEAGUE``: write a finished league and all its matches into one tar file, for `ftk verify`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from foundation.management_commands import ArenaCommand, InvalidCommandInputError
from ftk_core.league.league_state import CommandRejected
from tournaments.leagues.finished_league_export import export_league
from tournaments.models import League


class Command(ArenaCommand):
    """Command that writes a league to a file with everything that is needed to verify the league."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the arguments of the command."""
        parser.add_argument("slug")
        parser.add_argument("--to", type=Path, help="the file; <slug>.tar by default")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Write the tar file.

        Raises InvalidCommandInputError for a missing or unfinished league, or a file that is not writable.
        """
        target: Path = options["to"] or Path(f"{options['slug']}.tar")
        try:
            size = export_league(options["slug"], target)
        except League.DoesNotExist:
            raise InvalidCommandInputError(f"there is no league {options['slug']!r}") from None
        except CommandRejected as error:
            raise InvalidCommandInputError(error) from error
        except OSError as error:
            raise InvalidCommandInputError(f"{target} cannot be written: {error.strerror}") from error
        self.stdout.write(f"{target}: {size} bytes; check it with: ftk verify {target}")
