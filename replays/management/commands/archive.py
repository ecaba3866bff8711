"""``manage.py archive --older-than 30d``: move the logs of ended matches from the database to the archive.

Matches that ended without a result stay in the database.
"""

from __future__ import annotations

import argparse
from datetime import timedelta
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from foundation.management_commands import ArenaCommand, InvalidCommandInputError, whole_number
from ftk_core.games import UnknownGameError, game
from replays.archive.archive_errors import ArchiveUnavailable
from replays.match_archiving import (
    ArchivingError,
    CompressionDictionaryTrainingError,
    archive_matches,
    make_dictionary,
    select_old,
)

_days = whole_number(0, 36_500)


def parse_days(text: str) -> timedelta:
    """Convert a number of days, such as ``30d`` or ``30``, into a timedelta; raises ArgumentTypeError."""
    try:
        return timedelta(days=_days(text.removesuffix("d")))
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"write so many days like 30d, 36500d at most, not {text[:40]!r}") from None


class Command(ArenaCommand):
    """Archives matches that ended with a result. If interrupted, run it again: it archives the rest."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add two options: ``--older-than`` archives matches, and ``--train`` makes a compression dictionary."""
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--older-than", type=parse_days, metavar="DAYS", help="closed so long ago, e.g. 30d")
        which.add_argument("--train", metavar="GAME", help="make a new dictionary from its latest matches instead")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Archive matches or make a dictionary, and print the result.

        Raises InvalidCommandInputError, or CommandError if a match was not archived.
        """
        try:
            if options["train"] is not None:
                made = make_dictionary(game(options["train"]).name)
                self.stdout.write(f"{made.game}: packed with {made.name} from now on")
            else:
                self._archive(options["older_than"])
        except (
            ArchiveUnavailable,
            ImproperlyConfigured,
            CompressionDictionaryTrainingError,
            UnknownGameError,
        ) as error:
            raise InvalidCommandInputError(error) from error

    def _archive(self, age: timedelta) -> None:
        count = size = entries = stay = 0
        for _, found in archive_matches(select_old(timezone.now() - age).iterator(chunk_size=50)):
            if isinstance(found, ArchivingError):
                stay += 1
                self.stderr.write(str(found))
            else:
                count, size, entries = count + 1, size + found.size, entries + found.length
        self.stdout.write(f"{count} matches archived, {entries} entries in {size} bytes; {stay} stay in the database")
        if stay:
            raise CommandError(f"{stay} matches stay in the database; why is said above")
