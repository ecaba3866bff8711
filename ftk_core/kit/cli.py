"""The `ftk` command: play, check, verify and upload bots from a shell."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from ftk_core.entries import Clock
from ftk_core.games import UnknownGame, game, shelf
from ftk_core.kit.archive import BadUpload
from ftk_core.kit.arena import Played, Series, play_series, table
from ftk_core.kit.check import check_bot
from ftk_core.kit.holding import AUTO, NotStarted
from ftk_core.kit.house import NoSuchBot, house_bots
from ftk_core.kit.story import story_of
from ftk_core.kit.upload import Refused, send
from ftk_core.kit.verify import Unsound, verify_file
from ftk_core.kit.verify_league import is_league, verify_export
from ftk_core.match import check_options, read_options
from ftk_core.players import HostFault

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Play, check and upload board-game bots.")
out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)


def _fail(message: object) -> NoReturn:
    err.print(str(message), style="red", markup=False)  # it may quote what a bot has said
    raise typer.Exit(1)


@app.command()
def games() -> None:
    """List the games on the shelf and the bots of the house."""
    for name, row in shelf().items():
        seats = f"{row.seats.start}-{row.seats.stop - 1}"
        out.print(
            f"[bold]{name}[/bold] v{row.version}  {row.title}, {seats} seats; bots: {', '.join(house_bots(name))}"
        )


@app.command()
def play(
    name: Annotated[str, typer.Argument(metavar="GAME", help="A game of `ftk games`.")],
    bots: Annotated[list[str], typer.Argument(help="One bot a seat: a house bot's name or a path.")],
    games: Annotated[int, typer.Option(min=1, help="How many matches; the seats rotate.")] = 1,
    seed: Annotated[str, typer.Option(help="The same seed plays the same matches.")] = "1",
    log: Annotated[Path | None, typer.Option(help="Write the log here (numbered when there are several).")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Matches side by side.")] = os.cpu_count() or 1,
    move_ms: Annotated[int, typer.Option(min=1, help="Free computing time for each decision.")] = 1000,
    bank_ms: Annotated[int, typer.Option(min=0, help="Extra computing time for the whole match.")] = 10_000,
    options: Annotated[str, typer.Option(help="The game's options as JSON, e.g. '{\"fake\": true}'.")] = "{}",
) -> None:
    """Let bots play each other and print how they did."""
    series = Series(name, tuple(bots), seed, Clock(move_ms, bank_ms), options)
    try:
        check_options(game(name), len(bots), read_options(game(name), options))
        matches = play_series(series, games, min(jobs, games))
        played = list(track(matches, "playing", total=games, console=err, transient=True))
    except (UnknownGame, NoSuchBot, ValueError) as error:
        _fail(error)
    if log is not None:
        _write_logs(log, played)
    _print_table(series, played)


def _write_logs(path: Path, played: list[Played]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    width = len(str(len(played)))
    for number, match in enumerate(played, 1):
        single = len(played) == 1
        target = path if single else path.with_name(f"{path.stem}-{number:0{width}}{path.suffix}")
        target.write_bytes(match.log)


def _print_table(series: Series, played: list[Played]) -> None:
    title = f"{game(series.game).title}, {len(played)} matches, seed {series.seed}"
    grid = Table(title=title, title_justify="left")
    grid.add_column("bot")
    for column in ("points %", "mean place", "wins", "score", "faults"):
        grid.add_column(column, justify="right")
    for line in table(series, played):
        grid.add_row(
            line.bot,
            f"{100 * line.points:.1f} ± {100 * line.points_error:.1f}",
            f"{line.place:.2f}",
            str(line.wins),
            f"{line.score:.2f} ± {line.score_error:.2f}",
            str(line.faults),
        )
    out.print(grid)
    out.print("points: share of opponents beaten, a tie counts half; ± is one standard error")


@app.command()
def verify(
    path: Annotated[Path, typer.Argument(help="A match's log, or a league's export: a .tar or the folder of it.")],
    key: Annotated[Path | None, typer.Option(help="The key (PEM) that must have signed a league.")] = None,
) -> None:
    """Check a match's log or a whole exported league: chains, facts, choices, seeds, results, signatures."""
    try:
        if is_league(path):
            _verify_league(path, key.read_bytes() if key else None)
        else:
            _verify_match(path)
    except (Unsound, OSError) as error:
        _fail(f"{path}: {error}")


