"""``manage.py ban author|bot NAME --why WHY``: ban an author or a bot, or with --lift let them play again."""

from __future__ import annotations

import getpass
from typing import Any

from django.core.management.base import CommandParser

from foundation.shell import ArenaCommand, Refusal
from people.acts_of_staff import NotStaff, at_the_shell, checked
from people.bans import CannotBan
from tournaments import banning

DEEDS = {
    ("author", False): banning.ban_author,
    ("author", True): banning.lift_author,
    ("bot", False): banning.ban_bot,
    ("bot", True): banning.lift_bot,
}


class Command(ArenaCommand):
    """Bans at once: entries withdraw, open matches end, trials are refused."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the kind, the name, the reason and the option to lift the ban."""
        parser.add_argument("kind", choices=("author", "bot"))
        parser.add_argument("name")
        parser.add_argument("--why", required=True, help="the author is told, and it is kept with staff's acts")
        parser.add_argument("--lift", action="store_true", help="end the ban")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Execute the command; raises Refusal with the reason if it is impossible."""
        try:
            staff = at_the_shell(getpass.getuser(), checked(options["why"]))
            DEEDS[options["kind"], options["lift"]](staff, options["name"])
        except (CannotBan, NotStaff) as error:
            raise Refusal(error) from error
        self.stdout.write(f"{options['name']} is {'no longer banned' if options['lift'] else 'banned'}.")
