"""``manage.py organise ACT LEAGUE``: what an organiser does to a league while it goes on, as a fact with its reason."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Sequence
from typing import Any

from django.core.management.base import CommandParser

from foundation.shell import ArenaCommand, OneLineParser, Refusal
from ftk_core.league import organising
from ftk_core.league.facts import Act
from ftk_core.league.organising import Hand
from ftk_core.league.state import LeagueState, NotNow
from tournaments import services
from tournaments.models import League
from tournaments.queries import find_table
from tournaments.rejudging import Preview, Shifted, preview
from tournaments.rounds import now

ENTRY = {"entry": {"type": int}}
PAIR = {"one": {"type": int, "metavar": "entry"}, "other": {"type": int, "metavar": "entry"}}
MATCH: dict[str, dict[str, Any]] = {"match": {}}
ROUNDS = {"rounds": {"type": int, "nargs": "+", "metavar": "round"}}
PLACES = {"places": {"type": int, "nargs": "+", "metavar": "place", "help": "by seat, from 1"}}
Deed = Callable[[LeagueState, dict[str, Any], Hand], Act]


def _on_entry(act: Callable[[LeagueState, int, Hand], Act]) -> Deed:
    return lambda state, o, hand: act(state, o["entry"], hand)


def _on_pair(act: Callable[[LeagueState, int, int, Hand], Act]) -> Deed:
    return lambda state, o, hand: act(state, o["one"], o["other"], hand)


DEEDS: dict[str, tuple[str, dict[str, dict[str, Any]], Deed]] = {
    "withdraw": ("an entry is not paired any more", ENTRY, _on_entry(organising.withdraw)),
    "return": ("an entry that withdrew is paired again", ENTRY, _on_entry(organising.bring_back)),
    "disqualify": (
        "an entry stands behind all others and is not paired any more",
        ENTRY,
        _on_entry(organising.disqualify),
    ),
    "excuse": (
        "an entry is absent from rounds to come",
        {**ENTRY, **ROUNDS},
        lambda state, o, hand: organising.excuse(state, o["entry"], o["rounds"], hand),
    ),
    "forbid": ("two entries are not to meet", PAIR, _on_pair(organising.forbid)),
    "exchange": ("two entries of the drafted round change places", PAIR, _on_pair(organising.exchange)),
    "pause": ("no round begins", {}, lambda state, _, hand: organising.pause(state, hand)),
    "resume": ("rounds begin again", {}, lambda state, _, hand: organising.resume(state, hand)),
    "extend": (
        "the stage that is played has so many rounds",
        {"rounds": {"type": int}},
        lambda state, o, hand: organising.extend(state, o["rounds"], hand),
    ),
    "overrule": (
        "a match counts with other places",
        {**MATCH, **PLACES},
        lambda state, o, hand: organising.overrule(state, o["key"], o["places"], hand),
    ),
    "void": (
        "a match counts for nobody",
        MATCH,
        lambda state, o, hand: organising.void(state, o["key"], o["match"], hand),
    ),
}
"""What can be done: what it is, what must be told, and the deed."""
DRAFTS = {
    "begin": ("begin the drafted round", services.begin_round),
    "redraft": ("draft the round again, with new luck", services.redraft_round),
}


class Command(ArenaCommand):
    """Does one thing to a league; with --preview it says what would change, and does nothing."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the league and what is to be done."""
        doing = parser.add_subparsers(dest="do", required=True, parser_class=OneLineParser)
        for verb, (what, told, _) in DEEDS.items():
            one = doing.add_parser(verb, help=what)
            one.add_argument("league")
            for name, how in told.items():
                one.add_argument(name, **how)
            one.add_argument("--why", default="", help="stands in the league's stream")
            one.add_argument("--preview", action="store_true", help="say what would change, and do nothing")
        for verb, (what, _) in DRAFTS.items():
            doing.add_parser(verb, help=what).add_argument("league")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it; raises Refusal with the reason when it cannot be done."""
        try:
            league = League.objects.get(slug=options["league"])
            self._do(league, options)
        except League.DoesNotExist:
            raise Refusal(f"there is no league {options['league']!r}") from None
        except NotNow as error:
            raise Refusal(error) from error

    def _do(self, league: League, options: dict[str, Any]) -> None:
        if options["do"] in DRAFTS:
            what, draft = DRAFTS[options["do"]]
            draft(league.pk)
        else:
            what, told, deed = DEEDS[options["do"]]
            if "match" in told:
                options["key"] = find_table(league.pk, options["match"])
            hand = Hand(by=getpass.getuser(), at=now(), why=options["why"])
            if options["preview"]:
                self._show(preview(league.pk, lambda state: deed(state, options, hand)))
                return
            services.act(league.pk, lambda state: deed(state, options, hand))
        self.stdout.write(f"done: {what}")

    def _show(self, seen: Preview) -> None:
        for what, shifts in (("place", seen.places), ("table", seen.tables), ("rating", seen.ratings)):
            self._list(what, shifts)

    def _list(self, what: str, shifts: Sequence[Shifted]) -> None:
        for one in shifts:
            self.stdout.write(f"{what}: {one.name}, {one.before} -> {one.after}")
        if not shifts:
            self.stdout.write(f"{what}: nobody's would change")