def _verify_match(path: Path) -> None:
    verdict = verify_file(path)
    out.print(f"ok: {verdict.game}, {verdict.entries} entries in {verdict.pages} pages, head {verdict.head[:16]}")
    if verdict.void:
        out.print(f"void: {verdict.void}; without a seed its luck cannot be checked")
    else:
        named = zip(verdict.players, verdict.places, strict=True)
        out.print(f"places: {', '.join(f'{name} {place}.' for name, place in named)}")
    if not verdict.same_build:
        out.print("note: written by another build of the game; this one reruns it to the same bytes")


def _verify_league(path: Path, key: bytes | None) -> None:
    with err.status("checking every match ..."):
        report = verify_export(path, key)
    for flaw in report.flaws:
        err.print(str(flaw), markup=False, style="red")
    for note in report.notes:
        err.print(f"note: {note}", markup=False, style="yellow")
    if report.flaws:
        _fail(f"{path}: {len(report.flaws)} flaws")
    out.print(f"ok: {report.summary}")


@app.command()
def story(
    path: Annotated[Path, typer.Argument(help="A match's log.")],
    language: Annotated[str, typer.Option(help="en or zh-Hant.")] = "en",
) -> None:
    """Print a match's log as sentences."""
    try:
        verify_file(path)
        for seq, sentence in story_of(path, language):
            out.print(f"{seq:>5}  {sentence}", markup=False)
    except (Unsound, OSError) as error:
        _fail(f"{path}: {error}")


@app.command()
def check(
    name: Annotated[str, typer.Argument(metavar="GAME")],
    bot: Annotated[str, typer.Argument(help="What you would upload, a folder of it, or a house bot's name.")],
    seats: Annotated[int, typer.Option(help="At a table of this many; 0 is the smallest.")] = 0,
    cage: Annotated[str, typer.Option(help="auto, bwrap, forkserver, landlock; or none, with your own rights.")] = AUTO,
) -> None:
    """Read a bot as an upload is read, play the match that a server plays with it, and report as it does.

    The bot is held in the server's cage where the arena is installed beside the kit, else it runs with your rights.
    """
    try:
        checked = check_bot(name, bot, seats, cage)
    except BadUpload as error:
        _fail(f"{bot} would be refused: {error}")
    except HostFault as error:
        _fail(f"this machine is too busy to judge a bot, try again: {error}")
    except (UnknownGame, NoSuchBot, NotStarted, ValueError, OSError) as error:
        _fail(error)
    out.print(checked.held, markup=False)
    out.print(checked.trial.log, markup=False)
    if not checked.trial.passed:
        _fail(f"{bot} would be refused: {checked.trial.reason}")
    out.print(f"ok: {bot} plays {game(name).title}", markup=False)


@app.command()
def upload(
    name: Annotated[str, typer.Argument(metavar="GAME")],
    path: Annotated[Path, typer.Argument(help="One .py file, or a .zip or folder with bot.py (or bot.toml).")],
    bot: Annotated[str, typer.Option(help="The bot's name; a new one is made on its first upload.")],
    server: Annotated[str, typer.Option(envvar="FTK_SERVER")] = "http://127.0.0.1:8000",
    token: Annotated[str, typer.Option(envvar="FTK_TOKEN", help="From your account page.")] = "",
) -> None:
    """Send a bot to a server; it plays a trial match and is then active or refused."""
    try:
        verdict = send(server, token, name, bot, path)
    except (Refused, BadUpload, OSError) as error:
        _fail(error)
    out.print(f"{verdict['status']}: {bot} version {verdict['number']}, digest {verdict['digest'][:12]}")
    if verdict["status"] == "refused":
        _fail(verdict["reason"])
