"""``manage.py quota NAME --why WHY``: set an author's individual quotas.

``[--uploads N] [--disk BYTES] [--trials N] [--challenges N] [--reviews N]``
"""

from __future__ import annotations

import getpass
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandParser

from bots.author_quotas import MAX_QUOTAS, InvalidQuotaError, set_quota
from foundation.management_commands import ArenaCommand, InvalidCommandInputError
from people.staff_audit_trail import InvalidStaffActionError, check_reason, make_shell_actor


class Command(ArenaCommand):
    """Sets all quotas of an author; a quota that is not given is reset to the default in the settings."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options for the author, the reason and the quotas."""
        parser.add_argument("name")
        parser.add_argument("--why", required=True, help="kept with staff's acts")
        parser.add_argument("--uploads", type=int, help="versions that may be sent within 24 hours")
        parser.add_argument("--disk", type=int, help="bytes that all versions may hold, unpacked")
        parser.add_argument("--trials", type=int, help="trials that may wait at the same time")
        parser.add_argument("--challenges", type=int, help="matches that may be asked for within 24 hours")
        parser.add_argument("--reviews", type=int, help="reviews that may be asked for within 24 hours")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Set the author's quotas and print them; raises InvalidCommandInputError with the reason."""
        person = User.objects.filter(username=options["name"]).first()
        if person is None:
            raise InvalidCommandInputError(f"nobody is called {options['name'][:60]!r}")
        try:
            staff = make_shell_actor(getpass.getuser(), check_reason(options["why"]))
            now = set_quota(staff, person, {name: options[name] for name in MAX_QUOTAS})
        except (InvalidQuotaError, InvalidStaffActionError) as error:
            raise InvalidCommandInputError(error) from error
        self.stdout.write(
            f"{person}: {now.uploads} uploads a day, {now.disk} bytes, {now.trials} trials that wait,"
            f" {now.challenges} matches of challenges and {now.reviews} reviews a day"
        )
