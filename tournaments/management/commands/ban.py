"""``manage.py ban author|bot NAME --why WHY``: ban an author or a bot; ``--lift`` ends the ban."""

from __future__ import annotations

import getpass
from typing import Any

from django.core.management.base import CommandParser

from foundation.management_commands import ArenaCommand, InvalidCommandInputError
from people.person_bans import BanChangeRefusedError
from people.staff_audit_trail import InvalidStaffActionError, check_reason, make_shell_actor
from tournaments.organisers import author_and_bot_bans

BAN_FUNCTIONS = {
    ("author", False): author_and_bot_bans.ban_author,
    ("author", True): author_and_bot_bans.lift_author,
    ("bot", False): author_and_bot_bans.ban_bot,
    ("bot", True): author_and_bot_bans.lift_bot,
}


class Command(ArenaCommand):
    """Command that bans an author or a bot.

    The banned bots are withdrawn from leagues, their open matches end, and their trial matches are refused.
    """

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the arguments of the command."""
        parser.add_argument("kind", choices=("author", "bot"))
        parser.add_argument("name")
        parser.add_argument("--why", required=True, help="the author is told, and it is kept with staff's acts")
        parser.add_argument("--lift", action="store_true", help="end the ban")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Ban, or lift a ban; raises InvalidCommandInputError if that is impossible."""
        try:
            staff = make_shell_actor(getpass.getuser(), check_reason(options["why"]))
            BAN_FUNCTIONS[options["kind"], options["lift"]](staff, options["name"])
        except (BanChangeRefusedError, InvalidStaffActionError) as error:
            raise InvalidCommandInputError(error) from error
        self.stdout.write(f"{options['name']} is {'no longer banned' if options['lift'] else 'banned'}.")
