"""Client side of the bot protocol: a bot imports `run` and calls `run(choose)`."""
# Uses the standard library only: this file must work inside the sandbox and when it is copied anywhere.

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from io import TextIOWrapper
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
        for this game. If your time for the question is over, `choose` ends here: the call raises QuestionTimeout.
        """
        if self._request_world:  # a second request is a fault, also where the first one got None
            self._world, self._request_world = self._request_world(), None
        return self._world


class QuestionTimeout(BaseException):
    """Raised by `Ask.world` if the server no longer waits for an answer to the question. `run` catches it."""

    # Not an `Exception`: a bot that catches the errors of its search must not go on with the old question.


class _ServerConnection:
    """Lines from and to the server, as decoded JSON."""

    def __init__(self, source: TextIO, sink: TextIO) -> None:
        self._lines, self._unread, self._sink = map(json.loads, source), list[dict[str, Any]](), sink

    def read(self) -> dict[str, Any] | None:
        """Return the next line from the server, or None at the end of the input."""
        return self._unread.pop() if self._unread else next(self._lines, None)

    def write(self, line: dict[str, Any]) -> None:
        """Send a line to the server."""
        self._sink.write(json.dumps(line) + "\n")
        self._sink.flush()

    def request_world(self, number: int) -> Any:
        """Request a state of the match for a question. Raises QuestionTimeout if the server has gone on."""
        self.write({"id": number, "world": True})
        for line in iter(self.read, None):
            if line["type"] == "world":
                return line["state"]
            if line["type"] in ("ask", "over"):  # the request came too late, and the server has ignored it
                self._unread.append(line)
                raise QuestionTimeout
        return None


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
    server = _ServerConnection(source or _open_input(), sink or sys.stdout)
    hello: dict[str, Any] = {}
    for line in iter(server.read, None):
        if line["type"] == "hello":
            hello = line
        elif line["type"] == "ask":
            ask = Ask(hello, line, partial(server.request_world, line["id"]))
            with suppress(QuestionTimeout):
                answer: dict[str, Any] = {"id": ask.id, "choose": choose(ask)}
                if ask.note:
                    answer["note"] = truncate_note(format_note(ask.note))
                server.write(answer)
        elif line["type"] == "over":
            return


def _open_input() -> TextIO:
    """Return stdin as UTF-8, which is not the default on Windows."""
    # Only where it differs: an input that was read before refuses even its own encoding.
    if isinstance(sys.stdin, TextIOWrapper) and sys.stdin.encoding.lower() != "utf-8":
        sys.stdin.reconfigure(encoding="utf-8")
    return sys.stdin


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
