"""``manage.py up``: run the whole site on this machine, with its database, workers and web server."""

from __future__ import annotations

import os
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from deploy.imports_before_fork import load_modules, prepare_role
from deploy.supervisor.arena_supervisor import ArenaSupervisor
from deploy.supervisor.data_folder_and_port_checks import HIGHEST_PORT, ArenaStartError
from deploy.supervisor.process_roles import ArenaStartOptions
from deploy.supervisor.temporary_database import check_may_create_database
from foundation.management_commands import ArenaCommand, InvalidCommandInputError, whole_number
from ftk_core.league.league_state import CommandRejected
from tournaments.demo_leagues import plan_leagues
from tournaments.league_limits import LEAGUE_ROUNDS

MOST_WORKERS, MOST_WEB = 256, 16
DEMO_MATCHES = 40
"""Number of matches that are played slowly for spectators after the demo league; they take about an hour."""

BOUTS = 40
"""Rated matches per hour on each game's continuous ladder after the demo, so that a new bot is soon rated."""


class Command(ArenaCommand):
    """Command that runs the database, the workers, the scheduler and the web server until it is interrupted."""

    help = __doc__
    requires_system_checks = ()
    needs_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--port", type=whole_number(1, HIGHEST_PORT), default=8000, help="of the web server on 127.0.0.1"
        )
        parser.add_argument(
            "--workers", type=whole_number(1, MOST_WORKERS), default=2, help="matches played at the same time"
        )
        parser.add_argument(
            "--web", type=whole_number(1, MOST_WEB), default=1, help="web servers, which share the port"
        )
        parser.add_argument("--demo", action="store_true", help="play the demo league")
        parser.add_argument("--exit-after-demo", action="store_true", help="play the demo league and leave")
        parser.add_argument("--game", help="of the demo league")
        parser.add_argument("--rounds", type=whole_number(1, LEAGUE_ROUNDS[-1]), help="of the demo league")

    def handle(self, *_args: Any, **options: Any) -> None:
        words = [f"--{name}={options[name]}" for name in ("game", "rounds") if options[name] is not None]
        demo = options["demo"] or options["exit_after_demo"]
        if not os.environ.get("DATABASE_URL"):
            check_may_create_database(settings.POSTGRES_FOLDER)
        if words and not demo:
            raise InvalidCommandInputError(
                f"{' and '.join(words)} would do nothing: that is said of the demo; add --demo"
            )
        try:
            plan_leagues(options["game"], options["rounds"], None)
        except CommandRejected as error:
            raise InvalidCommandInputError(error) from error
        if not options["exit_after_demo"]:
            words += [f"--shows={DEMO_MATCHES}", f"--ladder={BOUTS}"]
        plan = ArenaStartOptions(
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
            code = ArenaSupervisor(plan, self._say, load_modules, prepare_role).run()
        except ArenaStartError as error:
            raise InvalidCommandInputError(error) from error
        sys.exit(code)

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()
