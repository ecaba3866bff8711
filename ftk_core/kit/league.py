"""`ftk league`: simulates a league before it is announced, and exports sheets of a finished one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ftk_core.fold import check_options, read_options, shortest_table
from ftk_core.games import UnknownGame, game
from ftk_core.kit.door import UNSOUND, Door, fail, out
from ftk_core.kit.verify import Unsound
from ftk_core.kit.verify_stream import LeagueStream
from ftk_core.league.export import STREAM
from ftk_core.league.formats import formats
from ftk_core.league.own_court import NoNumbers
from ftk_core.league.plans import Stage
from ftk_core.league.sheets import FILES, file_of
from ftk_core.league.state import NotNow

if TYPE_CHECKING:
    from ftk_core.league.simulating import Outlook

league = typer.Typer(cls=Door, no_args_is_help=True, help="Try a league, and write sheets of one.")


@league.callback()
def leagues() -> None:
    """Try a league, and write sheets of one."""  # the callback keeps `simulate` a subcommand


@league.command()
def simulate(
    name: Annotated[str, typer.Argument(metavar="GAME", help="A game of `ftk games`.")],
    entries: Annotated[int, typer.Option(min=2, max=1000, help="Bots that enter.")] = 32,
    seats: Annotated[int, typer.Option(min=0, max=12, help="Bots at a full table; 0 for 4, or the fewest.")] = 0,
    rounds: Annotated[int, typer.Option(min=0, help="Rounds; 0 where the format knows.")] = 5,
    format: Annotated[str, typer.Option(help="How rounds are drawn: swiss, knockout and so on.")] = "swiss",  # noqa: A002  # what the option is called
    games: Annotated[int, typer.Option(min=1, max=12, help="Matches of each table, the seats turning.")] = 1,
    options: Annotated[str, typer.Option(help="The game's options as JSON.")] = "{}",
    seconds: Annotated[float, typer.Option(min=0, help="How long a match takes.")] = 60,
    workers: Annotated[int, typer.Option(min=1, help="Matches side by side.")] = 1,
    spread: Annotated[float, typer.Option(min=0, help="Standard deviation of strengths in points.")] = 174,
    runs: Annotated[int, typer.Option(min=1, help="How often it is played.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="The same seed plays the same leagues.")] = 1,
) -> None:
    """Play a league with bots of known strength: matches, hours, repeats, the chance that the best bot is first."""
    try:  # only here: the kit of a bot's author comes without numpy
        from ftk_core.league.simulating import POINTS, Terms, outlook
    except ImportError as error:
        fail(f"a league is simulated with numpy, which the extra `server` of ftk-arena brings: {error}")
    stage = _stage(name, options, seats, format=format, rounds=rounds, games=games)
    try:
        half, found, twice = (
            outlook(
                Terms(stages=(stage,), entries=entries, seconds=seconds, workers=workers, spread=points / POINTS),
                runs,
                seed,
            )
            for points in (spread / 2, spread, 2 * spread)
        )
    except NotNow as error:
        fail(error)
    _report(stage, runs, spread, half, found, twice)


def _report(stage: Stage, runs: int, spread: float, half: Outlook, found: Outlook, twice: Outlook) -> None:
    """Print the simulated outcome, and the chance that the best bot is first at half and at twice the spread."""
    lines = (
        f"tables of {stage.seats}, the shortest of {stage.least}",
        f"rounds {found.rounds:g}, matches {found.matches:g}, hours {found.hours:.2f}",
        f"pairs that meet again: {found.repeats:g}; at least {found.unavoidable:g} cannot be avoided",
        f"the best bot is first: {100 * found.best:.0f} % ± {100 * found.error:.0f} ({runs} runs)",
        f"if strengths have a standard deviation of {spread:g} points",
        f"(at half of that {100 * half.best:.0f} %, at twice that {100 * twice.best:.0f} %)",
    )
    for line in lines:
        out.print(line, highlight=False)


def _stage(name: str, options: str, seats: int, **terms: Any) -> Stage:
    """Return a stage of a game with its possible table sizes; exits if the game or format does not allow it."""
    if terms["format"] not in formats():
        fail(f"there is no format {terms['format']!r}; there are {', '.join(formats())}")
    try:
        rules = game(name)
        full = seats or max(rules.seats.start, min(4, rules.seats.stop - 1))
        chosen = read_options(rules, options)
        check_options(rules, full, chosen)
    except (UnknownGame, ValueError) as error:
        fail(error)
    return Stage(seats=full, least=shortest_table(rules, full, chosen), worth=rules.worth, **terms)


@league.command()
def sheet(
    path: Annotated[Path, typer.Argument(help="A league's export, unpacked, or its tournament.jsonl.")],
    name: Annotated[str, typer.Argument(help=f"One of {', '.join(FILES)}.")],
) -> None:
    """Print a league's standings, pairings or ratings, or all of it in the format of chess players' programs."""
    if name not in FILES:
        fail(f"there is no sheet {name!r}; there are {', '.join(FILES)}")
    try:
        body = (path / STREAM if path.is_dir() else path).read_bytes()
        written = file_of(LeagueStream(body).league, name)
    except OSError as error:
        fail(f"{path}: {error.strerror or error}")
    except Unsound as error:
        fail(f"{path}: {error}", UNSOUND)
    except (NotNow, NoNumbers) as error:
        fail(error)
    typer.echo(written, nl=False)
