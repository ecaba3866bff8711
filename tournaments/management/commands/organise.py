"""``manage.py organise ACT LEAGUE``: what an organiser does to a league while it goes on, as a fact with its reason."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandParser
from msgspec.structs import replace

from foundation.shell import ArenaCommand, OneLineParser, Refusal
from ftk_core.league.organising import Hand
from ftk_core.league.state import NotNow
from tournaments.models import League
from tournaments.rejudging import Preview, Shifted, preview
from tournaments.rounds import now
from tournaments.verbs import COMPOUND, DEEDS, DRAFTS, decide, perform


class Command(ArenaCommand):
    """Executes an act on a league; with --preview it only prints the effect."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add a subcommand for each act."""
        doing = parser.add_subparsers(dest="do", required=True, parser_class=OneLineParser)
        for verb, (what, told, _) in DEEDS.items():
            one = doing.add_parser(verb, help=what)
            one.add_argument("league")
            for name, how in told.items():
                one.add_argument(name, **how)
            one.add_argument("--why", default="", help="stands in the league's stream")
            one.add_argument("--preview", action="store_true", help="say what would change, and do nothing")
        for verb, (what, told, _) in COMPOUND.items():
            again = doing.add_parser(verb, help=what)
            again.add_argument("league")
            for name, how in told.items():
                again.add_argument(name, **how)
            again.add_argument("--why", default="", help="stands in the league's stream")
        for verb, (what, _) in DRAFTS.items():
            doing.add_parser(verb, help=what).add_argument("league")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Execute the act; raises Refusal with the reason if it is impossible."""
        try:
            league = League.objects.get(slug=options["league"])
            self._do(league, options)
        except League.DoesNotExist:
            raise Refusal(f"there is no league {options['league']!r}") from None
        except NotNow as error:
            raise Refusal(error) from error

    def _do(self, league: League, options: dict[str, Any]) -> None:
        verb, hand = options["do"], Hand(by=getpass.getuser(), at=now(), why=options.get("why", ""))
        if options.get("preview"):
            hand = replace(hand, why=hand.why or "a preview")
            self._show(preview(league.pk, decide(league, verb, options, hand)))
            return
        perform(league, verb, options, hand)
        self.stdout.write(f"done: {next(known[verb][0] for known in (DEEDS, COMPOUND, DRAFTS) if verb in known)}")

    def _show(self, seen: Preview) -> None:
        for what, shifts in (("place", seen.places), ("table", seen.tables), ("rating", seen.ratings)):
            self._list(what, shifts)

    def _list(self, what: str, shifts: Sequence[Shifted]) -> None:
        for one in shifts:
            self.stdout.write(f"{what}: {one.name}, {one.before} -> {one.after}")
        if not shifts:
            self.stdout.write(f"{what}: nobody's would change")
