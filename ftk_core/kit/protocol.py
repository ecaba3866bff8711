"""``ftk protocol BOT``: a conformance test of the bot protocol, including cases that are rare in matches."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Annotated, Any

import msgspec
import typer

from ftk_core.games import UnknownGame, game, shelf
from ftk_core.kit.archive import BadUpload
from ftk_core.kit.compiling import NotCompiled
from ftk_core.kit.dialogue import SECONDS, Dialogue
from ftk_core.kit.door import UNSOUND, fail, out
from ftk_core.kit.house import NoSuchBot, command_of, started
from ftk_core.kit.lines import BadReply, read_reply
from ftk_core.kit.schema import lines_of
from ftk_core.kit.tongue import spoken
from ftk_core.kit.trial import printable

LONG_BYTES = 1 << 20
"""Minimum size in bytes of the long question."""
Lines = list[dict[str, Any]]
Changed = Callable[[Lines], Lines]
protocols = typer.Typer()


class Checkup(msgspec.Struct, frozen=True, kw_only=True):
    """Result of one conformance check."""

    name: str
    passed: bool
    told: str
    """Fault and remedy; empty if the check passed."""


class Conformance(msgspec.Struct, frozen=True, kw_only=True):
    """Results of all conformance checks of a bot."""

    bot: str
    game: str
    passed: bool
    checks: list[Checkup]
    schema: str = "ftk.protocol/1"


@protocols.command()
def protocol(
    bot: Annotated[str, typer.Argument(help="A file, a folder, or a house bot's name.")],
    name: Annotated[str, typer.Option("--game", metavar="GAME", help="By default the first of `ftk games`.")] = "",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Try whether a bot keeps to the protocol: greeting, unknown fields, long lines, ids, silence, flushing, the end.

    It runs with your rights, outside any cage.
    """
    try:
        found = conformance(name or next(iter(shelf())), bot)
    except (UnknownGame, NoSuchBot, BadUpload, NotCompiled, OSError) as error:
        fail(error)
    if json:
        typer.echo(msgspec.json.encode(found))
    for row in [] if json else found.checks:
        told = f": {spoken(row.told)}" if row.told else ""
        out.print(f"{'ok  ' if row.passed else 'FLAW'}  {spoken(row.name)}{told}", markup=False)
    if not found.passed:
        fail(f"{bot} does not keep to the protocol", UNSOUND)


def conformance(name: str, bot: str) -> Conformance:
    """Run all conformance checks; raises UnknownGame, NoSuchBot, BadUpload, NotCompiled, OSError.

    The checks use the questions of a real match between random players.
    """
    lines, command = _seat_0(name), command_of(name, bot)
    checks = [_tried(said, command, changed(lines)) for said, changed in TRIED.items()]
    return Conformance(bot=bot, game=name, passed=all(row.passed for row in checks), checks=checks)


def _seat_0(name: str) -> Lines:
    lines = lines_of(name, game(name).seats.start, 0)
    return lines[: next(number for number, line in enumerate(lines) if line["type"] == "over") + 1]


def _asks(lines: Lines) -> Lines:
    return [line for line in lines if line["type"] == "ask"]


def _padded(lines: Lines) -> Lines:
    first = copy.deepcopy(_asks(lines)[0])
    news = first["news"] or [{"kind": "long"}]
    first["news"] = news * (LONG_BYTES // len(msgspec.json.encode(news)) + 1)
    return [lines[0], first, lines[-1]]


TRIED: dict[str, Changed] = {
    "is greeted, and answers a question": lambda lines: [lines[0], _asks(lines)[0]],
    "answers each question of a match once, and hears that it is over": lambda lines: lines,
    "plays a second match in a process of its own": lambda lines: [{**lines[0], "match": "match/second"}, *lines[1:]],
    "passes over fields that it does not know": lambda lines: [{**line, "since": {"later": [1]}} for line in lines],
    "takes a question of a mebibyte": _padded,
    "answers by the id that it is asked": lambda lines: [
        lines[0],
        *({**line, "id": 7 * line["id"] + 1_000_000} for line in _asks(lines)[:5]),
    ],
    "writes nothing before it is asked, and ends with its input": lambda lines: [lines[0]],
}
"""Checks by name; each builds the lines to send from those of a match."""


def _tried(name: str, command: tuple[str, ...], lines: Lines) -> Checkup:
    with Dialogue(started(command)) as dialogue:
        try:
            flaw = _flaw_in(dialogue, lines)
        except OSError as error:
            flaw = f"it stayed after its input had ended, for {SECONDS:.0f} s: leave when reading gives nothing more"
            if not isinstance(error, TimeoutError):
                flaw = "it has not read all that was written: read each line whole, until the input ends"
    return Checkup(name=name, passed=not flaw, told=printable(flaw))


def _flaw_in(dialogue: Dialogue, lines: Lines) -> str:
    """Return the bot's fault on these lines; raises TimeoutError if it does not end, OSError if it has died."""
    for line in lines:
        dialogue.tell(line)
        if line["type"] == "ask" and (flaw := _flaw_of(dialogue.hear(), line)):
            return flaw
    if said := dialogue.left():
        return f"it wrote what nobody had asked for: {said[:80]!r}; write answers there, the rest to stderr"
    return f"it ended with {dialogue.code}" if dialogue.code else ""


def _flaw_of(said: bytes | None, line: dict[str, Any]) -> str:
    where = f"question {line['id']}"
    if said is None:
        return f"{where}: it has ended, or was silent for {SECONDS:.0f} s: flush each line, and answer every question"
    try:
        reply = read_reply(said)
    except BadReply as error:
        return f"{where}: {error}; it wrote {said[:80]!r}"
    if reply.id != line["id"]:
        return f"{where}: it answered for {reply.id}: give the question's id back"
    if not 0 <= reply.choose < len(line["menu"]):
        return f"{where}: it chose {reply.choose} of {len(line['menu'])} items: count from 0"
    return ""
