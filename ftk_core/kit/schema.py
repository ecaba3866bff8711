"""``ftk schema GAME``: the lines of the bot protocol for one game as a JSON Schema, from the game's own types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, get_args, get_type_hints

import msgspec
import typer

from ftk_core.facts import encode, secrets_of
from ftk_core.fold import read_options
from ftk_core.game import MENU_LIMIT
from ftk_core.games import UnknownGame, game
from ftk_core.kit.door import fail
from ftk_core.kit.lines import AskLine, OverLine, Reply
from ftk_core.log import MemoryLog
from ftk_core.players import Answer, Ask, Hello, RandomPlayer
from ftk_core.referee import play
from ftk_core.rng import seed_of

DIALECT = "https://json-schema.org/draft/2020-12/schema"
schemas = typer.Typer()


@schemas.command()
def schema(name: Annotated[str, typer.Argument(metavar="GAME", help="A game of `ftk games`.")]) -> None:
    """Print a JSON Schema of all lines that a bot of a game reads and writes, with examples."""
    try:
        typer.echo(msgspec.json.format(encode(schema_of(name)), indent=2).decode())
    except UnknownGame as error:
        fail(error)


def schema_of(name: str) -> dict[str, Any]:
    """Return the schema of a line that a bot reads; ``$defs`` contains all its parts, and ``AnswerLine``.

    Raises UnknownGame.
    """
    rules = game(name)
    kinds = [get_type_hints(rules.view)["return"], rules.facts, rules.actions, Hello, OverLine, Reply]
    parts, named = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    view, fact, action, hello, over, _ = parts
    answer = {**named.pop("Reply"), "title": "AnswerLine"}
    for kind in get_args(rules.facts):
        fields = named[kind.__name__]["properties"]
        # Facts contain null instead of values that the seat may not know.
        fields |= {secret: {"anyOf": [fields[secret], {"type": "null"}]} for secret in secrets_of(kind)}
    asked = {
        "type": "object",
        "title": "AskLine",
        "description": "A question. No answer in time plays item 0 of the menu.",
        "required": ["type", "id", "view", "news", "menu", "bank_ms"],
        "properties": {
            "type": {"const": "ask"},
            "id": {"type": "integer", "minimum": 1, "description": "Counts your own questions."},
            "view": view,
            "news": {"type": "array", "items": fact},
            "menu": {"type": "array", "items": action, "minItems": 2, "maxItems": MENU_LIMIT},
            "bank_ms": {"type": "integer", "minimum": 0, "description": "What is left of your bank."},
        },
        "additionalProperties": False,
    }
    return {
        "$schema": DIALECT,
        "$id": f"urn:ftk:{name}:{rules.version}",
        "title": f"What a bot of {rules.title} reads",
        "oneOf": [hello, {"$ref": "#/$defs/AskLine"}, over],
        "examples": examples_of(name),
        "$defs": {**named, "AskLine": asked, "AnswerLine": answer},
    }


class _Reader(RandomPlayer):
    """A player that chooses at random and stores the lines it reads."""

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.lines: list[Any] = []

    def greet(self, hello: Hello) -> None:
        """Store the greeting."""
        self.lines.append(hello)

    def choose(self, ask: Ask) -> Answer:
        """Store the question and choose at random."""
        self.lines.append(AskLine.of(ask))
        return super().choose(ask)

    def over(self, places: Sequence[int]) -> None:
        """Store the end."""
        self.lines.append(OverLine(places))


def lines_of(name: str, seats: int, number: int) -> list[Any]:
    """Return the lines that all bots read in a match of random players, seat by seat; raises UnknownGame."""
    rules = game(name)
    readers = [_Reader(seed_of("reader", str(seat))) for seat in range(seats)]
    play(rules, readers, seed_of("schema", name, str(number)), log=MemoryLog(), options=read_options(rules, "{}"))
    return [msgspec.json.decode(encode(line)) for reader in readers for line in reader.lines]


def examples_of(name: str) -> list[Any]:
    """Return one line of each type from a match at the smallest table."""
    lines = lines_of(name, game(name).seats.start, 0)
    return [next(line for line in lines if line["type"] == kind) for kind in ("hello", "ask", "over")]
