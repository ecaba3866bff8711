"""``manage.py demo``: play the demo leagues with built-in bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from foundation.management_commands import ArenaCommand, InvalidCommandInputError, whole_number
from ftk_core.kit.terminal_output import fold_cells
from ftk_core.kit.verify.match_log_verification import InvalidLogError
from ftk_core.league.league_state import CommandRejected
from replays.services import verify_match
from tournaments import demo_leagues
from tournaments.continuous_ladder.continuous_ladder_settings import MAX_BOUTS_PER_HOUR
from tournaments.league_limits import LEAGUE_ROUNDS
from tournaments.leagues import queries
from tournaments.reports import league_page_queries


class Command(ArenaCommand):
    """Command that plays the demo leagues to their end, verifies every log and prints the standings."""

    help = __doc__
    needs_arena = True

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the arguments of the command."""
        parser.add_argument("--game", help="only this one; by default all that are on the bill")
        parser.add_argument("--rounds", type=whole_number(1, LEAGUE_ROUNDS[-1]), help="fewer or more than usual")
        parser.add_argument("--season", help="the season of its leagues; the year by default")
        parser.add_argument(
            "--shows", type=whole_number(0, 10_000), default=0, help="single matches at a pace to watch, afterwards"
        )
        parser.add_argument(
            "--ladder",
            type=whole_number(0, MAX_BOUTS_PER_HOUR),
            default=0,
            help="bouts an hour of the continuous ladders of its games",
        )
        parser.add_argument("--url", default="http://127.0.0.1:8000")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Play the demo leagues, verify them and print the standings.

        Raises CommandError for an invalid log, and InvalidCommandInputError for invalid options.
        """
        console = Console(highlight=False, soft_wrap=True)
        try:
            nights = demo_leagues.plan_leagues(options["game"], options["rounds"], options["season"])
        except CommandRejected as error:
            raise InvalidCommandInputError(error) from error
        _begin_ladders(console, nights, options)
        console.print("The built-in bots are uploaded and play their trial matches ...")
        matches: list[str] = []
        for demo_league in nights:
            matches += _play(console, demo_league, options["url"])
        sound_logs = _verify(console, matches)
        for match in matches[-3:]:
            console.print(f"replay: {options['url']}/matches/{match}/")
        console.print(f"{sound_logs} of {len(matches)} logs verified")
        if sound_logs != len(matches) or not matches:
            raise CommandError("a log is not what it claims; see above")
        if options["shows"]:
            console.print(f"The show goes on, at a pace to watch: {options['url']}/watch/")
        for number in range(options["shows"]):
            for _ in demo_leagues.follow_progress(
                demo_leagues.open_demo(demo_leagues.plan_show(number, options["season"])).slug
            ):
                pass


def _begin_ladders(console: Console, nights: Sequence[demo_leagues.DemoLeague], options: dict[str, Any]) -> None:
    if options["ladder"]:
        demo_leagues.begin_ladders([demo_league.game for demo_league in nights], options["ladder"])
        console.print(f"A bot that you send is rated without any league: {options['url']}/leaderboards/")


def _play(console: Console, demo_league: demo_leagues.DemoLeague, url: str) -> list[str]:
    """Play one league to its end, print its standings, and return its matches."""
    try:
        league = demo_leagues.open_demo(demo_league)
    except CommandRejected as error:
        raise InvalidCommandInputError(error) from error
    console.print(f"{league.name}: watch it at {url}/leagues/{league.slug}/")
    _follow(console, league.slug)
    _print_standings(console, league.slug)
    return queries.list_closed_matches(league.slug)


def _follow(console: Console, slug: str) -> None:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("matches", total=None)
        for ended, total in demo_leagues.follow_progress(slug):
            progress.update(task, completed=ended, total=total)


def _verify(console: Console, matches: list[str]) -> int:
    sound_logs = 0
    for match in matches:
        try:
            verify_match(match)
            sound_logs += 1
        except InvalidLogError as error:
            console.print(f"[red]{match}: {error}[/red]")
    return sound_logs


def _print_standings(console: Console, slug: str) -> None:
    page = league_page_queries.read_league(slug)
    standings_table = Table(title=f"{page.name}, after {page.round} rounds", title_justify="left")
    standings_table.add_column("", justify="right")
    standings_table.add_column("bot")
    for name in ("points", *(short for short, _ in page.standings.tiebreaks), "played"):
        standings_table.add_column(name, justify="right")
    for standing in league_page_queries.list_standings(slug):
        standings_table.add_row(
            str(standing.place), standing.name, standing.points, *standing.tiebreaks, str(standing.played)
        )
    fold_cells(standings_table, console.width)
    console.print(standings_table)
