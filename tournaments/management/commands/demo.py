"""``manage.py demo``: play the demo league with the bots of the house."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from foundation.shell import ArenaCommand, Refusal, whole
from ftk_core.kit.verify import Unsound
from ftk_core.league.state import NotNow
from replays.services import verify_match
from tournaments import demo, league_queries, queries
from tournaments.bounds import ROUNDS
from tournaments.bout_terms import FASTEST


class Command(ArenaCommand):
    """Plays the demo leagues to their end, verifies every log, prints the standings."""

    help = __doc__
    needs_arena = True

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the game, the rounds and the viewer's URL."""
        parser.add_argument("--game", help="only this one; by default all that are on the bill")
        parser.add_argument("--rounds", type=whole(1, ROUNDS[-1]), help="fewer or more than usual")
        parser.add_argument("--season", help="the season of its leagues; the year by default")
        parser.add_argument(
            "--shows", type=whole(0, 10_000), default=0, help="single matches at a pace to watch, afterwards"
        )
        parser.add_argument(
            "--ladder", type=whole(0, FASTEST), default=0, help="bouts an hour of the continuous ladders of its games"
        )
        parser.add_argument("--url", default="http://127.0.0.1:8000")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Play, verify, print; raises CommandError when a log is not sound."""
        console = Console(highlight=False, soft_wrap=True)
        try:
            nights = demo.nights(options["game"], options["rounds"], options["season"])
        except NotNow as error:
            raise Refusal(error) from error
        _begin_ladders(console, nights, options)
        console.print("The bots of the house are uploaded and play their trial matches ...")
        matches: list[str] = []
        for night in nights:
            matches += _play(console, night, options["url"])
        sound = _verify(console, matches)
        for match in matches[-3:]:
            console.print(f"replay: {options['url']}/matches/{match}/")
        console.print(f"{sound} of {len(matches)} logs verified")
        if sound != len(matches) or not matches:
            raise CommandError("a log is not what it claims; see above")
        if options["shows"]:
            console.print(f"The show goes on, at a pace to watch: {options['url']}/watch/")
        for number in range(options["shows"]):
            for _ in demo.follow(demo.open_demo(demo.show(number, options["season"])).slug):
                pass


def _begin_ladders(console: Console, nights: Sequence[demo.Night], options: dict[str, Any]) -> None:
    if options["ladder"]:
        demo.begin_ladders([night.game for night in nights], options["ladder"])
        console.print(f"A bot that you send is rated without any league: {options['url']}/leaderboards/")


def _play(console: Console, night: demo.Night, url: str) -> list[str]:
    """Play one league to its end, print its standings, and return its matches."""
    try:
        league = demo.open_demo(night)
    except NotNow as error:
        raise Refusal(error) from error
    console.print(f"{league.name}: watch it at {url}/leagues/{league.slug}/")
    _follow(console, league.slug)
    _print_standings(console, league.slug)
    return queries.list_closed_matches(league.slug)


def _follow(console: Console, slug: str) -> None:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("matches", total=None)
        for done, total in demo.follow(slug):
            progress.update(task, completed=done, total=total)


def _verify(console: Console, matches: list[str]) -> int:
    sound = 0
    for match in matches:
        try:
            verify_match(match)
            sound += 1
        except Unsound as error:
            console.print(f"[red]{match}: {error}[/red]")
    return sound


def _print_standings(console: Console, slug: str) -> None:
    page = league_queries.read_league(slug)
    grid = Table(title=f"{page.name}, after {page.round} rounds", title_justify="left")
    grid.add_column("", justify="right")
    grid.add_column("bot")
    for name in ("points", *(short for short, _ in page.standings.tiebreaks), "played"):
        grid.add_column(name, justify="right")
    for row in league_queries.list_standings(slug):
        grid.add_row(str(row.place), row.name, row.points, *row.tiebreaks, str(row.played))
    console.print(grid)
