"""Commands `ftk rerun`, `ftk at` and `ftk repro bundle`: ask a bot again what a seat was asked in a stored match."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.table import Column, Table

from ftk_core.entries import Chose, read
from ftk_core.facts import encode
from ftk_core.games import UnknownGame, game
from ftk_core.kit.arena import names_of
from ftk_core.kit.calls import Refused
from ftk_core.kit.compiling import NotCompiled
from ftk_core.kit.door import UNSOUND, fail, out
from ftk_core.kit.house import NoSuchBot, command_of, started
from ftk_core.kit.keeping import NotKept
from ftk_core.kit.lines import AskLine
from ftk_core.kit.login import NEARBY, Shown
from ftk_core.kit.pipe import PipePlayer
from ftk_core.kit.repro import Bundle, KeptAsk, Step, bundle_of, written
from ftk_core.kit.series_options import Json, print_json
from ftk_core.kit.sources import read_asked, read_match
from ftk_core.kit.trial import printable
from ftk_core.players import HostFault, NoAnswer
from ftk_core.questions import opening_of, questions

SHOWN = 20
"""Maximum number of differences in the printed table."""
rerunning = typer.Typer()
repro = typer.Typer(help="Take out of a match what shows a fault.", no_args_is_help=True)
Source = Annotated[str, typer.Argument(metavar="MATCH", help="A log, a bundle, or a match's id on the server.")]
Number = Annotated[int, typer.Option("--match", help="Which match of a log of several.")]
Server = Annotated[str, typer.Option(envvar="FTK_SERVER")]


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A question that a bot now answers differently."""

    entry: int
    """Number of the answer's entry in the log."""
    question: int
    was: msgspec.Raw
    """The action that was played then."""
    was_excuse: str | None
    """Reason why it was played instead of an answer, if it was."""
    now: msgspec.Raw | None
    """The action that is chosen now; None without a valid answer."""
    now_fault: str
    """Fault of the answer now; empty if it is valid."""


class RerunReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of asking a bot again for every decision of a seat in a stored match."""

    schema: str = "ftk.rerun/1"
    game: str
    match: str
    seat: int
    bot: str
    """Name of the seat's bot in the match."""
    questions: int
    differences: tuple[Difference, ...]


@rerunning.command()
def rerun(
    source: Source,
    bot: Annotated[str, typer.Option(help="Your bot: a path, or a house bot's name.")],
    seat: Annotated[int | None, typer.Option(help="Whose questions; the bot's own by default.")] = None,
    number: Number = 1,
    json: Json = False,
    server: Server = NEARBY,
    token: Shown = "",
) -> None:
    """Ask a bot every question of a seat in a match once more, and show where it answers otherwise."""
    with _wrong_input_told(source):
        asked = read_asked(source, number, seat, names_of([bot])[0], server, token)
        report = asked_again(asked, bot)
    if json:
        print_json(report)
    else:
        _print(report)
    if report.differences:
        raise typer.Exit(UNSOUND)


def asked_again(asked: Bundle, bot: str) -> RerunReport:
    """Ask a bot the questions of a seat again, in order; the bot is started as by `ftk play`.

    Raises ValueError for a bot that gives no valid answer at all.
    """
    hello, differences = asked.hello, list[Difference]()
    with PipePlayer(asked.heading.bot, started(command_of(hello.game, bot)), metered=False) as player:
        player.greet(hello)
        for step in asked.steps:
            chosen, fault = _answer(player, KeptAsk(step.ask, hello))
            # The log does not contain an answer that never arrived, so only its absence can be compared.
            if chosen != (None if step.excuse else step.chosen):
                differences.append(_difference(step, chosen, fault))
    if differences and len(differences) == sum(row.now is None for row in differences) == len(asked.steps):
        raise ValueError(
            f"{bot} gives no valid answer to any question, is it for another game than {game(hello.game).title}? "
            f"It {differences[0].now_fault}"
        )
    return RerunReport(
        game=hello.game, match=hello.match, seat=hello.seat, bot=asked.heading.bot, questions=len(asked.steps),
        differences=tuple(differences),
    )  # fmt: skip


