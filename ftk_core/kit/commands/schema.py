"""`ftk games` and `ftk schema`: list the games, and print a game's bot protocol as a JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from gettext import gettext as _
from typing import Annotated, Any, cast, get_type_hints

import msgspec
import typer

from ftk_core.facts import Action, Fact, encode, secret_fields_of, tag_of, types_in_union
from ftk_core.game import MENU_LIMIT
from ftk_core.games import UnknownGameError, game, list_games
from ftk_core.hash_chained_log import InMemoryLog
from ftk_core.kit.built_in_bots import list_built_in_bots, list_search_bots
from ftk_core.kit.protocol.protocol_lines import BotAnswerLine, CompleteMatchStateLine, MatchOverLine, QuestionLine
from ftk_core.kit.terminal_output import fail, out
from ftk_core.match_state_from_log import read_options
from ftk_core.players import HelloMessage, PlayerAnswer, QuestionToSeat, RandomPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import play

DIALECT = "https://json-schema.org/draft/2020-12/schema"
schemas = typer.Typer()
PUBLISHED_NAMES = {
    "AuctionResult": "Sale",
    "OfficeDutyPoints": "Duty",
    "HelloMessage": "Hello",
    "MatchOverLine": "OverLine",
    "AccusationRecord": "Accusation",
    "PlayerClaim": "Claim",
    "PlayerView": "Sight",
    "ItemsTakenFromBox": "Take",
    "SeenBoxContents": "Contents",
    "TableState": "Table",
}
"""Name of a class -> name of its definition in published schemas, where the two differ."""


@schemas.command()
def schema(
    name: Annotated[str, typer.Argument(metavar="GAME", help="Name of a game; `ftk games` lists them.")],
) -> None:
    """Print a JSON Schema of all lines that a bot of a game reads and writes, with examples."""
    try:
        typer.echo(msgspec.json.format(encode(schema_of(name)), indent=2).decode())
    except UnknownGameError as error:
        fail(error)


def schema_of(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a game's bot protocol. Raises UnknownGameError.

    The schema describes the lines that a bot reads. ``AnswerLine`` in ``$defs`` describes the line that a bot writes.
    """
    rules = game(name)
    view_type = get_type_hints(rules.view)["return"]
    kinds = [view_type, rules.facts, rules.actions, HelloMessage, MatchOverLine, BotAnswerLine]
    parts, named = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    view, fact, action, hello, over, _ = parts
    answer = {**named.pop(BotAnswerLine.__name__), "title": "AnswerLine"}
    for kind in types_in_union(rules.facts):
        fields = named[kind.__name__]["properties"]
        # In a seat's news, null replaces each value that the seat may not know.
        fields |= {secret: {"anyOf": [fields[secret], {"type": "null"}]} for secret in secret_fields_of(kind)}
    ask_schema = {
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
    document = {
        "$schema": DIALECT,
        "$id": f"urn:ftk:{name}:{rules.version}",
        "title": f"What a bot of {rules.title} reads",
        "oneOf": [hello, {"$ref": "#/$defs/AskLine"}, over],
        "examples": examples_of(name),
        "$defs": {**named, "AskLine": ask_schema, "AnswerLine": answer},
    }
    tagged = {kind.__name__: _definition_name(kind) for kind in types_in_union(rules.facts | rules.actions)}
    return _rename_definitions(document, PUBLISHED_NAMES | tagged)


def _definition_name(kind: type[Fact | Action]) -> str:
    """Return the schema's name for a type of event or action, e.g. ``CardDrawn``."""
    return tag_of(kind).title().replace("_", "")


def _rename_definitions(document: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Rename definitions of a schema (`names`: old name -> new name), also in titles and references."""
    pattern = re.compile(rf'"(#/\$defs/)?({"|".join(names)})"')
    renamed = pattern.sub(lambda found: f'"{found[1] or ""}{names[found[2]]}"', encode(document).decode())
    return cast("dict[str, Any]", msgspec.json.decode(renamed))


class _LineRecorder(RandomPlayer):
    """A player that chooses at random and stores the protocol lines that a bot in its seat reads.

    With `records_states`, it also stores a state of the match for each question, as a bot can request it.
    """

    def __init__(self, seed: bytes, records_states: bool = False) -> None:
        super().__init__(seed)
        self.records_states = records_states
        self.lines: list[Any] = []
        self.states: list[CompleteMatchStateLine] = []

    def greet(self, hello: HelloMessage) -> None:
        """Store the greeting line."""
        self.lines.append(hello)

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        """Store the question line and choose at random. With `records_states`, also store a state of the match."""
        self.lines.append(QuestionLine.of(ask))
        if self.records_states:
            self.states.append(CompleteMatchStateLine.of(ask))
        return super().choose(ask)

    def over(self, places: Sequence[int]) -> None:
        """Store the line that ends the match."""
        self.lines.append(MatchOverLine(places))


def lines_of(name: str, seats: int, number: int) -> list[Any]:
    """Play a match between random players, and return the decoded lines that bots read.

    The lines are sorted by seat. Raises UnknownGameError.
    """
    readers = [_LineRecorder(seed_of("reader", str(seat))) for seat in range(seats)]
    _record_match(name, readers, number)
    return [line for reader in readers for line in _decode_lines(reader.lines)]


def lines_and_states_of_seat_0(name: str) -> tuple[list[dict[str, Any]], dict[int, msgspec.Raw]]:
    """Play a match between random players, and return the pair (lines, states) for seat 0.

    `lines` are the decoded protocol lines that a bot in this seat reads. `states` maps the id of each question to a
    state of the match in JSON, as a bot can request it. Raises UnknownGameError.
    """
    seats = range(game(name).seats.start)
    readers = [_LineRecorder(seed_of("reader", str(seat)), records_states=seat == 0) for seat in seats]
    _record_match(name, readers, 0)
    reader = readers[0]
    return _decode_lines(reader.lines), {line.id: line.state for line in reader.states}


def _record_match(name: str, readers: Sequence[_LineRecorder], number: int) -> None:
    rules = game(name)
    play(rules, readers, seed_of("schema", name, str(number)), log=InMemoryLog(), options=read_options(rules, "{}"))


def _decode_lines(lines: Sequence[Any]) -> list[Any]:
    return [msgspec.json.decode(encode(line)) for line in lines]


def examples_of(name: str) -> list[Any]:
    """Return a decoded example of each line that a bot reads. Raises UnknownGameError."""
    lines = lines_of(name, game(name).seats.start, 0)
    return [next(line for line in lines if line["type"] == kind) for kind in ("hello", "ask", "over")]


@schemas.command()
def games() -> None:
    """List the games and the built-in bots."""
    for name, rules in list_games().items():
        seats = f"{rules.seats.start}-{rules.seats.stop - 1}"
        bots = ", ".join([*list_built_in_bots(name), *list_search_bots(name)])
        out.print(
            _("{name} v{version}  {title}, {seats} seats; bots: {bots}").format(
                name=name, version=rules.version, title=rules.title, seats=seats, bots=bots
            )
        )
