"""`ftk league`: what will come of a league before anybody announces it, and sheets of one that is over."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ftk_core.kit.door import UNSOUND, Door, fail, out
from ftk_core.kit.verify import Unsound
from ftk_core.kit.verify_stream import LeagueStream
from ftk_core.league.export import STREAM
from ftk_core.league.formats import formats
from ftk_core.league.own_court import NoNumbers
from ftk_core.league.plans import Stage
from ftk_core.league.sheets import FILES, file_of
from ftk_core.league.state import NotNow

league = typer.Typer(cls=Door, no_args_is_help=True, help="Try a league, and write sheets of one.")


@league.callback()
def leagues() -> None:
    """Try a league, and write sheets of one."""  # with a callback, `simulate` stays a word of its own


@league.command()
def simulate(
    entries: Annotated[int, typer.Option(min=2, max=1000, help="Bots that enter.")] = 32,
    seats: Annotated[int, typer.Option(min=2, max=12, help="Bots at a full table.")] = 4,
    rounds: Annotated[int, typer.Option(min=0, help="Rounds; 0 where the format knows.")] = 5,
    format: Annotated[str, typer.Option(help="How rounds are drawn: swiss, knockout and so on.")] = "swiss",  # noqa: A002  # what the option is called
    games: Annotated[int, typer.Option(min=1, max=12, help="Matches of each table, the seats turning.")] = 1,
    seconds: Annotated[float, typer.Option(min=0, help="How long a match takes.")] = 60,
    workers: Annotated[int, typer.Option(min=1, help="Matches side by side.")] = 1,
    spread: Annotated[float, typer.Option(min=0, help="Standard deviation of strengths; 1 is 174 points.")] = 1.0,
    runs: Annotated[int, typer.Option(min=1, help="How often it is played.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="The same seed plays the same leagues.")] = 1,
) -> None:
    """Play a league with bots of known strength: matches, hours, repeats, the chance that the best bot is first."""
    try:  # only here: the kit of a bot's author comes without numpy
        from ftk_core.league.simulating import Terms, outlook
    except ImportError as error:
        fail(f"a league is simulated with numpy, which the extra `server` of ftk-arena brings: {error}")
    if format not in formats():
        fail(f"there is no format {format!r}; there are {', '.join(formats())}")
    stage = Stage(format=format, seats=seats, least=min(2, seats), rounds=rounds, games=games)
    terms = Terms(stages=(stage,), entries=entries, seconds=seconds, workers=workers, spread=spread)
    try:
        found = outlook(terms, runs, seed)
    except NotNow as error:
        fail(error)
    out.print(f"rounds {found.rounds:g}, matches {found.matches:g}, hours {found.hours:.2f}", highlight=False)
    out.print(f"repeats that cannot be avoided: {found.repeats:g}", highlight=False)
    out.print(
        f"the best bot is first: {100 * found.best:.0f} % ± {100 * found.error:.0f} ({runs} runs)", highlight=False
    )


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