def _answer(player: PipePlayer, ask: KeptAsk) -> tuple[int | None, str]:
    try:
        return player.choose(ask).index, ""
    except NoAnswer as silence:
        return None, printable(str(silence))


def _difference(step: Step, chosen: int | None, fault: str) -> Difference:
    menu = step.ask.menu
    return Difference(
        entry=step.entry, question=step.ask.id, was=menu[step.chosen], was_excuse=step.excuse,
        now=None if chosen is None else menu[chosen], now_fault=fault,
    )  # fmt: skip


def _print(report: RerunReport) -> None:
    same = report.questions - len(report.differences)
    out.print(f"{report.match}, seat {report.seat}, {report.bot}: {same} of {report.questions} answered as then")
    if not report.differences:
        return
    grid = Table("entry", "question", *(Column(name, overflow="fold") for name in ("then", "now")))
    for row in report.differences[:SHOWN]:
        then = f"{_said(row.was)} ({row.was_excuse})" if row.was_excuse else _said(row.was)
        grid.add_row(str(row.entry), str(row.question), then, _said(row.now) if row.now else row.now_fault)
    out.print(grid)
    if len(report.differences) > SHOWN:
        out.print(f"and {len(report.differences) - SHOWN} more; --json has all of them")


def _said(action: msgspec.Raw) -> str:
    return bytes(action).decode()


@rerunning.command()
def at(
    source: Source,
    entry: Annotated[int, typer.Argument(help="The number of a choice's entry in the log.")],
    number: Number = 1,
    server: Server = NEARBY,
    token: Shown = "",
) -> None:
    """Print exactly what a seat was asked before it chose: the line that it read."""
    with _wrong_input_told(source):
        lines = read_match(source, number, server, token)
        if not 0 <= entry < len(lines):
            raise ValueError(f"entry {entry}: the log has the entries 0 to {len(lines) - 1}")
        chose = read(lines[entry])
        if not isinstance(chose, Chose):
            raise ValueError(  # noqa: TRY004 - what is wrong is the number that was given
                f"entry {entry} is no choice: nobody was asked there; `ftk story` tells what happened"
            )
        *_, question = questions(lines[: entry + 1], chose.seat)
    typer.echo(encode(AskLine.of(question.ask)).decode())


@repro.command()
def bundle(
    source: Source,
    to: Annotated[Path, typer.Option("--to", "-o", help="The file that is written.")],
    seat: Annotated[int | None, typer.Option(help="Whose questions; by default of the one seat with a fault.")] = None,
    whole: Annotated[bool, typer.Option("--whole", help="Go on behind the first fault.")] = False,
    number: Number = 1,
    server: Server = NEARBY,
    token: Shown = "",
) -> None:
    """Write one file with what a seat was asked up to its first fault, for `ftk rerun`; no seed or log is needed."""
    with _wrong_input_told(source):
        lines = read_match(source, number, server, token)
        found = bundle_of(lines, _faulty(lines) if seat is None else seat, to_fault=not whole)
        with to.open("xb") as file:
            file.write(written(found))
    fault = next((f"; {step.excuse} at question {step.ask.id}" for step in found.steps if step.excuse), "; no fault")
    who = f"{found.heading.bot} in {found.hello.match}"
    out.print(f"written: {to}, {who}, {len(found.steps)} questions{fault}", markup=False)


def _faulty(lines: list[bytes]) -> int:
    """Return the only seat with a fault; raises ValueError if there is none or several."""
    seats = sorted({entry.seat for entry in map(read, lines) if isinstance(entry, Chose) and entry.excuse})
    if len(seats) != 1:
        players = opening_of(lines).players
        there = ", ".join(f"{seat} {players[seat]}" for seat in seats) or "no seat"
        raise ValueError(f"which seat? say it by --seat; {there} had a fault")
    return seats[0]


@contextmanager
def _wrong_input_told(source: str) -> Iterator[None]:
    try:
        yield
    except (UnknownGame, NoSuchBot, NotCompiled, Refused, NotKept, ValueError) as error:
        fail(error)
    except HostFault as error:
        fail(f"this machine is too busy to judge a bot, try again: {error}", UNSOUND)
    except OSError as error:
        fail(f"{error.filename or source}: {error.strerror or error}")
