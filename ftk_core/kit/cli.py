"""The `ftk` command: play, compare, check, verify and upload bots from a shell."""

from __future__ import annotations

import os
from collections.abc import Iterator
from gettext import gettext as _
from glob import glob, has_magic
from pathlib import Path
from typing import Annotated

import typer

from ftk_core.games import UnknownGameError, game, list_games
from ftk_core.i18n import ENGLISH, LANGUAGES
from ftk_core.kit.bot_sandboxing import AUTO, BotStartError
from ftk_core.kit.built_in_bots import BotNotFound, list_built_in_bots, list_search_bots
from ftk_core.kit.client.trial_progress import TrialProgress
from ftk_core.kit.commands.challenge import challenges
from ftk_core.kit.commands.check import (
    check_bot,
    describe_clock,
    describe_local_languages,
    describe_server_languages,
    report_of,
)
from ftk_core.kit.commands.compare import comparing
from ftk_core.kit.commands.doctor import doctoring
from ftk_core.kit.commands.league import league
from ftk_core.kit.commands.login import account
from ftk_core.kit.commands.mcp import agents
from ftk_core.kit.commands.new_game import beginning
from ftk_core.kit.commands.own_bots import mine
from ftk_core.kit.commands.play import playing
from ftk_core.kit.commands.protocol_test import protocols
from ftk_core.kit.commands.remote import remotely
from ftk_core.kit.commands.rerun import repro, rerunning
from ftk_core.kit.commands.review import reviewing
from ftk_core.kit.commands.schema import schemas
from ftk_core.kit.commands.server_requests import online
from ftk_core.kit.commands.watch import watching
from ftk_core.kit.commands.whatif import whatif
from ftk_core.kit.entry_point import EXIT_NEGATIVE, CommandGroup, describe_os_error, err, fail, out
from ftk_core.kit.i18n.locale import translate_line
from ftk_core.kit.narration import narrate_matches
from ftk_core.kit.series.series_options import Json, print_json
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from ftk_core.kit.verify.league_export import is_league, verify_export
from ftk_core.kit.verify.match_log import InvalidLogError, VerifiedLog, verify_matches
from ftk_core.players import HostFault

QUOTED_LOG_PREFIXES = ("stderr:", "the compiler:")
"""Lines of a trial match's log after which the text was written by a bot or a compiler, not by us."""
app = typer.Typer(cls=CommandGroup, no_args_is_help=True, help="Play, check and upload board-game bots.")
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
app.add_typer(agents)


@app.command()
def games() -> None:
    """List the games on the shelf and the bots of the house."""
    for name, rules in list_games().items():
        seats = f"{rules.seats.start}-{rules.seats.stop - 1}"
        bots = ", ".join([*list_built_in_bots(name), *list_search_bots(name)])
        out.print(
            _("[bold]{name}[/bold] v{version}  {title}, {seats} seats; bots: {bots}").format(
                name=name, version=rules.version, title=rules.title, seats=seats, bots=bots
            )
        )


@app.command()
def verify(
    paths: Annotated[
        list[str], typer.Argument(help="Logs of matches, or leagues' exports: a .tar or the folder of it.")
    ],
    key: Annotated[Path | None, typer.Option(help="The key (PEM) that must have signed a league.")] = None,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="Rerun with the native and with the Python rules, and compare.")
    ] = False,
) -> None:
    """Check logs of matches and whole exported leagues: chains, facts, choices, seeds, results, signatures."""
    unsound = 0
    try:
        pem = key.read_bytes() if key else None
        for path in [path for pattern in paths for path in _list_matching_files(pattern)]:
            is_sound = (
                _is_sound_league(path, pem, thorough=thorough)
                if is_league(path)
                else _is_sound_log(path, of=len(paths), thorough=thorough)
            )
            unsound += not is_sound
    except OSError as error:
        fail(describe_os_error(error))
    if unsound:
        raise typer.Exit(1)


def _list_matching_files(pattern: str) -> Iterator[Path]:
    """Yield the files that match a path or a glob pattern; raises FileNotFoundError if no file matches."""
    paths = sorted(glob(pattern)) if has_magic(pattern) and not os.path.lexists(pattern) else [pattern]
    if not paths:
        raise FileNotFoundError(2, _("there is no file that fits"), pattern)
    yield from map(Path, paths)


def _is_sound_log(path: Path, of: int, *, thorough: bool) -> bool:
    matches = 0
    try:
        for verdict in verify_matches(path, thorough=thorough):
            matches += 1
            _print_verdict(verdict, f"{path}: " if of > 1 else "")
    except InvalidLogError as error:
        err.print(f"{path}: {error}", style="red", markup=False)
        return False
    if matches > 1:
        out.print(_("ok: {path}, {matches} matches").format(path=path, matches=matches), markup=False)
    return True


