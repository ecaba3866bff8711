"""``ftk protocol BOT``: a conformance test of the bot protocol, including cases that are rare in matches."""

from __future__ import annotations

import copy
from collections.abc import Callable
from gettext import gettext as _
from typing import Annotated, Any

import msgspec
import typer

from ftk_core.games import UnknownGameError, list_games
from ftk_core.i18n import N_
from ftk_core.kit.built_in_bots import BotNotFound, find_command, locate_folder, start_command
from ftk_core.kit.commands.schema import lines_and_states_of_seat_0
from ftk_core.kit.i18n.locale import translate_line
from ftk_core.kit.protocol.child_process import ChildProcess
from ftk_core.kit.protocol.protocol_lines import (
    InvalidBotAnswerError,
    read_reply,
    read_reply_or_request,
    strip_control_characters,
)
from ftk_core.kit.protocol.protocol_state_machine import (
    ANSWER_SECONDS,
    BotProtocolSession,
    InvalidProtocolTransitionError,
)
from ftk_core.kit.terminal_output import EXIT_NEGATIVE, fail, out
from ftk_core.kit.uploads.bot_compilation import CompileError
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError

MIN_LONG_QUESTION_BYTES = 1 << 20
"""Minimum size in bytes of the long question that one check sends."""
STATE = " state"
"""Key of a question line for the JSON state of the match that a bot may request. It is not sent with the line."""
Lines = list[dict[str, Any]]
ChangeLines = Callable[[Lines], Lines]
protocols = typer.Typer()


class ConformanceCheck(msgspec.Struct, frozen=True, kw_only=True):
    """Result of one check of a bot's conformance to the protocol."""

    name: str
    passed: bool
    told: str
    """The bot's fault and its remedy; empty if the check passed."""


class ConformanceReport(msgspec.Struct, frozen=True, kw_only=True):
    """Results of all conformance checks of a bot."""

    bot: str
    game: str
    passed: bool
    checks: list[ConformanceCheck]
    schema: str = "ftk.protocol/1"


