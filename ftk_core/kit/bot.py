"""Client side of the bot protocol: a bot imports `run` and calls `run(choose)`."""
# Uses the standard library only: this file must work inside the sandbox and when it is copied anywhere.

import json
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, TextIO

NOTE_BYTES = 3_900
"""Maximum size of a note in bytes, as JSON. The whole answer line may have 4,096 bytes."""


class Ask:
    """Question from the server to the bot. The answer is an index into `menu`."""

    def __init__(
        self, hello: dict[str, Any], line: dict[str, Any], request_world: Callable[[], Any] = lambda: None
    ) -> None:
        self.hello = hello
        """The greeting line: a dict with the keys game, version, match, seat, seats, move_ms, bank_ms, protocol."""
        self.seat: int = hello["seat"]
        """Number of your seat, from 0."""
        self.id: int = line["id"]
        self.view: Any = line["view"]
        """Everything that your seat is allowed to know, as decoded JSON in the game's own format."""
        self.news: list[dict[str, Any]] = line["news"]
        """Events of the match since your last question; values that you may not know are null."""
        self.menu: list[dict[str, Any]] = line["menu"]
        """The actions you may choose from; item 0 is played if you do not answer in time."""
        self.bank_ms: int = line["bank_ms"]
        """Milliseconds left of your time bank."""
        self.note: str | dict[str, float] = ""
        """Optional note, stored with your answer; only your bot's authors see it. Numbers in a dict are plotted."""
        self._request_world: Callable[[], Any] | None = request_world
        self._world: Any = None

    def world(self) -> Any:
        """Return a complete state of the match, from which a bot can simulate how the match goes on.

        Values that you do not know are random in this state. The state is decoded JSON, which `ftk_core.kit.engine`
        can search. Every call for the same question returns the same state. Return None if the server offers no states
        for this game.
        """
        if self._request_world:  # a second request is a fault, also where the first one got None
            self._world, self._request_world = self._request_world(), None
        return self._world


def run(choose: Callable[[Ask], int], source: TextIO | None = None, sink: TextIO | None = None) -> None:
    """Answer every question with ``choose(ask)``, an index into ``ask.menu``, until the match is over.

    The bot of the example always chooses the last item of its menu.

    >>> from io import StringIO
    >>> hello = {"type": "hello", "seat": 0}
    >>> menu = [{"kind": "hold"}, {"kind": "roll"}]
    >>> ask = {"type": "ask", "id": 1, "view": {}, "news": [], "menu": menu, "bank_ms": 0}
    >>> lines = "".join(json.dumps(line) + chr(10) for line in (hello, ask, {"type": "over", "places": [1, 2]}))
    >>> run(lambda ask: len(ask.menu) - 1, StringIO(lines), sys.stdout)
    {"id": 1, "choose": 1}
    """
    lines, answers = iter(source or sys.stdin), sink or sys.stdout

    def write(line: dict[str, Any]) -> None:
        answers.write(json.dumps(line) + "\n")
        answers.flush()

    def request_world(number: int) -> Any:
        write({"id": number, "world": True})
        return next((line["state"] for line in map(json.loads, lines) if line["type"] == "world"), None)

    hello: dict[str, Any] = {}
    for text in lines:
        line = json.loads(text)
        if line["type"] == "hello":
            hello = line
        elif line["type"] == "ask":
            ask = Ask(hello, line, partial(request_world, line["id"]))
            answer: dict[str, Any] = {"id": ask.id, "choose": choose(ask)}
            if ask.note:
                answer["note"] = truncate_note(format_note(ask.note))
            write(answer)
        elif line["type"] == "over":
            return


def format_note(note: str | dict[str, float]) -> str:
    """Convert a note to text. A bot can attach a note to each answer, for its author to read.

    >>> format_note({"depth": 4, "value": -0.25})
    'depth=4 value=-0.25'
    """
    # The server plots such name=value pairs for the bot's author.
    return note if isinstance(note, str) else " ".join(f"{name}={number:g}" for name, number in note.items())


def truncate_note(note: str) -> str:
    """Shorten a note to `NOTE_BYTES`, and remove characters that the server does not accept.

    >>> truncate_note("two ways to go on")
    'two ways to go on'
    >>> len(truncate_note("x" * 100_000)) < NOTE_BYTES
    True
    """
    text = note.replace("\0", "").encode(errors="replace").decode()
    while len(json.dumps(text)) > NOTE_BYTES:
        text = text[: len(text) * 9 // 10]
    return text