def _print_verdict(verdict: VerifiedLog, where: str) -> None:
    head = _("{entries} entries in {pages} pages, head {head}").format(
        entries=verdict.entries, pages=verdict.pages, head=verdict.head[:16]
    )
    out.print(f"ok: {where}{verdict.game}, {head}", markup=False)
    if verdict.void:
        out.print(_("void: {void}; without a seed its luck cannot be checked").format(void=verdict.void), markup=False)
    else:
        named = zip(verdict.players, verdict.places, strict=True)
        out.print(
            _("places: {named}").format(named=", ".join((f"{name} {place}." for name, place in named))), markup=False
        )
    if not verdict.same_build:
        out.print(_("note: written by another build of the game; this one reruns it to the same bytes"))


def _is_sound_league(path: Path, key: bytes | None, *, thorough: bool) -> bool:
    with err.status(_("checking every match ...")):
        report = verify_export(path, key, thorough=thorough)
    out.print(*report.acts, sep="\n", end="\n" if report.acts else "", markup=False)
    for flaw in report.flaws:
        err.print(str(flaw), markup=False, style="red")
    for note in report.notes:
        err.print(_("note: {note}").format(note=note), markup=False, style="yellow")
    if report.flaws:
        err.print(_("{path}: {flaws} flaws").format(path=path, flaws=len(report.flaws)), style="red", markup=False)
    else:
        out.print(f"ok: {report.summary}", markup=False)
    return not report.flaws


@app.command()
def story(
    path: Annotated[Path, typer.Argument(help="A log of one match or more.")],
    language: Annotated[str, typer.Option(help=f"{' or '.join(LANGUAGES)}.")] = ENGLISH,
) -> None:
    """Print the matches of a log as sentences."""
    if language not in LANGUAGES:
        fail(
            _("--language {language}: stories are told in {languages}").format(
                language=language, languages=" and ".join(LANGUAGES)
            )
        )
    try:
        for number, tale in enumerate(narrate_matches(path, language)):
            out.print(*([""] if number else []), *(f"{seq:>5}  {said}" for seq, said in tale), sep="\n", markup=False)
    except OSError as error:
        fail(describe_os_error(error, path))
    except InvalidLogError as error:
        fail(f"{path}: {error}", EXIT_NEGATIVE)


@app.command()
def check(
    name: Annotated[str, typer.Argument(metavar="GAME")],
    bot: Annotated[str, typer.Argument(help="What you would upload, a folder of it, or a house bot's name.")],
    seats: Annotated[int, typer.Option(help="At a table of this many; 0 is the smallest.")] = 0,
    cage: Annotated[
        str, typer.Option(help="auto, bwrap, forkserver, landlock, hooks; or none, with your rights.")
    ] = AUTO,
    json: Json = False,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER", help="An arena, to say what it can build.")] = "",
) -> None:
    """Read a bot as an upload is read, play the match that a server plays with it, and report as it does.

    The bot is held in the server's cage where the arena is installed beside the kit, else the cage is imitated.
    """
    try:
        with TrialProgress(err) as progress:
            checked = check_bot(name, bot, seats, cage, progress)
    except InvalidUploadError as error:
        fail(_("{bot} would be refused: {reason}").format(bot=bot, reason=translate_line(str(error))), EXIT_NEGATIVE)
    except HostFault as error:
        fail(
            _("this machine is too busy to judge a bot, try again: {error}").format(error=translate_line(str(error))),
            EXIT_NEGATIVE,
        )
    except (UnknownGameError, BotNotFound, BotStartError, ValueError, OSError) as error:
        fail(error)
    if json:
        print_json(report_of(name, bot, checked))
        raise typer.Exit(0 if checked.trial.passed else EXIT_NEGATIVE)
    server_languages = [describe_server_languages(server)] if server else []
    circumstances = [checked.held, describe_local_languages(), *describe_clock(), *server_languages]
    out.print(*circumstances, sep="\n", markup=False, soft_wrap=True)
    out.print("\n".join(_translate_log(checked.trial.log)), markup=False)
    if not checked.trial.passed:
        fail(
            _("{bot} would be refused: {reason}").format(bot=bot, reason=translate_line(checked.trial.reason)),
            EXIT_NEGATIVE,
        )
    ok = _("ok: {bot} plays {game}; not tried here: {untried}") if checked.untried else _("ok: {bot} plays {game}")
    out.print(ok.format(bot=bot, game=game(name).title, untried=", ".join(checked.untried)), markup=False)


def _translate_log(log: str) -> Iterator[str]:
    """Yield the lines of a trial match's log: our own translated, those written by bots and compilers unchanged."""
    ours = True
    for line in log.split("\n"):
        yield translate_line(line) if ours else line
        ours &= line not in QUOTED_LOG_PREFIXES
