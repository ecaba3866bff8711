"""``manage.py organise ACT LEAGUE``: execute an organiser's action (act) on a league, such as a withdrawal."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandParser
from msgspec.structs import replace

from foundation.management_commands import ArenaCommand, InvalidCommandInputError, OneLineErrorArgumentParser
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_state import CommandRejected
from tournaments.leagues.league_event_appending import now
from tournaments.models import League
from tournaments.organisers.organiser_action_definition import OrganiserActionRequest
from tournaments.organisers.organiser_action_preview import OrganiserActionPreview, PreviewedChange, preview
from tournaments.organisers.organiser_actions import actions_by_verb


class Command(ArenaCommand):
    """Command that executes an organiser's action (act) on a league. With `--preview` it only prints the effects."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add one subcommand for each organiser's action."""
        # Only actions with a form on the organisers' page of a round are possible.
        doing = parser.add_subparsers(dest="do", required=True, parser_class=OneLineErrorArgumentParser)
        for act in actions_by_verb().values():
            if act.group is None:
                continue
            act_parser = doing.add_parser(act.verb, help=str(act.summary))
            act_parser.add_argument("league")
            for field in act.fields:
                act_parser.add_argument(field.shell_name, **field.shell_options)
            if act.needs_reason:
                act_parser.add_argument("--why", default="", help="stands in the league's stream")
            act_parser.add_argument("--preview", action="store_true", help="say what would change, and do nothing")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Execute the organiser's action; raises InvalidCommandInputError if it is impossible."""
        try:
            league = League.objects.get(slug=options["league"])
            self._do(league, options)
        except League.DoesNotExist:
            raise InvalidCommandInputError(f"there is no league {options['league']!r}") from None
        except CommandRejected as error:
            raise InvalidCommandInputError(error) from error

    def _do(self, league: League, options: dict[str, Any]) -> None:
        verb, actor = options["do"], LeagueActor(by=getpass.getuser(), at=now(), why=options.get("why", ""))
        if options.get("preview"):
            actor = replace(actor, why=actor.why or "a preview")
            self._show(preview(league, verb, options, actor))
            return
        actions_by_verb()[verb].perform(OrganiserActionRequest(league=league, arguments=options, actor=actor))
        self.stdout.write(f"done: {actions_by_verb()[verb].summary}")

    def _show(self, effect: OrganiserActionPreview) -> None:
        for described in effect.described:
            self.stdout.write(described.what)
        if effect.flaw:
            self.stdout.write(f"the drafted round could no longer begin: {effect.flaw}")
        for label, shifts in (("place", effect.places), ("table", effect.tables), ("rating", effect.ratings)):
            self._list(label, shifts)

    def _list(self, label: str, shifts: Sequence[PreviewedChange]) -> None:
        for shift in shifts:
            self.stdout.write(f"{label}: {shift.name}, {shift.before} -> {shift.after}")
        if not shifts:
            self.stdout.write(f"{label}: nobody's would change")
