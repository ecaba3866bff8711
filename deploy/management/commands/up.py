"""``manage.py up``: run the whole arena on this machine."""

from __future__ import annotations

import os
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from deploy.up import CannotStart, Plan, Supervisor

SHOWS = 40
"""Matches at a pace to watch, behind the demo league: about an hour."""


class Command(BaseCommand):
    """Supervises the database, the workers, the sweepers' clock and the web server."""

    help = __doc__
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="of the web server on 127.0.0.1")
        parser.add_argument("--workers", type=int, default=2, help="matches played at the same time")
        parser.add_argument("--demo", action="store_true", help="play the demo league")
        parser.add_argument("--exit-after-demo", action="store_true", help="play the demo league and leave")
        parser.add_argument("--game", help="of the demo league")
        parser.add_argument("--rounds", type=int, help="of the demo league")

    def handle(self, *_args: Any, **options: Any) -> None:
        words = [f"--{name}={options[name]}" for name in ("game", "rounds") if options[name]]
        if not options["exit_after_demo"]:
            words.append(f"--shows={SHOWS}")
        plan = Plan(
            var=settings.VAR,
            database_url=os.environ.get("DATABASE_URL") or None,
            port=options["port"],
            workers=options["workers"],
            demo=words if options["demo"] or options["exit_after_demo"] else None,
            leave_after_demo=options["exit_after_demo"],
        )
        try:
            code = Supervisor(plan, self._say).run()
        except CannotStart as error:
            raise CommandError(str(error)) from error
        sys.exit(code)

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()