@protocols.command()
def protocol(
    bot: Annotated[str, typer.Argument(help="File or folder of the bot, or the name of a built-in bot.")],
    name: Annotated[
        str, typer.Option("--game", metavar="GAME", help="Name of a game; by default the first that `ftk games` lists.")
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Test whether a bot follows the protocol: greeting, unknown fields, long lines, ids, silence, flushing, the end.

    The bot runs with your rights, without a sandbox.
    """
    try:
        conformance_report = run_conformance_checks(name or next(iter(list_games())), bot)
    except (UnknownGameError, BotNotFound, InvalidUploadError, CompileError, OSError) as error:
        fail(error)
    if json:
        typer.echo(msgspec.json.encode(conformance_report))
    for check in [] if json else conformance_report.checks:
        explanation = f": {translate_line(check.told)}" if check.told else ""
        out.print(f"{'ok  ' if check.passed else 'FLAW'}  {translate_line(check.name)}{explanation}")
    if not conformance_report.passed:
        fail(_("{bot} does not keep to the protocol").format(bot=bot), EXIT_NEGATIVE)


def run_conformance_checks(name: str, bot: str) -> ConformanceReport:
    """Check that a bot follows the bot protocol, with the questions of a random match.

    Raises UnknownGameError, BotNotFound, InvalidUploadError, CompileError, OSError.
    """
    (lines, states), command = lines_and_states_of_seat_0(name), find_command(name, bot)
    lines = [{**line, STATE: states[line["id"]]} if line["type"] == "ask" else line for line in lines]
    folder = locate_folder(name, bot)
    checks = [
        _run_check(check_name, start_command(command, folder), changed(lines))
        for check_name, changed in CONFORMANCE_CHECKS.items()
    ]
    return ConformanceReport(bot=bot, game=name, passed=all(check.passed for check in checks), checks=checks)


def _question_lines(lines: Lines) -> Lines:
    return [line for line in lines if line["type"] == "ask"]


def _pad_first_question(lines: Lines) -> Lines:
    first = copy.deepcopy(_question_lines(lines)[0])
    news = first["news"] or [{"kind": "long"}]
    first["news"] = news * (MIN_LONG_QUESTION_BYTES // len(msgspec.json.encode(news)) + 1)
    return [lines[0], first, lines[-1]]


CONFORMANCE_CHECKS: dict[str, ChangeLines] = {
    N_("is greeted, and answers a question"): lambda lines: [lines[0], _question_lines(lines)[0]],
    N_("answers each question of a match once, and reads the end of the match"): lambda lines: lines,
    N_("plays a second match in a process of its own"): lambda lines: [
        {**lines[0], "match": "match/second"},
        *lines[1:],
    ],
    N_("ignores unknown fields"): lambda lines: [{**line, "since": {"later": [1]}} for line in lines],
    N_("reads a question of one mebibyte"): _pad_first_question,
    N_("answers with the id of the question"): lambda lines: [
        lines[0],
        *({**line, "id": 7 * line["id"] + 1_000_000} for line in _question_lines(lines)[:5]),
    ],
    N_("writes nothing before it is asked, and ends with its input"): lambda lines: [lines[0]],
}
"""Name of each check -> function that changes the protocol lines of a match into the lines to send."""


def _run_check(name: str, child: ChildProcess, lines: Lines) -> ConformanceCheck:
    with BotProtocolSession(child) as dialogue:
        try:
            flaw = _flaw_in(dialogue, lines)
        except OSError as error:
            seconds = f"{ANSWER_SECONDS:.0f}"
            flaw = _("it was still running {seconds} s after its input had ended: exit at the end of the input").format(
                seconds=seconds
            )
            if not isinstance(error, TimeoutError):
                flaw = _("it has not read all that was written: read each line whole, until the input ends")
    return ConformanceCheck(name=name, passed=not flaw, told=strip_control_characters(flaw))


def _flaw_in(dialogue: BotProtocolSession, lines: Lines) -> str:
    """Send protocol lines to a bot and describe its first violation of the protocol, if any."""
    # Raises TimeoutError if the bot does not end when its input ends, OSError if the bot has died.
    for line in lines:
        dialogue.send_line({key: value for key, value in line.items() if key != STATE})
        if line["type"] == "ask" and (flaw := _flaw_in_answer(dialogue, line)):
            return flaw
    if output := dialogue.finish():
        return _("it wrote what nobody had asked for: {output}; write answers there, the rest to stderr").format(
            output=repr(output[:80])
        )
    return _("it ended with {code}").format(code=dialogue.code) if dialogue.code else ""


def _flaw_in_answer(dialogue: BotProtocolSession, line: dict[str, Any]) -> str:
    """Read the answer to a question and describe its first fault. If the bot requests a match state, send it first."""
    answer_line = dialogue.read_line()
    if answer_line is None or dialogue.state != "waiting":
        return _flaw_of(answer_line, line)
    try:
        request = read_reply_or_request(answer_line)
        if request.id != line["id"]:
            return _wrong_id(request.id, line)
        dialogue.send_line({"type": "world", "id": line["id"], "state": line[STATE]})
        return _flaw_of(dialogue.read_line(), line)
    except InvalidBotAnswerError as error:
        return _invalid_line(error, answer_line, line)
    except InvalidProtocolTransitionError:
        return _("{where}: it requested a second state of the match: keep the first").format(where=_where(line))


def _where(line: dict[str, Any]) -> str:
    return _("question {number}").format(number=line["id"])


def _wrong_id(found: int, line: dict[str, Any]) -> str:
    return _("{where}: it answered for {id}: give the question's id back").format(where=_where(line), id=found)


def _invalid_line(error: InvalidBotAnswerError, answer_line: bytes, line: dict[str, Any]) -> str:
    return _("{where}: {error}; it wrote {answer_line}").format(
        where=_where(line), error=error, answer_line=repr(answer_line[:80])
    )


def _flaw_of(answer_line: bytes | None, line: dict[str, Any]) -> str:
    where = _where(line)
    if answer_line is None:
        seconds = f"{ANSWER_SECONDS:.0f}"
        return _(
            "{where}: it has ended, or was silent for {seconds} s: flush each line, and answer every question"
        ).format(where=where, seconds=seconds)
    try:
        reply = read_reply(answer_line)
    except InvalidBotAnswerError as error:
        return _invalid_line(error, answer_line, line)
    if reply.id != line["id"]:
        return _wrong_id(reply.id, line)
    if not 0 <= reply.choose < len(line["menu"]):
        return _("{where}: it chose {chosen} of {count} items: count from 0").format(
            where=where, chosen=reply.choose, count=len(line["menu"])
        )
    return ""
