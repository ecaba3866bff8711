"""The `ftk` command: play, compare, check, verify and upload bots from a shell."""

from __future__ import annotations

import os
from collections.abc import Iterator
from gettext import gettext as _
from glob import glob, has_magic
from pathlib import Path
from typing import Annotated

import typer

from ftk_core.games import UnknownGame, game, shelf
from ftk_core.kit.archive import BadUpload
from ftk_core.kit.beginning import beginning
from ftk_core.kit.challenging import challenges
from ftk_core.kit.check import check_bot, languages_here, languages_there, report_of
from ftk_core.kit.comparing import comparing
from ftk_core.kit.doctoring import doctoring
from ftk_core.kit.door import UNSOUND, Door, err, fail, out
from ftk_core.kit.holding import AUTO, NotStarted
from ftk_core.kit.house import NoSuchBot, house_bots
from ftk_core.kit.league import league
from ftk_core.kit.login import account
from ftk_core.kit.mine import mine
from ftk_core.kit.online import online
from ftk_core.kit.playing import playing
from ftk_core.kit.progress import Progress
from ftk_core.kit.protocol import protocols
from ftk_core.kit.remote import remotely
from ftk_core.kit.rerunning import repro, rerunning
from ftk_core.kit.reviewing import reviewing
from ftk_core.kit.schema import schemas
from ftk_core.kit.series_options import Json, print_json
from ftk_core.kit.story import stories_of
from ftk_core.kit.tongue import spoken
from ftk_core.kit.verify import Unsound, Verdict, verify_matches
from ftk_core.kit.verify_league import is_league, verify_export
from ftk_core.kit.watching import watching
from ftk_core.kit.whatif import whatif
from ftk_core.players import HostFault
from ftk_core.words import LANGUAGES

QUOTING = ("stderr:", "the compiler:")
"""Lines of a trial's log after which the text is a bot's or a compiler's, not ours."""
app = typer.Typer(cls=Door, no_args_is_help=True, help="Play, check and upload board-game bots.")
app.add_typer(playing)
app.add_typer(comparing)
app.add_typer(league, name="league")
app.add_typer(account)
app.add_typer(beginning)
app.add_typer(schemas)
app.add_typer(rerunning)
app.add_typer(reviewing)
app.add_typer(whatif)
app.add_typer(watching)
app.add_typer(repro, name="repro")
app.add_typer(protocols)
app.add_typer(online)
app.add_typer(mine)
app.add_typer(doctoring)
app.add_typer(challenges)
app.add_typer(remotely)


@app.command()
def games() -> None:
    """List the games on the shelf and the bots of the house."""
    for name, row in shelf().items():
        seats = f"{row.seats.start}-{row.seats.stop - 1}"
        out.print(
            f"[bold]{name}[/bold] v{row.version}  {row.title}, {seats} seats; bots: {', '.join(house_bots(name))}"
        )


@app.command()
def verify(
    paths: Annotated[
        list[str], typer.Argument(help="Logs of matches, or leagues' exports: a .tar or the folder of it.")
    ],
    key: Annotated[Path | None, typer.Option(help="The key (PEM) that must have signed a league.")] = None,
) -> None:
    """Check logs of matches and whole exported leagues: chains, facts, choices, seeds, results, signatures."""
    unsound = 0
    try:
        pem = key.read_bytes() if key else None
        for path in [path for pattern in paths for path in _meant(pattern)]:
            unsound += not (_is_sound_league(path, pem) if is_league(path) else _is_sound_log(path, of=len(paths)))
    except OSError as error:
        fail(f"{error.filename or ''}: {error.strerror or error}")
    if unsound:
        raise typer.Exit(1)


def _meant(pattern: str) -> Iterator[Path]:
    """Yield the files that match a path, or a glob pattern that the shell left alone; raises FileNotFoundError."""
    found = sorted(glob(pattern)) if has_magic(pattern) and not os.path.lexists(pattern) else [pattern]
    if not found:
        raise FileNotFoundError(2, "there is no file that fits", pattern)
    yield from map(Path, found)


def _is_sound_log(path: Path, of: int) -> bool:
    matches = 0
    try:
        for verdict in verify_matches(path):
            matches += 1
            _print_verdict(verdict, f"{path}: " if of > 1 else "")
    except Unsound as error:
        err.print(f"{path}: {error}", style="red", markup=False)
        return False
    if matches > 1:
        out.print(f"ok: {path}, {matches} matches", markup=False)
    return True


