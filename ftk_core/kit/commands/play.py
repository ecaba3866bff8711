"""`ftk play` and `ftk gauntlet`: play matches between local bots, and print scores and ratings."""
# In a gauntlet, one bot meets several opponents one after the other.

from __future__ import annotations

from collections.abc import Iterable, Iterator
from gettext import gettext as _
from itertools import islice
from typing import Annotated

import typer
from rich.table import Table

from ftk_core.games import game
from ftk_core.kit.built_in_bots import list_opponents
from ftk_core.kit.i18n.locale import translate_line
from ftk_core.kit.match_series.local_match_options import (
    CPU_COUNT,
    Against,
    Jobs,
    Json,
    Log,
    Options,
    Resume,
    Seats,
    Seed,
    print_json,
    print_log_commands,
    report_wrong_input,
    with_clock_options,
)
from ftk_core.kit.match_series.local_matches import (
    MatchSeries,
    PlayedMatch,
    ScheduledMatch,
    check_series,
    create_series_match,
    names_of,
    play_all,
)
from ftk_core.kit.match_series.match_series_result_file import MatchSeriesResultStore, open_record
from ftk_core.kit.match_series.series_progress import PROGRESS_LINES, MatchSeriesProgressDisplay
from ftk_core.kit.match_series.series_reports import GauntletReport, MatchSeriesReport, gauntlet_report
from ftk_core.kit.match_series.series_statistics import BotStatistics, add_ratings, compute_statistics
from ftk_core.kit.terminal_output import err, out
from ftk_core.league.match_seating_and_random_seeds import rotate_seating
from ftk_core.league.statistics.stage_court_rating import NumpyMissingError
from ftk_core.log_entries import DEFAULT_CLOCK, TimeControl

playing = typer.Typer()


@playing.command()
@with_clock_options
def play(
    name: Annotated[str, typer.Argument(metavar="GAME", help="Name of a game; `ftk games` lists them.")],
    bots: Annotated[list[str], typer.Argument(help="One bot for each seat: the name of a built-in bot, or a path.")],
    games: Annotated[int, typer.Option(min=1, help="Number of matches; the seats rotate.")] = 1,
    duplicate: Annotated[
        bool, typer.Option("--duplicate", help="Play each deal once for each rotation of the seats.")
    ] = False,
    seed: Seed = "1",
    log: Log = None,
    resume: Resume = None,
    jobs: Jobs = CPU_COUNT,
    clock: TimeControl = DEFAULT_CLOCK,
    options: Options = "{}",
    json: Json = False,
) -> None:
    """Play matches between bots, and print their points and their court ratings with intervals."""
    series = MatchSeries(game=name, bots=tuple(bots), seed=seed, clock=clock, options=options)
    with report_wrong_input(resume):
        check_series(series, len(bots))
        _check_whole_deals(games, len(bots), duplicate=duplicate)
        fixtures = [create_series_match(series, number, duplicate=duplicate) for number in range(games)]
        with open_record("play", series, resume, log, duplicate=duplicate) as record:
            played = list(_play(series, fixtures, record, jobs))
    lines = _with_ratings(
        compute_statistics(names_of(bots), played, together=len(bots) if duplicate else 1), series, played
    )
    report = MatchSeriesReport(game=name, seed=seed, matches=len(played), duplicate=duplicate, bots=tuple(lines))
    if json:
        print_json(report)
    else:
        print_log_commands(log)
        _print_played(report)


def _check_whole_deals(games: int, seats: int, *, duplicate: bool) -> None:
    if duplicate and games % seats:
        raise ValueError(
            _(
                "--games {games} --duplicate: a deal takes {seats} matches, one for each turn of the seats;"
                " say --games {whole_deals}"
            ).format(games=games, seats=seats, whole_deals=games + -games % seats)
        )


def _play(
    series: MatchSeries, fixtures: list[ScheduledMatch], record: MatchSeriesResultStore, jobs: int
) -> Iterator[PlayedMatch]:
    """Yield the results of all matches of a series, and show the progress."""
    # Results that `record` has from an interrupted run come first; these matches are not played again.
    remembered, total = min(len(record.matches), len(fixtures)), len(fixtures)
    left = total - remembered
    with MatchSeriesProgressDisplay(err) as pace:
        pace.before(
            _("{total} matches, {remembered} of them already played; {left} at a time").format(
                total=total, remembered=remembered, left=min(jobs, max(1, left))
            )
        )
        fresh = pace.count(play_all(series, fixtures[remembered:], max(1, min(jobs, left))))
        every: Iterable[PlayedMatch] = islice(record.record_matches(fresh), total)
        for number, match in enumerate(every, 1):
            done = number - remembered
            if done > 0:
                print_off_terminal = done == 1 or done * PROGRESS_LINES // left > (done - 1) * PROGRESS_LINES // left
                pace.tell(
                    _("match {number} of {total}: {remaining}").format(
                        number=number, total=total, remaining=pace.describe_remaining_time(total - number)
                    ),
                    print_off_terminal=print_off_terminal,
                )
            yield match


