"""``manage.py review MATCH``: request the review (computed analysis) of a match that has ended.

``--eyes`` says which knowledge the analysis uses: ``own`` (what each seat knew), ``all`` or ``public``. ``--again``
resumes a review that was given up.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from foundation.management_commands import ArenaCommand, InvalidCommandInputError
from ftk_core.plugins import MissingPluginError
from replays.match_access import InvalidViewpointError
from replays.models import Match
from replays.reviews.review_requests import ReviewRequestRefusedError, request_from_shell


class Command(ArenaCommand):
    """Requests a review without a quota. A worker computes it later."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the match, the knowledge that the review uses, and the option to resume a review."""
        parser.add_argument("match")
        parser.add_argument("--eyes", default="own", help="own: by what each seat knew; all; or public")
        parser.add_argument("--again", action="store_true", help="let one that was given up go on")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Request the review of a match and print its progress; raises InvalidCommandInputError with the reason."""
        name = options["match"]
        try:
            row = request_from_shell(name, options["eyes"], again=options["again"])
        except Match.DoesNotExist:
            raise InvalidCommandInputError(
                f"there is no match {name[:20]!r}; its id stands in the address of its page"
            ) from None
        except (ReviewRequestRefusedError, InvalidViewpointError, MissingPluginError) as error:
            raise InvalidCommandInputError(error) from error
        self.stdout.write(
            f"match {row.match_id}, eyes {row.eyes}: {row.status}, {row.done} of {row.total or '?'} steps"
        )
        if row.reason:
            self.stdout.write(f"{row.reason}; --again lets it go on")
