"""Client with which an AI agent plays matches on a server."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from threading import Thread
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from ftk_core.kit.client.arena_connection import ArenaConnection, ArenaConnectionLost
from ftk_core.kit.client.http_client import request_bytes, request_json
from ftk_core.kit.client.league_entry_request import enter_league
from ftk_core.kit.mcp_agents.agent_seats import AgentQuestion, AgentSeatError, AgentSeats
from ftk_core.kit.terminal_output import err, one_line
from ftk_core.match_log_file import split_logs

JSON_HEADERS = {"Content-Type": "application/json"}


class AgentArenaConnection:
    """Client with which an AI agent plays as a bot on a server."""

    # The WebSocket for questions and answers has its own thread; other requests go to the REST API.

    def __init__(self, seats: AgentSeats, *, server: str, token: str, bot: str, game: str) -> None:
        self.bot, self.game, self.server = bot, game, server
        self._seats, self._token = seats, token
        self._loop = asyncio.new_event_loop()
        query = urlencode({"bot": bot, "form": "text"})
        self._connection = ArenaConnection(f"ws{server.removeprefix('http')}/seat?{query}", token, self._report)
        self._lost = ""

    def connect(self) -> None:
        """Connect to the server, and reconnect until the server ends the connection for good."""
        Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._connection.run(self))
        except ArenaConnectionLost as error:
            self._lost = one_line(error)
            self._report(self._lost)

    def _report(self, line: str) -> None:
        err.print(line)  # standard output carries the tools' protocol

    def check_connection(self) -> None:
        """Raise AgentSeatError if the server has closed the connection for good."""
        if self._lost:
            raise AgentSeatError(f"The connection to the arena has ended: {self._lost}. Start `ftk mcp` again.")

    def hear(self, seat: str, line: dict[str, Any], text: str) -> None:
        """Store a new question to a seat, or the end of the seat's match."""
        match line["type"]:
            case "ask":
                question = AgentQuestion(number=line["id"], item_count=len(line["menu"]), text=text)
                self._seats.ask(seat, question, partial(self._send, seat))
            case "over":
                self._seats.end(seat, line["places"], partial(self._send, seat))

    def _send(self, seat: str, number: int, choose: int, note: str) -> None:
        line = {"id": number, "choose": choose, "note": note}
        self._loop.call_soon_threadsafe(self._connection.send, seat, line)

    def end_other_seats(self, seats: Sequence[str]) -> None:
        """End all seats on the server, except those named in `seats`, without a result.

        Seats in practice matches stay open.
        """
        # The matches of these seats ended while the connection was lost. Practice matches need no server.
        for seat in self._seats.list_seats():
            if seat.name not in seats and not seat.is_over and not seat.name.startswith("practice-"):
                self._seats.end(seat.name, (), seat.send)

    async def end(self) -> None:
        """Do nothing when the connection ends: the seats have no processes or tasks to release."""

    def request(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a request to the server's API and return the JSON object of the response.

        Raises AgentSeatError or RequestError.
        """
        self.check_connection()
        content = msgspec.json.encode(body) if body is not None else None
        return request_json(f"{self.server}/api/v1/{path}", self._token, content, JSON_HEADERS if body else None)

    def order_friendly(self, opponents: Sequence[str], seat: int, move_seconds: int, bank_seconds: int) -> str:
        """Order a match outside leagues and return its id; raises AgentSeatError or RequestError."""
        bots = [*opponents[:seat], self.bot, *opponents[seat:]]
        clock = {"move_ms": 1000 * move_seconds, "bank_ms": 1000 * bank_seconds}
        return str(self.request("matches/friendly/", {"game": self.game, "bots": bots, **clock})["id"])

    def order_challenge(self, opponents: Sequence[str], matches: int) -> dict[str, Any]:
        """Order rated matches and return the API's response. Raises AgentSeatError or RequestError."""
        return self.request("challenges/", {"bot": self.bot, "against": list(opponents), "matches": matches})

    def enter_league(self, league: str) -> dict[str, Any]:
        """Enter the bot in a league and return the API's response. Raises AgentSeatError or RequestError."""
        self.check_connection()
        return enter_league(self.server, self._token, league, self.bot, None, newest=False)

    def read_match(self, match: str) -> dict[str, Any]:
        """Return the API's description of a match, a dict. Raises AgentSeatError or RequestError."""
        return self.request(f"matches/{quote(match, safe='')}/")

    def read_log(self, match: str) -> list[bytes]:
        """Return the lines of a finished match's log; raises RequestError, also if the match is not finished."""
        path = f"matches/{quote(match, safe='')}/log/"
        file = request_bytes(f"{self.server}/api/v1/{path}", self._token)
        return next(split_logs(file.splitlines(keepends=True)), [])
