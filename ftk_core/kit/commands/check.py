"""`ftk check`: read a bot like an upload, sandbox it, play a trial match, and report as a server would."""

from __future__ import annotations

import re
import warnings
from collections.abc import Container, Iterator
from dataclasses import replace
from gettext import gettext, gettext as _
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from ftk_core.games import UnknownGameError, game
from ftk_core.kit.bot_sandboxing import AUTO, BotStartError, BuildError, start_sandboxed
from ftk_core.kit.built_in_bots import BotNotFound, locate_bot
from ftk_core.kit.client.http_client import ServerRefusal, check_server, request_json
from ftk_core.kit.client.trial_progress import TrialProgress
from ftk_core.kit.entry_point import EXIT_NEGATIVE, err, fail, out
from ftk_core.kit.i18n.locale import translate_line
from ftk_core.kit.series.series_options import Json, print_json
from ftk_core.kit.trial_match import (
    MAX_REPORTED_NOTES,
    TrialMatchResult,
    TrialObserver,
    compile_failure,
    play_trial,
)
from ftk_core.kit.uploads.bot_compilation import describe_missing_compiler
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from ftk_core.kit.uploads.upload_limits import UPLOAD
from ftk_core.kit.uploads.upload_packing import pack_bot
from ftk_core.kit.uploads.upload_validation import ValidatedUpload, read_upload
from ftk_core.match_fold import check_options
from ftk_core.players import HostFault


def describe_local_languages() -> str:
    """Return one line that lists the programming languages whose bots this machine can compile and run."""
    can = [name for name in LANGUAGES if not describe_missing_compiler(name)]
    cannot = [name for name in LANGUAGES if name not in can]
    said = gettext("this machine builds and plays {languages}").format(languages=", ".join(can))
    return said + (gettext("; not {languages}").format(languages=", ".join(cannot)) if cannot else "")


def describe_server_languages(server: str) -> str:
    """Return one line that lists the languages whose bots a server can compile and run, or why that is unknown."""
    try:
        languages = msgspec.convert(
            request_json(f"{check_server(server)}/api/v1/languages/"), _ServerLanguages
        ).languages
    except (ServerRefusal, msgspec.ValidationError) as error:
        return gettext("what {server} can build is not known: {error}").format(server=server, error=error)
    can = [language.name for language in languages if language.workers]
    return (
        gettext("{server} builds and plays {can}").format(server=server, can=", ".join(can))
        if can
        else gettext("{server} has not said yet what it can build").format(server=server)
    )


class _ServerLanguage(msgspec.Struct):
    name: str
    workers: int


class _ServerLanguages(msgspec.Struct):
    languages: list[_ServerLanguage]


class BotCheckResult(msgspec.Struct, frozen=True):
    """Result of checking a bot: its sandbox and its trial match."""

    held: str
    """Description of the sandbox that was used, as one line."""
    trial: TrialMatchResult


class BotCheckReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of checking a bot, as printed by `ftk check --json`."""

    schema: str = "ftk.check/1"
    game: str
    bot: str
    held: str
    """Description of the sandbox that was used, as one line."""
    passed: bool
    reason: str
    """Reason for the refusal; empty if the bot passed."""
    log: str
    """The bot's faults, notes and standard error."""


def report_of(game_name: str, bot: str, checked: BotCheckResult) -> BotCheckReport:
    """Convert the result of a check to the document that `ftk check --json` prints."""
    return BotCheckReport(game=game_name, bot=bot, held=checked.held, **msgspec.structs.asdict(checked.trial))


