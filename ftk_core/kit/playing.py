"""`ftk play` and `ftk gauntlet`: local matches between bots, with scores and ratings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from gettext import gettext as _
from itertools import islice
from typing import Annotated

import typer
from rich.table import Table

from ftk_core.entries import Clock
from ftk_core.games import game
from ftk_core.kit.arena import Fixture, PlayedMatch, Series, check_series, fixture_of, names_of, play_all, turned
from ftk_core.kit.door import err, out
from ftk_core.kit.house import field_of
from ftk_core.kit.pace import TOLD, Pace
from ftk_core.kit.record import Record, keep
from ftk_core.kit.reports import GauntletReport, PlayReport, meeting_of
from ftk_core.kit.scores import Line, line_of, rated, table
from ftk_core.kit.series_options import (
    CPUS,
    Against,
    BankMs,
    Jobs,
    Json,
    Log,
    MoveMs,
    Options,
    Resume,
    Seats,
    Seed,
    print_json,
    say_written,
    wrong_input_told,
)
from ftk_core.kit.tongue import headed
from ftk_core.league.own_court import NoNumbers

playing = typer.Typer()


@playing.command()
def play(
    name: Annotated[str, typer.Argument(metavar="GAME", help="A game of `ftk games`.")],
    bots: Annotated[list[str], typer.Argument(help="One bot a seat: a house bot's name or a path.")],
    games: Annotated[int, typer.Option(min=1, help="How many matches; the seats rotate.")] = 1,
    duplicate: Annotated[
        bool, typer.Option("--duplicate", help="Play each deal once for each turn of the seats.")
    ] = False,
    seed: Seed = "1",
    log: Log = None,
    resume: Resume = None,
    jobs: Jobs = CPUS,
    move_ms: MoveMs = 1000,
    bank_ms: BankMs = 10_000,
    options: Options = "{}",
    json: Json = False,
) -> None:
    """Let bots play each other and print how they did: points, and the court rating with its interval."""
    series = Series(game=name, bots=tuple(bots), seed=seed, clock=Clock(move_ms, bank_ms), options=options)
    with wrong_input_told(resume):
        check_series(series, len(bots))
        _check_whole_deals(games, len(bots), duplicate=duplicate)
        fixtures = [fixture_of(series, number, duplicate=duplicate) for number in range(games)]
        with keep("play", series, resume, log, duplicate=duplicate) as record:
            played = list(_played(series, fixtures, record, jobs))
    lines = _with_ratings(table(names_of(bots), played, together=len(bots) if duplicate else 1), series, played)
    report = PlayReport(game=name, seed=seed, matches=len(played), duplicate=duplicate, bots=tuple(lines))
    if json:
        print_json(report)
    else:
        say_written(log)
        _print_played(report)


def _check_whole_deals(games: int, seats: int, *, duplicate: bool) -> None:
    if duplicate and games % seats:
        raise ValueError(
            f"--games {games} --duplicate: a deal takes {seats} matches, one for each turn of the seats; "
            f"say --games {games + -games % seats}"
        )


def _played(series: Series, fixtures: list[Fixture], record: Record, jobs: int) -> Iterator[PlayedMatch]:
    """Yield all matches of a series, from the record or newly played, and show the progress."""
    remembered, wanted = min(len(record.matches), len(fixtures)), len(fixtures)
    left = wanted - remembered
    with Pace(err) as pace:
        pace.before(f"{wanted} matches, {remembered} of them played before; {min(jobs, max(1, left))} side by side")
        fresh = pace.count(play_all(series, fixtures[remembered:], max(1, min(jobs, left))))
        every: Iterable[PlayedMatch] = islice(record.keeping(fresh), wanted)
        for number, match in enumerate(every, 1):
            done = number - remembered
            if done > 0:
                aloud = done == 1 or done * TOLD // left > (done - 1) * TOLD // left
                pace.tell(f"match {number} of {wanted}: {pace.costs(wanted - number)}", aloud=aloud)
            yield match


def _with_ratings(lines: list[Line], series: Series, played: list[PlayedMatch]) -> list[Line]:
    try:
        return rated(lines, names_of(series.bots), played)
    except NoNumbers as error:
        err.print(f"no ratings: {error}; pip install numpy scipy", markup=False)
        return lines


def _print_played(report: PlayReport) -> None:
    title, many = game(report.game).title, report.matches
    said = f"{title}, {many} duplicate matches, seed {report.seed}"
    grid = _grid(said if report.duplicate else f"{title}, {many} matches, seed {report.seed}", "bot")
    for column in ("points %", "rating", "place", "wins", "score", "faults"):
        grid.add_column(column, justify="right")
    for line in report.bots:
        grid.add_row(
            line.bot,
            _percent(line.points, line.points_error),
            _rating(line),
            f"{line.place:.2f}",
            str(line.wins),
            f"{line.score:.2f} ± {line.score_error:.2f}",
            str(line.faults),
        )
    out.print(grid)
    out.print("points: share of opponents beaten, a tie counts half, on average as are places; ± is one standard error")
    out.print("rating: the court rating of these matches alone, 1500 on average, about 95 % sure within the brackets")


def _rating(line: Line) -> str:
    return "-" if line.rating is None else f"{line.rating} ({line.low} to {line.high})"


@playing.command()
def gauntlet(
    name: Annotated[str, typer.Argument(metavar="GAME", help="A game of `ftk games`.")],
    bot: Annotated[str, typer.Argument(help="The bot: a house bot's name or a path.")],
    against: Against = ["house"],  # noqa: B006  # typer copies it
    deals: Annotated[
        int, typer.Option("-n", "--deals", min=1, help="Deals against each, played from every seat.")
    ] = 10,
    seats: Seats = 0,
    seed: Seed = "1",
    log: Log = None,
    resume: Resume = None,
    jobs: Jobs = CPUS,
    move_ms: MoveMs = 1000,
    bank_ms: BankMs = 10_000,
    options: Options = "{}",
    json: Json = False,
) -> None:
    """Let a bot play against each of a field in turn, which holds all other seats, and print how it did."""
    with wrong_input_told(resume):
        size = seats or game(name).seats.start
        field = field_of(name, against)
        series = Series(game=name, bots=(bot, *field), seed=seed, clock=Clock(move_ms, bank_ms), options=options)
        check_series(series, size)
        with keep("gauntlet", series, resume, log, seats=size, deals=deals) as record:
            played = list(_played(series, list(_run_of(len(field), deals, size)), record, jobs))
    report = _report_of(series, played, size, deals)
    if json:
        print_json(report)
    else:
        say_written(log)
        _print_gauntlet(report)


def _run_of(field: int, deals: int, seats: int) -> Iterator[Fixture]:
    """Yield the matches of a gauntlet: the same deals against each opponent in turn, with the bot in every seat."""
    for opponent in range(1, field + 1):
        for deal in range(deals):
            for turn in range(seats):
                seating = turned((0, *(opponent for _ in range(seats - 1))), turn)
                yield Fixture(seating, deal, f"{opponent}/{deal}/{turn}")


def _report_of(series: Series, played: list[PlayedMatch], seats: int, deals: int) -> GauntletReport:
    names, each, whole = names_of(series.bots), deals * seats, line_of("", 0, played, seats)
    return GauntletReport(
        game=series.game,
        seed=series.seed,
        bot=names[0],
        seats=seats,
        deals=deals,
        points=whole.points,
        points_error=whole.points_error,
        faults=whole.faults,
        meetings=tuple(
            meeting_of(opponent, played[place * each : (place + 1) * each], seats)
            for place, opponent in enumerate(names[1:])
        ),
    )


def _print_gauntlet(report: GauntletReport) -> None:
    title = game(report.game).title
    said = f"{report.bot} at {title}, {report.seats} seats, {report.deals} deals against each, seed {report.seed}"
    grid = _grid(said, "against")
    for column in ("points %", "wins", "faults"):
        grid.add_column(column, justify="right")
    for meeting in report.meetings:
        shown = _percent(meeting.points, meeting.points_error)
        wins = _("{wins} of {games}").format(wins=meeting.wins, games=meeting.games)
        grid.add_row(meeting.opponent, shown, wins, str(meeting.faults))
    grid.add_row(headed("all"), _percent(report.points, report.points_error), "", str(report.faults))
    out.print(grid)
    out.print("points: share of opponents beaten, a tie counts half; ± is one standard error over deals")


def _grid(title: str, first: str) -> Table:
    grid = Table(title=title, title_justify="left")
    grid.add_column(first)
    return grid


def _percent(share: float, error: float) -> str:
    return f"{100 * share:.1f} ± {100 * error:.1f}"