def _print_verdict(verdict: Verdict, where: str) -> None:
    head = f"{verdict.entries} entries in {verdict.pages} pages, head {verdict.head[:16]}"
    out.print(f"ok: {where}{verdict.game}, {head}", markup=False)
    if verdict.void:
        out.print(f"void: {verdict.void}; without a seed its luck cannot be checked", markup=False)
    else:
        named = zip(verdict.players, verdict.places, strict=True)
        out.print(f"places: {', '.join(f'{name} {place}.' for name, place in named)}", markup=False)
    if not verdict.same_build:
        out.print("note: written by another build of the game; this one reruns it to the same bytes")


def _is_sound_league(path: Path, key: bytes | None) -> bool:
    with err.status("checking every match ..."):
        report = verify_export(path, key)
    out.print(*report.acts, sep="\n", end="\n" if report.acts else "", markup=False)
    for flaw in report.flaws:
        err.print(str(flaw), markup=False, style="red")
    for note in report.notes:
        err.print(f"note: {note}", markup=False, style="yellow")
    if report.flaws:
        err.print(f"{path}: {len(report.flaws)} flaws", style="red", markup=False)
    else:
        out.print(f"ok: {report.summary}", markup=False)
    return not report.flaws


@app.command()
def story(
    path: Annotated[Path, typer.Argument(help="A log of one match or more.")],
    language: Annotated[str, typer.Option(help=f"{' or '.join(LANGUAGES)}.")] = LANGUAGES[0],
) -> None:
    """Print the matches of a log as sentences."""
    if language not in LANGUAGES:
        fail(f"--language {language}: stories are told in {' and '.join(LANGUAGES)}")
    try:
        for number, tale in enumerate(stories_of(path, language)):
            out.print(*([""] if number else []), *(f"{seq:>5}  {said}" for seq, said in tale), sep="\n", markup=False)
    except OSError as error:
        fail(f"{path}: {error.strerror or error}")
    except Unsound as error:
        fail(f"{path}: {error}", UNSOUND)


@app.command()
def check(
    name: Annotated[str, typer.Argument(metavar="GAME")],
    bot: Annotated[str, typer.Argument(help="What you would upload, a folder of it, or a house bot's name.")],
    seats: Annotated[int, typer.Option(help="At a table of this many; 0 is the smallest.")] = 0,
    cage: Annotated[str, typer.Option(help="auto, bwrap, forkserver, landlock; or none, with your own rights.")] = AUTO,
    json: Json = False,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER", help="An arena, to say what it can build.")] = "",
) -> None:
    """Read a bot as an upload is read, play the match that a server plays with it, and report as it does.

    The bot is held in the server's cage where the arena is installed beside the kit, else it runs with your rights.
    """
    try:
        with Progress(err) as progress:
            checked = check_bot(name, bot, seats, cage, progress)
    except BadUpload as error:
        fail(_("{bot} would be refused: {reason}").format(bot=bot, reason=spoken(str(error))), UNSOUND)
    except HostFault as error:
        fail(_("this machine is too busy to judge a bot, try again: {error}").format(error=spoken(str(error))), UNSOUND)
    except (UnknownGame, NoSuchBot, NotStarted, ValueError, OSError) as error:
        fail(error)
    if json:
        print_json(report_of(name, bot, checked))
        raise typer.Exit(0 if checked.trial.passed else UNSOUND)
    there = [languages_there(server)] if server else []
    out.print(checked.held, languages_here(), *there, sep="\n", markup=False, soft_wrap=True)
    out.print("\n".join(_told(checked.trial.log)), markup=False)
    if not checked.trial.passed:
        fail(_("{bot} would be refused: {reason}").format(bot=bot, reason=spoken(checked.trial.reason)), UNSOUND)
    out.print(_("ok: {bot} plays {game}").format(bot=bot, game=game(name).title), markup=False)


def _told(log: str) -> Iterator[str]:
    """Yield the lines of a trial's log: ours translated, those of bots and compilers unchanged."""
    ours = True
    for line in log.split("\n"):
        yield spoken(line) if ours else line
        ours &= line not in QUOTING