def _with_ratings(lines: list[BotStatistics], series: MatchSeries, played: list[PlayedMatch]) -> list[BotStatistics]:
    try:
        return add_ratings(lines, names_of(series.bots), played)
    except NumpyMissingError as error:
        err.print(_("no ratings: {error}; pip install numpy scipy").format(error=error))
        return lines


def _print_played(report: MatchSeriesReport) -> None:
    title, many = game(report.game).title, report.matches
    duplicate, other = _("{title}, {many} duplicate matches, seed {seed}"), _("{title}, {many} matches, seed {seed}")
    said = (duplicate if report.duplicate else other).format(title=title, many=many, seed=report.seed)
    grid = _grid(said, _("bot"))
    for column in (_("points %"), _("rating"), _("place"), _("wins"), _("score"), _("faults")):
        grid.add_column(column, justify="right")
    for line in report.bots:
        grid.add_row(
            line.bot,
            _percent(line.points, line.points_error),
            _rating(line),
            f"{line.place:.2f}",
            str(line.wins),
            f"{line.score:.2f} ± {_error(line.score_error, '.2f')}",
            str(line.faults),
        )
    out.print(grid)
    out.print(
        _("points: mean share of opponents beaten (a tie counts half); places are means, too; ± is one standard error")
    )
    out.print(
        _("rating: the court rating of these matches alone, 1500 on average, about 95 % sure within the brackets")
    )


def _rating(line: BotStatistics) -> str:
    return "-" if line.rating is None else f"{line.rating} ({line.low} to {line.high})"


@playing.command()
@with_clock_options
def gauntlet(
    name: Annotated[str, typer.Argument(metavar="GAME", help="Name of a game; `ftk games` lists them.")],
    bot: Annotated[str, typer.Argument(help="Bot: the name of a built-in bot, or a path.")],
    against: Against = ["house"],  # noqa: B006  # typer copies it
    deals: Annotated[
        int,
        typer.Option("-n", "--deals", min=1, help="Deals against each opponent, each played from every seat."),
    ] = 10,
    seats: Seats = 0,
    seed: Seed = "1",
    log: Log = None,
    resume: Resume = None,
    jobs: Jobs = CPU_COUNT,
    clock: TimeControl = DEFAULT_CLOCK,
    options: Options = "{}",
    json: Json = False,
) -> None:
    """Play a bot against each opponent in turn, which takes all other seats, and print the results."""
    with report_wrong_input(resume):
        size = seats or game(name).seats.start
        field = list_opponents(name, against)
        series = MatchSeries(game=name, bots=(bot, *field), seed=seed, clock=clock, options=options)
        check_series(series, size)
        with open_record("gauntlet", series, resume, log, seats=size, deals=deals) as record:
            played = list(_play(series, list(_gauntlet_fixtures(len(field), deals, size)), record, jobs))
    report = gauntlet_report(series, played, size, deals)
    if json:
        print_json(report)
    else:
        print_log_commands(log)
        _print_gauntlet(report)


def _gauntlet_fixtures(field: int, deals: int, seats: int) -> Iterator[ScheduledMatch]:
    """Yield the matches of bot 0 of a series against each other bot in turn."""
    # Every opponent gets the same random seeds, and bot 0 plays each seed once in each seat.
    for opponent in range(1, field + 1):
        for deal in range(deals):
            for turn in range(seats):
                seating = rotate_seating((0, *[opponent] * (seats - 1)), turn)
                yield ScheduledMatch(seating, deal, f"{opponent}/{deal}/{turn}")


def _print_gauntlet(report: GauntletReport) -> None:
    title = game(report.game).title
    said = _("{bot} at {title}, {seats} seats, {deals} deals against each, seed {seed}").format(
        bot=report.bot, title=title, seats=report.seats, deals=report.deals, seed=report.seed
    )
    grid = _grid(said, _("against"))
    for column in (_("points %"), _("wins"), _("faults")):
        grid.add_column(column, justify="right")
    for meeting in report.meetings:
        shown = _percent(meeting.points, meeting.points_error)
        wins = _("{wins} of {games}").format(wins=meeting.wins, games=meeting.games)
        grid.add_row(meeting.opponent, shown, wins, str(meeting.faults))
    grid.add_row(translate_line("all"), _percent(report.points, report.points_error), "", str(report.faults))
    out.print(grid)
    out.print(_("points: share of opponents beaten, a tie counts half; ± is one standard error over deals"))


def _grid(title: str, first: str) -> Table:
    grid = Table(title=title, title_justify="left")
    grid.add_column(first)
    return grid


def _percent(share: float, error: float | None) -> str:
    return f"{100 * share:.1f} ± {_error(None if error is None else 100 * error, '.1f')}"


def _error(error: float | None, digits: str) -> str:
    return "-" if error is None else format(error, digits)
