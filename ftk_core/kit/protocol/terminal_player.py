"""Terminal interface for a person who plays in place of a bot and types the numbers of menu items."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Sequence
from gettext import gettext as _
from typing import Any

SendLine = Callable[[str, Any], None]


class TerminalPlayer:
    """A person at a terminal who plays in place of a bot."""

    # The questions to all seats of the bot are shown one at a time; a daemon thread reads the person's input.

    def __init__(self, send: SendLine, show: Callable[[str], None]) -> None:
        self._send, self._show = send, show
        self._questions: asyncio.Queue[str] = asyncio.Queue()
        self._open: dict[str, tuple[dict[str, Any], str]] = {}
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()  # None: the questions have changed
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, daemon=True).start()
        self._task = asyncio.create_task(self._ask())

    def hear(self, seat: str, line: dict[str, Any], text: str) -> None:
        """Queue a question for the person, or show the result of the match."""
        if line["type"] == "ask":
            if seat not in self._open:
                self._questions.put_nowait(seat)
            self._open[seat] = (line, text)
        elif line["type"] == "over":
            self._open.pop(seat, None)
            self._show(
                _("{match} is over: places by seat {places}").format(match=seat, places=line["places"] or "none")
            )
        self._typed.put_nowait(None)

    def end_other_seats(self, seats: Sequence[str]) -> None:
        """Drop the questions to each seat that is not in `seats`."""
        # Their matches ended while the connection was lost.
        self._open = {seat: question for seat, question in self._open.items() if seat in seats}
        self._typed.put_nowait(None)

    def _read(self) -> None:
        for line in sys.stdin:
            self._loop.call_soon_threadsafe(self._typed.put_nowait, line)

    async def _ask(self) -> None:
        while True:
            seat = await self._questions.get()
            if seat not in self._open:
                continue
            line, text = self._open[seat]
            self._show(f"\n{text}\n")
            self._show(_("Your choice, 0 to {last_item}:").format(last_item=len(line["menu"]) - 1))
            choice = await self._number(seat, line)
            if choice is not None:
                del self._open[seat]
                self._send(seat, {"id": line["id"], "choose": choice})
            elif seat in self._open:
                self._questions.put_nowait(seat)

    async def _number(self, seat: str, line: dict[str, Any]) -> int | None:
        """Return the number that the person types for a question, or None once the question is gone."""
        items = len(line["menu"])
        while self._open.get(seat, (None,))[0] == line:
            entered = await self._typed.get()
            if entered is None:
                continue
            typed = entered.strip()
            if typed.isascii() and typed.isdigit() and len(typed) < 6 and int(typed) < items:
                return int(typed)
            self._show(
                _("{typed} is not on the menu; type a number from 0 to {items}:").format(
                    typed=repr(typed[:40]), items=items - 1
                )
            )
        return None

    async def end(self) -> None:
        """Stop asking the person."""
        self._task.cancel()
