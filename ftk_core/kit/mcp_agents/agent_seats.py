"""Seats that an AI agent plays: the open question of each, its answer, and the result."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock

from ftk_core.views.question_text import omit_read_sentences

SendChoice = Callable[[int, int, str], None]
"""Function that delivers an answer: (number of the question, index of the chosen menu item, agent's note) -> None."""
MAX_NOTE_BYTES = 3500
"""Maximum size in bytes of an agent's note as JSON, so that the answer line fits into `ANSWER_BYTES`."""


class AgentSeatError(ValueError):
    """Raised for an invalid request of an AI agent, such as an unknown seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentQuestion:
    """A question to a seat that the agent has not answered yet."""

    number: int
    item_count: int
    """Number of menu items."""
    text: str
    """The question in words: past events as sentences (the story), the position, and the numbered menu."""


@dataclass(slots=True, kw_only=True)
class AgentSeat:
    """A seat that the AI agent plays in one match."""

    # Its name is `<match>/<seat number>`.

    name: str
    send: SendChoice
    question: AgentQuestion | None = None
    """The open question; None while the seat has nothing to choose, and after the end of the match."""
    newest_question_number: int = 0
    """Number of the newest question; 0 before the first."""
    read_sentence_count: int = 0
    """Number of sentences about past events (the story) that the agent has read."""
    answer: tuple[int, int, str] | None = None
    """Answer to the newest question, as (number, choice, note); None before it is given."""
    is_over: bool = False
    places: tuple[int, ...] = ()
    """Places of all seats of the match, in seat order; empty before the end and for a match without a result."""

    @property
    def match(self) -> str:
        """Id of the match."""
        return self.name.partition("/")[0]


class AgentSeats:
    """All seats of an AI agent, shared by several threads."""

    def __init__(self) -> None:
        self._seats: dict[str, AgentSeat] = {}
        self._lock = Lock()
        self._listeners: list[Callable[[], object]] = []

    def add(self, name: str, send: SendChoice) -> None:
        """Add a seat before its first question; the function `send` will deliver the agent's answers."""
        with self._lock:
            self._seats[name] = AgentSeat(name=name, send=send)

    def ask(self, name: str, question: AgentQuestion, send: SendChoice) -> None:
        """Store a question to a seat. If it repeats a question that the agent has answered, send the answer again."""
        # After a lost connection, the server repeats a question whose answer it did not receive.
        with self._lock:
            seat = self._seats.setdefault(name, AgentSeat(name=name, send=send))
            answer = seat.answer if question.number == seat.newest_question_number else None
            if answer is None and question.number >= seat.newest_question_number:
                seat.send, seat.question, seat.newest_question_number = send, question, question.number
                seat.answer = None
        if answer is not None:
            send(*answer)
        self._notify()

    def end(self, name: str, places: Sequence[int], send: SendChoice) -> None:
        """Store the end of a seat's match, with the final ranks."""
        # The seat may be unknown: a match may end before its first question to the seat.
        with self._lock:
            seat = self._seats.setdefault(name, AgentSeat(name=name, send=send))
            seat.question, seat.is_over, seat.places = None, True, tuple(places)
        self._notify()

    def _notify(self) -> None:
        for listener in list(self._listeners):
            listener()

    def list_seats(self) -> list[AgentSeat]:
        """Return all seats, in the order in which they were added."""
        with self._lock:
            return list(self._seats.values())

    async def wait(self, name: str, seconds: float) -> AgentSeat | None:
        """Wait until a seat has an open question or its match is over, and return the seat.

        If `name` is empty, wait for the open question of any seat. If `seconds` pass in vain, return None. Raises
        AgentSeatError for an unknown seat.
        """
        loop, changed = asyncio.get_running_loop(), asyncio.Event()

        def listener() -> None:
            loop.call_soon_threadsafe(changed.set)

        self._listeners.append(listener)
        try:
            async with asyncio.timeout(seconds):
                while (seat := self._find_ready(name)) is None:
                    await changed.wait()
                    changed.clear()
        except TimeoutError:
            return None
        finally:
            self._listeners.remove(listener)
        return seat

    def _find_ready(self, name: str) -> AgentSeat | None:
        if not name:
            return next((seat for seat in self._seats.values() if seat.question), None)
        seat = self._find(name)
        return seat if seat.question or seat.is_over else None

    def _find(self, name: str) -> AgentSeat:
        if name not in self._seats:
            known = ", ".join(self._seats) or "none yet; practise or order a match first"
            raise AgentSeatError(f"You have no seat {name[:60]!r}. Your seats: {known}.")
        return self._seats[name]

    def read_text(self, seat: AgentSeat, *, whole: bool) -> str:
        """Return the text of a seat's open question; empty if no question is open.

        Without `whole`, omit the events that an earlier call has returned.
        """
        with self._lock:
            if seat.question is None:
                return ""
            text, sentences = omit_read_sentences(seat.question.text, 0 if whole else seat.read_sentence_count)
            seat.read_sentence_count = sentences
            return text

    def answer(self, name: str, number: int, choose: int, note: str) -> None:
        """Answer the open question of a seat; raises AgentSeatError if the answer does not fit the question."""
        with self._lock:
            seat = self._find(name)
            question = seat.question
            if question is None:
                state = "Its match is over." if seat.is_over else "Wait for its next question with read_question."
                raise AgentSeatError(f"Seat {name} has no open question. {state}")
            if number != question.number:
                raise AgentSeatError(f"The open question of seat {name} is {question.number} (got {number}).")
            if not 0 <= choose < question.item_count:
                raise AgentSeatError(f"choose must be between 0 and {question.item_count - 1} (got {choose}).")
            if (size := len(json.dumps(note, ensure_ascii=False).encode(errors="replace"))) > MAX_NOTE_BYTES:
                raise AgentSeatError(f"A note has at most {MAX_NOTE_BYTES} bytes as JSON (got {size}). Shorten it.")
            seat.question, seat.answer = None, (number, choose, note.replace("\0", ""))
            send, answer = seat.send, seat.answer
        send(*answer)