def check_bot(game_name: str, bot: str, seats: int, cage: str, onlooker: TrialObserver | None = None) -> BotCheckResult:
    """Play the trial match of a bot, given by its built-in name or path, and return the result; nothing is stored.

    Raises UnknownGameError, BotNotFound, InvalidUploadError, BotStartError, ValueError (the game has no table of that
    size), HostFault and OSError.
    """
    rules = game(game_name)
    check_options(rules, seats or rules.seats.start, rules.options())
    file, body = pack_bot(locate_bot(game_name, bot))
    upload = read_upload(file, body, replace(UPLOAD, prebuilt=True))
    try:
        _compile(upload)
        with start_sandboxed(cage, Path(file).stem, upload) as (how, player):
            return BotCheckResult(how, play_trial(game_name, player, seats, onlooker))
    except BuildError as error:
        return BotCheckResult(gettext("not started: its source does not compile"), compile_failure(error))


def _compile(upload: ValidatedUpload) -> None:
    """Compile a Python bot without running it; raise BuildError, naming the line, for a syntax error."""
    runtime, program, *_options = upload.command
    if runtime != "python":
        return
    source = dict(upload.files)[program]
    try:
        with warnings.catch_warnings(action="ignore"):
            compile(source, program, "exec", dont_inherit=True)
    except SyntaxError as error:
        line = f"\n    {error.text.strip()}" if error.text else ""
        raise BuildError(
            gettext("{program}, line {number}: {message}{line}").format(
                program=program, number=error.lineno, message=error.msg, line=line
            )
        ) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise BuildError(f"{program}: {error or type(error).__name__}") from error


QUOTED_LOG_PREFIXES = ("stderr:", "the compiler:")
"""Lines of a trial match's log after which the text was written by a bot or a compiler, not by us."""
FEW_NOTES = 3
"""Number of a bot's notes that are printed without `--notes`."""
checking = typer.Typer()


@checking.command()
def check(
    name: Annotated[str, typer.Argument(metavar="GAME")],
    bot: Annotated[str, typer.Argument(help="What you would upload, a folder of it, or a house bot's name.")],
    seats: Annotated[int, typer.Option(help="At a table of this many; 0 is the smallest.")] = 0,
    cage: Annotated[str, typer.Option(help="auto, bwrap, forkserver, landlock; or none, with your own rights.")] = AUTO,
    notes: Annotated[bool, typer.Option("--notes", help="Print all notes of the bot, not the first few.")] = False,
    json: Json = False,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER", help="An arena, to say what it can build.")] = "",
) -> None:
    """Read a bot as an upload is read, play the match that a server plays with it, and report as it does.

    The bot is held in the server's cage where the arena is installed beside the kit, else it runs with your rights.
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
    out.print(checked.held, describe_local_languages(), *server_languages, sep="\n", markup=False, soft_wrap=True)
    lines = _without_repetition(checked.trial.log, progress.printed, MAX_REPORTED_NOTES if notes else FEW_NOTES)
    out.print("\n".join(lines), markup=False)
    if not checked.trial.passed:
        fail(
            _("{bot} would be refused: {reason}").format(bot=bot, reason=translate_line(checked.trial.reason)),
            EXIT_NEGATIVE,
        )
    out.print(_("ok: {bot} plays {game}").format(bot=bot, game=game(name).title), markup=False)


def _without_repetition(report: str, printed: Container[str], max_notes: int) -> Iterator[str]:
    """Yield the lines of a trial's report without the faults that were printed before and with the first notes only.

    Our own lines are translated; those written by bots and compilers are unchanged.
    """
    lines = report.split("\n")
    ours = next((number for number, line in enumerate(lines) if line in QUOTED_LOG_PREFIXES), len(lines) - 1) + 1
    before, _number, after = _("question {number} note: {text}").partition("{number}")
    note = re.compile(rf"{re.escape(before)}\d+{re.escape(after.partition('{text}')[0])}")
    notes = [line for line in lines[:ours] if note.match(line)]
    if more := notes[max_notes:]:
        yield _("{notes} more notes; --notes prints them").format(notes=len(more))
    yield from (translate_line(line) for line in lines[:ours] if line not in {*more} and line not in printed)
    yield from lines[ours:]
