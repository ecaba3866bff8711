"""``manage.py up``: run the whole arena on this machine."""

from __future__ import annotations

import os
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from deploy.preload import load_modules, prepare_role
from deploy.supervisor.alone import HIGHEST_PORT, CannotStart
from deploy.supervisor.roles import Plan
from deploy.supervisor.up import Supervisor
from foundation.shell import ArenaCommand, Refusal, whole
from ftk_core.league.state import NotNow
from tournaments.bounds import ROUNDS
from tournaments.demo import nights

MOST_WORKERS, MOST_WEB = 256, 16
SHOWS = 40
"""Matches at spectators' pace after the demo league: about an hour."""

BOUTS = 40
"""Bouts an hour of each continuous ladder, so that a new bot is soon rated."""


class Command(ArenaCommand):
    """Supervisor of the database, the workers, the scheduler and the web server."""

    help = __doc__
    requires_system_checks = ()
    needs_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=whole(1, HIGHEST_PORT), default=8000, help="of the web server on 127.0.0.1")
        parser.add_argument("--workers", type=whole(1, MOST_WORKERS), default=2, help="matches played at the same time")
        parser.add_argument("--web", type=whole(1, MOST_WEB), default=1, help="web servers, which share the port")
        parser.add_argument("--demo", action="store_true", help="play the demo league")
        parser.add_argument("--exit-after-demo", action="store_true", help="play the demo league and leave")
        parser.add_argument("--game", help="of the demo league")
        parser.add_argument("--rounds", type=whole(1, ROUNDS[-1]), help="of the demo league")

    def handle(self, *_args: Any, **options: Any) -> None:
        words = [f"--{name}={options[name]}" for name in ("game", "rounds") if options[name] is not None]
        demo = options["demo"] or options["exit_after_demo"]
        if words and not demo:
            raise Refusal(f"{' and '.join(words)} would do nothing: that is said of the demo; add --demo")
        try:
            nights(options["game"], options["rounds"], None)
        except NotNow as error:
            raise Refusal(error) from error
        if not options["exit_after_demo"]:
            words += [f"--shows={SHOWS}", f"--ladder={BOUTS}"]
        plan = Plan(
            var=settings.VAR,
            database_url=os.environ.get("DATABASE_URL") or None,
            port=options["port"],
            workers=options["workers"],
            web=options["web"],
            demo=words if demo else None,
            metrics_port=settings.METRICS_PORT,
            leave_after_demo=options["exit_after_demo"],
        )
        try:
            code = Supervisor(plan, self._say, load_modules, prepare_role).run()
        except CannotStart as error:
            raise Refusal(error) from error
        sys.exit(code)

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()
