"""`ftk check`: play a bot's test match locally, and print the report that a server would make."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from gettext import gettext as _
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from ftk_core.games import UnknownGameError, game
from ftk_core.kit.bot_sandboxing import AUTO, BotStartError
from ftk_core.kit.built_in_bots import BotNotFound
from ftk_core.kit.client.trial_match_display import TrialMatchDisplay
from ftk_core.kit.i18n.locale import translate_line
from ftk_core.kit.match_series.local_match_options import Json, print_json
from ftk_core.kit.pre_upload_bot_check import (
    PreUploadCheckResult,
    check_bot,
    check_language,
    describe_clock,
    describe_local_languages,
    report_of,
)
from ftk_core.kit.terminal_output import EXIT_NEGATIVE, err, fail, fail_too_busy, out
from ftk_core.kit.trial_match import MAX_REPORTED_NOTES, TrialMatchResult
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from ftk_core.players import HostOverloadError

QUOTED_LOG_PREFIXES = ("stderr:", "the compiler:")
"""Lines that introduce a quotation in a trial match's report. The lines after them were written by a bot or a compiler
and are not translated."""
FEW_NOTES = 3
"""Number of a bot's notes that are printed without `--notes`."""
Sandbox = Annotated[
    str,
    typer.Option(
        "--sandbox",
        help="auto, bwrap, forkserver, landlock, hooks (imitation), or none: run the bot with your own rights.",
    ),
]
checking = typer.Typer()


@checking.command()
def check(
    name: Annotated[str, typer.Argument(metavar="GAME")],
    bot: Annotated[str, typer.Argument(help="File or folder to upload, or the name of a built-in bot.")],
    seats: Annotated[int, typer.Option(help="Number of seats; 0 for the smallest table.")] = 0,
    sandbox: Sandbox = AUTO,
    notes: Annotated[
        bool, typer.Option("--notes", help="Print all of the bot's notes, not only the first ones.")
    ] = False,
    json: Json = False,
    server: Annotated[
        str,
        typer.Option(envvar="FTK_SERVER", help="Address of an arena that must be able to build the bot's language."),
    ] = "",
) -> None:
    """Check a bot as a server checks an upload: read it, play a trial match with it, and print the same report.

    The bot runs in the server's sandbox if the server's software is installed too, otherwise in an imitation of it.
    """
    try:
        with TrialMatchDisplay(err) as progress:
            checked = check_bot(name, bot, seats, sandbox, progress)
    except InvalidUploadError as error:
        _fail_unread(name, bot, error, json=json)
    except HostOverloadError as error:
        fail_too_busy(error)
    except (UnknownGameError, BotNotFound, BotStartError, ValueError, OSError) as error:
        fail(error)
    languages, checked = check_language(checked, server) if server else ("", checked)
    if json:
        _print_line(err, languages)  # the document has the standard output alone
        print_json(report_of(name, bot, checked))
        raise typer.Exit(0 if checked.trial.passed else EXIT_NEGATIVE)
    out.print(checked.sandbox_text, describe_local_languages(), *describe_clock(), sep="\n", soft_wrap=True)
    _print_line(out, languages)
    lines = _without_repetition(checked.trial.log, progress.printed, MAX_REPORTED_NOTES if notes else FEW_NOTES)
    out.print("\n".join(lines))
    _print_verdict(name, bot, checked)


def _print_line(console: Console, line: str) -> None:
    if line:
        console.print(line)


def _describe_limit(error: InvalidUploadError) -> str:
    """Return the message of a refusal, for data files with a note that the limit of an arena may differ."""
    if error.code != "data_too_large":
        return str(error)
    return _("{error} (the organiser of an arena may set another limit)").format(error=error)


def _fail_unread(name: str, bot: str, error: InvalidUploadError, *, json: bool) -> NoReturn:
    """Print that the files of a bot would be refused, and exit."""
    reason = _describe_limit(error)
    if not json:
        _fail_refused(bot, reason)
    trial = TrialMatchResult(passed=False, reason=reason, log="")
    print_json(report_of(name, bot, PreUploadCheckResult(_("not started"), trial, "")))
    raise typer.Exit(EXIT_NEGATIVE)


def _fail_refused(bot: str, reason: str) -> NoReturn:
    fail(_("{bot} would be refused: {reason}").format(bot=bot, reason=translate_line(reason)), EXIT_NEGATIVE)


def _print_verdict(name: str, bot: str, checked: PreUploadCheckResult) -> None:
    """Print that the bot passed the check, or exit with the reason why it failed."""
    if not checked.trial.passed:
        _fail_refused(bot, checked.trial.reason)
    ok = _("ok: {bot} plays {game}; not tried here: {untried}") if checked.untried else _("ok: {bot} plays {game}")
    out.print(ok.format(bot=bot, game=game(name).title, untried=", ".join(checked.untried)))


def _without_repetition(report: str, printed: Container[str], max_notes: int) -> Iterator[str]:
    """Yield the lines of a trial match's report in translation, except the lines in `printed`.

    `printed` holds the lines that were printed during the match. At most `max_notes` of the bot's notes on its answers
    are yielded. If there are more, the first line states how many are left out.
    """
    # Lines written by bots and compilers are not translated.
    lines = report.split("\n")
    ours = next((number for number, line in enumerate(lines) if line in QUOTED_LOG_PREFIXES), len(lines) - 1) + 1
    before, _number, after = _("question {number} note: {text}").partition("{number}")
    note = re.compile(rf"{re.escape(before)}\d+{re.escape(after.partition('{text}')[0])}")
    notes = [line for line in lines[:ours] if note.match(line)]
    if more := notes[max_notes:]:
        yield _("{notes} more notes; --notes prints them").format(notes=len(more))
    yield from (translate_line(line) for line in lines[:ours] if line not in {*more} and line not in printed)
    yield from lines[ours:]
