"""`ftk rerun`, `ftk at` and `ftk repro bundle`: ask a bot the questions of a played match again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from gettext import gettext as _
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.table import Table

from ftk_core.facts import encode
from ftk_core.games import UnknownGameError, game
from ftk_core.kit.built_in_bots import BotNotFound, start_bot
from ftk_core.kit.client.http_client import RequestError
from ftk_core.kit.client.token_store import TokenStoreError
from ftk_core.kit.commands.login import LOCAL_SERVER, Shown
from ftk_core.kit.match_loading import read_match, read_questions
from ftk_core.kit.match_series.local_match_options import Json, print_json
from ftk_core.kit.match_series.local_matches import names_of
from ftk_core.kit.protocol import recorded_seat_questions
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.kit.protocol.protocol_lines import QuestionLine, strip_control_characters
from ftk_core.kit.protocol.recorded_seat_questions import RecordedQuestionAndChoice, RecordedQuestions, RerunQuestion
from ftk_core.kit.terminal_output import EXIT_NEGATIVE, describe_os_error, fail, fail_too_busy, out
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from ftk_core.log_entries import ChoiceMade, read
from ftk_core.logged_decisions import opening_of, questions
from ftk_core.players import HostOverloadError, NoAnswerError

MAX_SHOWN_DIFFERENCES = 20
"""Maximum number of different answers in the printed table."""
rerunning = typer.Typer()
repro = typer.Typer(help="Extract from a match the part that reproduces a fault.", no_args_is_help=True)
Source = Annotated[str, typer.Argument(metavar="MATCH", help="Log file, bundle, or id of a match on the server.")]
Number = Annotated[int, typer.Option("--match", help="Number of the match, if the log has several.")]
Server = Annotated[str, typer.Option(envvar="FTK_SERVER")]


class ChangedBotAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A question to which a bot now gives another answer than in a stored match."""

    entry: int
    """Number of the answer's entry in the log."""
    question: int
    was: msgspec.Raw
    """The action that was played in the match."""
    was_excuse: str | None
    """Reason why the action `was` was played for the bot; None if the bot chose it."""
    now: msgspec.Raw | None
    """The action that the bot chooses now; None without a valid answer."""
    now_fault: str
    """Fault in the answer that the bot gives now; empty if the answer is valid."""


class RerunReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of asking a bot the stored questions of one seat again: the answers that changed."""

    schema: str = "ftk.rerun/1"
    game: str
    match: str
    seat: int
    bot: str
    """Name of the seat's bot in the match."""
    questions: int
    differences: tuple[ChangedBotAnswer, ...]


@rerunning.command()
def rerun(
    source: Source,
    bot: Annotated[str, typer.Option(help="Your bot: a path, or the name of a built-in bot.")],
    seat: Annotated[int | None, typer.Option(help="Seat whose questions are asked; by default the bot's own.")] = None,
    number: Number = 1,
    json: Json = False,
    server: Server = LOCAL_SERVER,
    token: Shown = "",
) -> None:
    """Ask a bot all questions of a seat in a match again, and show the answers that differ."""
    with _wrong_input_told(source):
        questions = read_questions(source, number, seat, names_of([bot])[0], server, token)
        report = ask_again(questions, bot)
    if json:
        print_json(report)
    else:
        _print(report)
    if report.differences:
        raise typer.Exit(EXIT_NEGATIVE)


def ask_again(questions: RecordedQuestions, bot: str) -> RerunReport:
    """Ask a bot the stored questions of a seat again, and report the answers that differ.

    The bot runs without a sandbox. Raises ValueError if all stored answers are valid and none of the bot's answers is:
    the bot is probably for another game. Raises BotNotFound, InvalidUploadError, CompileError, HostOverloadError,
    OSError.
    """
    hello, differences = questions.hello, list[ChangedBotAnswer]()
    with BotProcessPlayer(questions.heading.bot, start_bot(hello.game, bot), metered=False) as player:
        player.greet(hello)
        for step in questions.steps:
            chosen, fault = _answer(player, RerunQuestion(step, hello))
            # The log stores no invalid answer, only the excuse: two answers are equal if both are invalid.
            if chosen != (None if step.excuse else step.chosen):
                differences.append(_difference(step, chosen, fault))
    if differences and len(differences) == sum(difference.now is None for difference in differences) == len(
        questions.steps
    ):
        raise ValueError(
            _(
                "{bot} gives no valid answer to any question; is it for another game than {title}? Its first"
                " fault: {now_fault}"
            ).format(bot=bot, title=game(hello.game).title, now_fault=differences[0].now_fault)
        )
    return RerunReport(
        game=hello.game, match=hello.match, seat=hello.seat, bot=questions.heading.bot, questions=len(questions.steps),
        differences=tuple(differences),
    )  # fmt: skip


def _answer(player: BotProcessPlayer, ask: RerunQuestion) -> tuple[int | None, str]:
    try:
        return player.choose(ask).index, ""
    except NoAnswerError as silence:
        return None, strip_control_characters(str(silence))


