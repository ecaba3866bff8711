"""``manage.py export LEAGUE``: write a finished league and all its matches into one tar, for `ftk verify`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from foundation.shell import ArenaCommand, Refusal
from ftk_core.league.state import NotNow
from tournaments.models import League
from tournaments.services import export_league


class Command(ArenaCommand):
    """Writes a league to a file with everything needed to verify it."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the league's slug and the target file."""
        parser.add_argument("slug")
        parser.add_argument("--to", type=Path, help="the file; <slug>.tar by default")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Write the tar; raises Refusal for a league that does not exist or is not over."""
        target: Path = options["to"] or Path(f"{options['slug']}.tar")
        try:
            size = export_league(options["slug"], target)
        except League.DoesNotExist:
            raise Refusal(f"there is no league {options['slug']!r}") from None
        except NotNow as error:
            raise Refusal(error) from error
        except OSError as error:
            raise Refusal(f"{target} cannot be written: {error.strerror}") from error
        self.stdout.write(f"{target}: {size} bytes; check it with: ftk verify {target}")
