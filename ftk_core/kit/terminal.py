"""A person who plays a bot's seat at a terminal, by typing numbers."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

Send = Callable[[str, Any], None]


class AtTerminal:
    """An answerer that asks one question after the other, of all seats; a daemon thread reads the input."""

    def __init__(self, send: Send, show: Callable[[str], None]) -> None:
        self._send, self._show = send, show
        self._questions: asyncio.Queue[str] = asyncio.Queue()
        self._open: dict[str, tuple[dict[str, Any], str]] = {}
        self._typed: asyncio.Queue[str] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, daemon=True).start()
        self._task = asyncio.create_task(self._ask())

    def hear(self, seat: str, line: dict[str, Any], text: str) -> None:
        """Queue a question, or show the result of a match."""
        if line["type"] == "ask":
            if seat not in self._open:
                self._questions.put_nowait(seat)
            self._open[seat] = (line, text)
        elif line["type"] == "over":
            self._open.pop(seat, None)
            self._show(f"{seat} is over: places by seat {line['places'] or 'none'}")

    def keep(self, seats: Sequence[str]) -> None:
        """Drop questions of other seats."""
        self._open = {seat: question for seat, question in self._open.items() if seat in seats}

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
            self._show(f"Your choice, 0 to {len(line['menu']) - 1}:")
            choice = await self._number(len(line["menu"]))
            if self._open.get(seat, (None,))[0] == line:
                del self._open[seat]
                self._send(seat, {"id": line["id"], "choose": choice})
            elif seat in self._open:
                self._questions.put_nowait(seat)

    async def _number(self, items: int) -> int:
        while True:
            typed = (await self._typed.get()).strip()
            if typed.isascii() and typed.isdigit() and len(typed) < 6 and int(typed) < items:
                return int(typed)
            self._show(f"{typed[:40]!r} is not on the menu; type a number from 0 to {items - 1}:")

    async def end(self) -> None:
        """Stop asking."""
        self._task.cancel()