def _difference(step: RecordedQuestionAndChoice, chosen: int | None, fault: str) -> ChangedBotAnswer:
    menu = step.ask.menu
    return ChangedBotAnswer(
        entry=step.entry, question=step.ask.id, was=menu[step.chosen], was_excuse=step.excuse,
        now=None if chosen is None else menu[chosen], now_fault=fault,
    )  # fmt: skip


def _print(report: RerunReport) -> None:
    same = report.questions - len(report.differences)
    out.print(
        _("{match}, seat {seat}, {bot}: {same} of {questions} answered as then").format(
            match=report.match, seat=report.seat, bot=report.bot, same=same, questions=report.questions
        )
    )
    if not report.differences:
        return
    grid = Table(_("entry"), _("question"), _("then"), _("now"))
    for difference in report.differences[:MAX_SHOWN_DIFFERENCES]:
        then = (
            f"{_action_text(difference.was)} ({difference.was_excuse})"
            if difference.was_excuse
            else _action_text(difference.was)
        )
        grid.add_row(
            str(difference.entry),
            str(difference.question),
            then,
            _action_text(difference.now) if difference.now else difference.now_fault,
        )
    out.print(grid)
    if len(report.differences) > MAX_SHOWN_DIFFERENCES:
        out.print(
            _("and {count} more; --json has all of them").format(count=len(report.differences) - MAX_SHOWN_DIFFERENCES)
        )


def _action_text(action: msgspec.Raw) -> str:
    return bytes(action).decode()


@rerunning.command()
def at(
    source: Source,
    entry: Annotated[int, typer.Argument(help="Number of the choice's entry in the log.")],
    number: Number = 1,
    server: Server = LOCAL_SERVER,
    token: Shown = "",
) -> None:
    """Print the question that a seat was asked, exactly as its bot read it."""
    with _wrong_input_told(source):
        lines = read_match(source, number, server, token)
        if not 0 <= entry < len(lines):
            raise ValueError(
                _("entry {entry}: the log has the entries 0 to {lines}").format(entry=entry, lines=len(lines) - 1)
            )
        chose = read(lines[entry])
        if not isinstance(chose, ChoiceMade):
            message = _("entry {entry} is not a choice: nobody was asked there; `ftk story` tells what happened")
            raise ValueError(message.format(entry=entry))  # noqa: TRY004 - the number that was given is wrong
        question = list(questions(lines[: entry + 1], chose.seat))[-1]
    typer.echo(encode(QuestionLine.of(question.ask)).decode())


@repro.command()
def bundle(
    source: Source,
    to: Annotated[Path, typer.Option("--to", "-o", help="File to write.")],
    seat: Annotated[int | None, typer.Option(help="Seat to extract; by default the only one with a fault.")] = None,
    whole: Annotated[bool, typer.Option("--whole", help="Continue after the first fault.")] = False,
    number: Number = 1,
    server: Server = LOCAL_SERVER,
    token: Shown = "",
) -> None:
    """Write a file with a seat's questions up to its first fault. `ftk rerun` then needs neither seed nor log."""
    with _wrong_input_told(source):
        lines = read_match(source, number, server, token)
        asked = _find_faulty_seat(lines) if seat is None else seat
        contents = recorded_seat_questions.bundle_of(lines, asked, to_fault=not whole)
        with to.open("xb") as file:
            file.write(recorded_seat_questions.encode_bundle(contents))
    fault = next(
        (
            _("; {excuse} at question {id}").format(excuse=step.excuse, id=step.ask.id)
            for step in contents.steps
            if step.excuse
        ),
        _("; no fault"),
    )
    bot_in_match = f"{contents.heading.bot} in {contents.hello.match}"
    out.print(
        _("written: {to}, {bot_in_match}, {steps} questions{fault}").format(
            to=to, bot_in_match=bot_in_match, steps=len(contents.steps), fault=fault
        ),
    )


def _find_faulty_seat(lines: list[bytes]) -> int:
    """Return the seat whose bot had a fault; raises ValueError unless exactly one had."""
    seats = sorted({entry.seat for entry in map(read, lines) if isinstance(entry, ChoiceMade) and entry.excuse})
    if len(seats) != 1:
        players = opening_of(lines).players
        faulty_seats = ", ".join(f"{seat} {players[seat]}" for seat in seats) or _("no seat")
        raise ValueError(
            _("which seat? Choose it by --seat; {faulty_seats} had a fault").format(faulty_seats=faulty_seats)
        )
    return seats[0]


@contextmanager
def _wrong_input_told(source: str) -> Iterator[None]:
    try:
        yield
    except (UnknownGameError, BotNotFound, InvalidUploadError, RequestError, TokenStoreError, ValueError) as error:
        fail(error)
    except HostOverloadError as error:
        fail_too_busy(error)
    except OSError as error:
        fail(describe_os_error(error, source))
