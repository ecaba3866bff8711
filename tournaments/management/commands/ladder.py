"""``manage.py ladder GAME [--rate N ... --why WHY]``: show or change the settings of a game's continuous ladder."""

from __future__ import annotations

import getpass
from argparse import ArgumentTypeError
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.core.management.base import CommandParser
from django.utils import timezone

from bots.queries import find_newest_active
from foundation import time_control_fields
from foundation.management_commands import ArenaCommand, InvalidCommandInputError
from ftk_core.games import UnknownGameError
from ftk_core.log_entries import TimeControl
from people.staff_audit_trail import InvalidStaffActionError, check_reason, make_shell_actor
from tournaments.continuous_ladder import services as continuous_services
from tournaments.continuous_ladder.continuous_ladder_settings import (
    ContinuousLadderSettings,
    ContinuousLadderSettingsError,
    make_default_ladder_settings,
)
from tournaments.continuous_ladder.queries import has_settings, read_continuous


def parse_sizes(text: str) -> tuple[int, ...]:
    """Return the numbers in a text such as ``2,4``; raises ArgumentTypeError for any other text."""
    numbers = text.split(",")
    if not all(number.isascii() and number.isdecimal() and len(number) < 5 for number in numbers):
        raise ArgumentTypeError(f"must be numbers between commas, like 2,4, not {text[:40]!r}")
    return tuple(int(number) for number in numbers)


def _read_settings(name: str, changes: Mapping[str, Any]) -> ContinuousLadderSettings:
    """Return a ladder's stored or default settings with these options applied. An option of None changes nothing."""
    settings = make_default_ladder_settings(name, changes["rate"] or 0)
    if has_settings(name):
        now = read_continuous(name)
        settings = replace(settings, rate=now.rate, sizes=tuple(now.sizes), options=now.options, clock=now.clock)
    clock = {part: value for part in time_control_fields.PARTS if (value := changes[part]) is not None}
    given = {field: value for field in ("rate", "sizes", "options") if (value := changes[field]) is not None}
    return replace(settings, **given, clock=TimeControl(**{**settings.clock.parts, **clock}))


class Command(ArenaCommand):
    """Command that shows the settings of a continuous ladder, changes them, or readmits an excluded bot."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the arguments of the command."""
        parser.add_argument("game")
        parser.add_argument("--rate", type=int, help="matches an hour; 0 switches it off")
        parser.add_argument("--sizes", type=parse_sizes, help="of its tables, taken in turn, e.g. 2,4")
        parser.add_argument("--options", help="""the game's own, as JSON, e.g. '{"fake": true}'""")
        time_control_fields.add_arguments(parser)
        parser.set_defaults(**dict.fromkeys(time_control_fields.PARTS))  # an option that is not given changes nothing
        parser.add_argument("--back", metavar="BOT", help="returns a benched bot to the ladder")
        parser.add_argument("--why", default="", help="kept with staff's acts")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Show the ladder or change its settings; raises InvalidCommandInputError for invalid input."""
        name = options["game"]
        try:
            if options["back"] is not None:
                self._put_back(options["back"])
            if any(options[part] is not None for part in ("rate", "sizes", "options", *time_control_fields.PARTS)):
                terms = _read_settings(name, options)
                staff = make_shell_actor(getpass.getuser(), check_reason(options["why"]))
                continuous_services.set_ladder(staff, name, terms, int(timezone.now().timestamp()))
            continuous = read_continuous(name)
        except (ContinuousLadderSettingsError, InvalidStaffActionError, UnknownGameError) as error:
            raise InvalidCommandInputError(error) from error
        self.stdout.write(f"{name}: {continuous.schedule}")

    def _put_back(self, slug: str) -> None:
        try:
            version = find_newest_active(slug)
        except ObjectDoesNotExist as error:
            raise InvalidCommandInputError(error) from error
        if not continuous_services.reinstate_version(version.pk, getpass.getuser(), int(timezone.now().timestamp())):
            raise InvalidCommandInputError(f"{slug} is not benched")
