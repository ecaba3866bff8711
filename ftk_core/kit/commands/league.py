"""`ftk league`: simulate a league before it is announced, and print spreadsheets of an exported league."""

from __future__ import annotations

from gettext import gettext as _
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ftk_core.games import UnknownGameError, game
from ftk_core.i18n import N_
from ftk_core.kit.command_group import CommandGroup
from ftk_core.kit.terminal_output import EXIT_NEGATIVE, describe_os_error, fail, out
from ftk_core.kit.verify.league_event_stream_verification import VerifiedLeagueEventStream
from ftk_core.kit.verify.match_log_verification import InvalidLogError
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.formats import list_formats
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.publication.league_export import STREAM
from ftk_core.league.publication.spreadsheets import FILES, file_of
from ftk_core.league.statistics.stage_court_rating import NumpyMissingError
from ftk_core.match_state_from_log import check_options, read_options, smallest_table_size

if TYPE_CHECKING:
    from ftk_core.league.league_simulation import LeagueForecast

league = typer.Typer(cls=CommandGroup, no_args_is_help=True, help="Simulate, announce and print leagues.")


NUMPY_MISSING = N_("simulating a league needs more packages: pip install numpy scipy rustworkx ({error})")


@league.callback()
def leagues() -> None:
    """Simulate, announce and print leagues."""  # the callback keeps `simulate` a subcommand


Spread = Annotated[float, typer.Option(min=0, help="Standard deviation of the bots' strengths, in rating points.")]


@league.command()
def simulate(
    name: Annotated[str, typer.Argument(metavar="GAME", help="Name of a game; `ftk games` lists them.")],
    entries: Annotated[int, typer.Option(min=2, max=1000, help="Number of bots that enter.")] = 32,
    seats: Annotated[
        int, typer.Option(min=0, max=12, help="Seats at a full table; 0 for four, or the minimum of the game.")
    ] = 0,
    rounds: Annotated[int, typer.Option(min=0, max=100, help="Number of rounds; 0 if the format determines it.")] = 5,
    format: Annotated[str, typer.Option(help="Format: swiss, knockout and so on.")] = "swiss",  # noqa: A002  # what the option is called
    games: Annotated[int, typer.Option(min=1, max=12, help="Number of matches at each table; the seats rotate.")] = 1,
    options: Annotated[str, typer.Option(help="Options of the game as JSON.")] = "{}",
    seconds: Annotated[float, typer.Option(min=0, help="Duration of a match in seconds.")] = 60,
    workers: Annotated[int, typer.Option(min=1, help="Number of matches played at the same time.")] = 1,
    spread: Spread = 174,
    runs: Annotated[int, typer.Option(min=1, max=10_000, help="Number of simulated leagues.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the simulation; the same seed gives the same leagues.")] = 1,
) -> None:
    """Simulate a league of bots of known strength: matches, hours, repeated pairings, chance that the best bot wins."""
    try:  # only here: the kit of a bot's author comes without numpy
        from ftk_core.league.league_simulation import POINTS_PER_STRENGTH, LeagueSimulationSettings, forecast_league
    except ImportError as error:
        fail(_(NUMPY_MISSING).format(error=error))
    stage = _read_stage_terms(name, options, seats, format=format, rounds=rounds, games=games)
    try:
        half, forecast, twice = (
            forecast_league(
                LeagueSimulationSettings(
                    stages=(stage,),
                    entries=entries,
                    seconds=seconds,
                    workers=workers,
                    spread=points / POINTS_PER_STRENGTH,
                ),
                runs,
                seed,
            )
            for points in (spread / 2, spread, 2 * spread)
        )
    except CommandRejected as error:
        fail(error)
    _print_forecast(stage, runs, spread, half, forecast, twice)


def _print_forecast(
    stage: StageSettings,
    runs: int,
    spread: float,
    half: LeagueForecast,
    forecast: LeagueForecast,
    twice: LeagueForecast,
) -> None:
    """Print the forecast of a simulated league."""
    # `half` and `twice` assume half and twice the standard deviation of the bots' strengths.
    lines = (
        _("tables of {seats}, the shortest of {least}").format(seats=stage.seats, least=stage.least),
        _("rounds {rounds}, matches {matches}, hours {hours}").format(
            rounds=format(forecast.rounds, "g"),
            matches=format(forecast.matches, "g"),
            hours=format(forecast.hours, ".2f"),
        ),
        _("pairs that meet again: {repeats}; at least {unavoidable} cannot be avoided").format(
            repeats=format(forecast.repeats, "g"), unavoidable=format(forecast.unavoidable, "g")
        ),
        _("the best bot is first: {best} % ± {error} ({runs} runs)").format(
            best=format(100 * forecast.best, ".0f"), error=format(100 * forecast.error, ".0f"), runs=runs
        ),
        _("if strengths have a standard deviation of {spread} points").format(spread=format(spread, "g")),
        _("(at half of that {at_half} %, at twice that {at_twice} %)").format(
            at_half=format(100 * half.best, ".0f"), at_twice=format(100 * twice.best, ".0f")
        ),
    )
    for line in lines:
        out.print(line, highlight=False)


def _read_stage_terms(name: str, options: str, seats: int, **terms: Any) -> StageSettings:
    """Build the league's settings from the command's arguments; exit if one is invalid."""
    if terms["format"] not in list_formats():
        fail(
            _("there is no format {name}; choose one of: {formats}").format(
                name=repr(terms["format"]), formats=", ".join(list_formats())
            )
        )
    try:
        rules = game(name)
        full = seats or max(rules.seats.start, min(4, rules.seats.stop - 1))
        chosen = read_options(rules, options)
        check_options(rules, full, chosen)
    except (UnknownGameError, ValueError) as error:
        fail(error)
    return StageSettings(seats=full, least=smallest_table_size(rules, full, chosen), worth=rules.worth, **terms)


@league.command()
def sheet(
    path: Annotated[Path, typer.Argument(help="Unpacked export of a league, or its file tournament.jsonl.")],
    name: Annotated[str, typer.Argument(help=f"One of {', '.join(FILES)}.")],
) -> None:
    """Print a league's standings, pairings, results or ratings as CSV or JSON, or the whole league as TRF16."""
    if name not in FILES:
        fail(_("there is no sheet {name}; choose one of: {files}").format(name=repr(name), files=", ".join(FILES)))
    try:
        body = (path / STREAM if path.is_dir() else path).read_bytes()
        written = file_of(VerifiedLeagueEventStream(body).league, name)
    except OSError as error:
        fail(describe_os_error(error, path))
    except InvalidLogError as error:
        fail(f"{path}: {error}", EXIT_NEGATIVE)
    except (CommandRejected, NumpyMissingError) as error:
        fail(error)
    typer.echo(written, nl=False)
