"""``manage.py league open|enter|start|show``: run a league from a shell."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.core.management.base import CommandParser

from bots.queries import newest_active
from common.shell import ArenaCommand, OneLineParser, Refusal, moment
from ftk_core.entries import Clock
from ftk_core.league.state import NotNow
from tournaments import queries, services
from tournaments.models import Tournament
from tournaments.terms import Terms


class Command(ArenaCommand):
    """Announces a league, enters bots and starts it; from then on it plays itself."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Take one of the four things to do."""
        doing = parser.add_subparsers(dest="do", required=True, parser_class=OneLineParser)
        opening = doing.add_parser("open", help="announce a league")
        opening.add_argument("slug")
        opening.add_argument("game")
        opening.add_argument("--name")
        opening.add_argument("--seats", type=int, required=True, help="bots at a table")
        opening.add_argument("--rounds", type=int, default=5)
        opening.add_argument("--games", type=int, default=1, help="matches of each table; the seats turn")
        opening.add_argument("--format", default="swiss")
        opening.add_argument("--move-ms", type=int, default=1000)
        opening.add_argument("--bank-ms", type=int, default=10_000)
        opening.add_argument("--pace-ms", type=int, default=0, help="the least time between choices, for spectators")
        opening.add_argument("--season", help="the year by default; in a new season everybody starts anew")
        opening.add_argument("--entries-until", type=moment, help="when it begins by itself: 2027-01-31T18:00, in UTC")
        opening.add_argument("--worth", choices=("places", "wins", "shared"))
        opening.add_argument("--options", default="", help="""the game's own, as JSON, e.g. '{"fake": true}'""")
        entering = doing.add_parser("enter", help="enter the newest active version of bots")
        entering.add_argument("slug")
        entering.add_argument("bots", nargs="+")
        for verb, text in (("start", "pair the first round"), ("show", "print the standings")):
            doing.add_parser(verb, help=text).add_argument("slug")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it; raises Refusal with the reason when it cannot be done."""
        try:
            getattr(self, f"_{options['do']}")(options)
        except Tournament.DoesNotExist:
            raise Refusal(f"there is no league {options['slug']!r}") from None
        except (NotNow, ObjectDoesNotExist) as error:  # no version of a bot is active
            raise Refusal(error) from error

    def _open(self, options: dict[str, Any]) -> None:
        slug, clock = options["slug"], Clock(options["move_ms"], options["bank_ms"])
        words = ("game", "seats", "rounds", "games", "format", "worth", "options", "pace_ms", "season", "entries_until")
        plain = {key: options[key] for key in words}
        league = services.open_league(
            Terms(slug=slug, name=slug if options["name"] is None else options["name"], clock=clock, **plain)
        )
        self.stdout.write(f"open: {league.name}; enter bots with `manage.py league enter {slug} BOT ...`")

    def _enter(self, options: dict[str, Any]) -> None:
        league = Tournament.objects.get(slug=options["slug"])
        for bot in options["bots"]:
            version = newest_active(bot)
            services.enter_bot(league.pk, version)
            self.stdout.write(f"entered: {version.label}")

    def _start(self, options: dict[str, Any]) -> None:
        services.start(Tournament.objects.get(slug=options["slug"]).pk)
        self._show(options)

    def _show(self, options: dict[str, Any]) -> None:
        page = queries.league(options["slug"])
        self.stdout.write(f"{page.name}: {page.status}, round {page.round} of {page.rounds}, season {page.season}")
        for row in page.standings:
            self.stdout.write(f"{row.place:>4}  {row.name:<30} {row.points:>8}")
