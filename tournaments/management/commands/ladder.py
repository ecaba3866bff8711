"""``manage.py ladder GAME [--rate N --why WHY]``: set how a game's continuous ladder goes on, or say how it does."""

from __future__ import annotations

import getpass
from argparse import ArgumentTypeError
from dataclasses import replace
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.core.management.base import CommandParser
from django.utils import timezone

from bots.queries import find_newest_active
from foundation.shell import ArenaCommand, Refusal
from ftk_core.games import UnknownGame
from people.acts_of_staff import NotStaff, at_the_shell, checked
from tournaments import continuous
from tournaments.bout_terms import BadTerms, usual
from tournaments.continuous_queries import read_continuous


def sizes(text: str) -> tuple[int, ...]:
    """Parse comma-separated numbers."""
    words = text.split(",")
    if not all(word.isascii() and word.isdecimal() and len(word) < 5 for word in words):
        raise ArgumentTypeError(f"must be numbers between commas, like 2,4, not {text[:40]!r}")
    return tuple(int(word) for word in words)


class Command(ArenaCommand):
    """Turns a continuous ladder on or off, or changes its settings."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the game and the settings of its ladder."""
        parser.add_argument("game")
        parser.add_argument("--rate", type=int, help="bouts an hour; 0 switches it off")
        parser.add_argument("--sizes", type=sizes, help="of its tables, taken in turn, e.g. 2,4")
        parser.add_argument("--options", default="", help="""the game's own, as JSON, e.g. '{"fake": true}'""")
        parser.add_argument("--move-ms", type=int, default=1000)
        parser.add_argument("--bank-ms", type=int, default=10_000)
        parser.add_argument("--back", metavar="BOT", help="lets a bot be called again that was benched")
        parser.add_argument("--why", default="", help="kept with staff's acts")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Execute the command; raises Refusal with the reason if it is impossible."""
        name = options["game"]
        try:
            if options["back"] is not None:
                self._put_back(options["back"])
            if options["rate"] is not None:
                said = {key: options[key] for key in ("options", "move_ms", "bank_ms")}
                terms = replace(usual(name, options["rate"]), **said)
                terms = replace(terms, sizes=options["sizes"] or terms.sizes)
                staff = at_the_shell(getpass.getuser(), checked(options["why"]))
                continuous.set_ladder(staff, name, terms, int(timezone.now().timestamp()))
            shown = read_continuous(name)
        except (BadTerms, NotStaff, UnknownGame) as error:
            raise Refusal(error) from error
        self.stdout.write(f"{name}: {shown.told}")

    def _put_back(self, slug: str) -> None:
        try:
            version = find_newest_active(slug)
        except ObjectDoesNotExist as error:
            raise Refusal(error) from error
        if not continuous.put_back(version.pk, getpass.getuser(), int(timezone.now().timestamp())):
            raise Refusal(f"{slug} is not benched")
