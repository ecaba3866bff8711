"""The tools of `ftk mcp` as plain functions: each returns a text for a language model."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from ftk_core.games import game as find_game, game_folder, list_games
from ftk_core.kit.match_loading import find_seats
from ftk_core.kit.match_log_narration import narrate_log
from ftk_core.kit.mcp_agents.agent_arena_connection import AgentArenaConnection
from ftk_core.kit.mcp_agents.agent_seats import AgentSeat, AgentSeatError, AgentSeats
from ftk_core.kit.mcp_agents.practice_matches import PracticeMatches, list_opponents
from ftk_core.kit.mcp_agents.reviews_for_agents import review_seat
from ftk_core.logged_decisions import opening_of
from ftk_core.match_log_file import parse_pages

MAX_WAIT_SECONDS = 50.0
"""Longest time that a tool waits for a question; many clients give up a call after a minute."""
MAX_LISTED = 50
"""Maximum number of bots or leagues in a list."""


@dataclass(frozen=True, slots=True)
class SeatStateReport:
    """The state of a seat: a text for a language model, and fields for programs."""

    text: str
    fields: dict[str, Any]


AgentTool = Callable[..., Any]
"""A function that returns a text, or a coroutine function that waits for a question and returns a SeatStateReport."""


class OfflineMcpTools:
    """MCP tools that work without a server: list games, read rules, play practice matches, and review matches."""

    def __init__(self, seats: AgentSeats, practice: PracticeMatches, arena: AgentArenaConnection | None = None) -> None:
        self._seats, self._practice, self._arena = seats, practice, arena

    def list_tools(self) -> Sequence[AgentTool]:
        """Return the functions that are offered as tools; if an arena is connected, also those of `ServerMcpTools`."""
        return (
            *(ServerMcpTools(self._arena).list_tools() if self._arena else ()), self.list_games, self.read_rules,
            self.practise, self.leave, self.list_seats, self.read_question, self.answer,
            self.read_result, self.read_log, self.read_review,
        )  # fmt: skip

    def list_games(self) -> str:
        """List the games, with the possible numbers of seats and the built-in bots that you can practise against."""
        return "\n".join(
            f"{name}: {rules.title}, {rules.seats.start} to {rules.seats.stop - 1} seats;"
            f" built-in bots: {', '.join(list_opponents(name))}"
            for name, rules in list_games().items()
        )

    def read_rules(self, game: str) -> str:
        """Return the rules of a game: how it is played, and how to read the menus of numbered choices."""
        return (game_folder(find_game(game).name) / "RULES.md").read_text(encoding="utf-8")

    async def practise(self, game: str, opponents: list[str] | None = None, seat: int | None = None) -> SeatStateReport:
        """Start a practice match against built-in bots on this machine, and return your first question.

        The match has one seat for you and one for each of the `opponents`. By default it has the smallest number of
        seats that the game allows. `seat` is your seat (from 0); by default it changes from match to match.
        """
        return await self.read_question(self._practice.start(game, opponents or [], seat))

    def leave(self, match: str) -> str:
        """Leave a practice match before its end; it has no result then."""
        self._practice.leave(match)
        return f"You left {match}."

    def list_seats(self) -> str:
        """List your seats with the state of each: it has a question, it waits for others, or its match is over."""
        lines = [f"{seat.name}: {_describe_state(seat)}" for seat in self._seats.list_seats()]
        return "\n".join(lines) or "You have no seat yet. Use practise, or order a match in the arena."

    async def read_question(self, seat: str = "", wait_seconds: float = 20) -> SeatStateReport:
        """Wait for your next question and return it whole: the story so far, the table, and the numbered menu.

        Without `seat`, wait for a question to any of your seats. A seat is named match/number, as in list_seats.
        """
        return await self._report(seat, wait_seconds, whole=True)

    async def answer(
        self, seat: str, question: int, choose: int, note: str = "", wait_seconds: float = 20
    ) -> SeatStateReport:
        """Answer a question with the number of a menu item, then wait for the seat's next question and return it.

        The arena stores the note, such as your reasons in at most 3,500 bytes, for your bot's authors. The next
        question describes only the events since this one; read_question describes all events.
        """
        self._seats.answer(seat, question, choose, note)
        return await self._report(seat, wait_seconds, whole=False)

    async def _report(self, name: str, seconds: float, *, whole: bool) -> SeatStateReport:
        seat = await self._seats.wait(name, max(0.0, min(seconds, MAX_WAIT_SECONDS)))
        if self._arena and (seat is None or not seat.match.startswith("practice-")):
            self._arena.check_connection()
        if seat is None:
            return SeatStateReport("No question yet. Call read_question again.", {"seat": name, "over": False})
        text = self._seats.read_text(seat, whole=whole)
        return SeatStateReport(f"{_describe_state(seat, seat.name)}\n\n{text}".strip(), _fields_of(seat))

    def read_result(self, match: str) -> str:
        """Return the result of a match: the place of each seat, 1 being the best. Before its end, return its state."""
        seats = [seat for seat in self._seats.list_seats() if seat.match == match]
        if self._arena and not match.startswith("practice-"):
            return json.dumps(self._arena.read_match(match))
        if not seats:
            raise AgentSeatError(f"You have no seat in a match {match[:60]!r}.")
        return "\n".join(f"{seat.name}: {_describe_state(seat)}" for seat in seats)

    def read_log(self, match: str) -> str:
        """Return what happened in a finished match as sentences, including everything that was hidden from you."""
        return "\n".join(f"{entry}. {sentence}" for entry, sentence in narrate_log(self._log_of(match), "en"))

    def read_review(self, match: str, playouts: int = 40) -> str:
        """Review a finished match: your costliest choices, with better ones, and how much of the result was luck.

        More playouts (2 to 1,000 for each choice) give surer values and take longer.
        """
        if not 2 <= playouts <= 1000:
            raise AgentSeatError(f"playouts must be between 2 and 1000 (got {playouts}).")
        numbers = [int(seat.name.rpartition("/")[2]) for seat in self._seats.list_seats() if seat.match == match]
        log = self._log_of(match)
        if not numbers and self._arena:
            first_page = next(iter(parse_pages(log)))
            numbers = find_seats(opening_of(first_page.lines).players, self._arena.bot)
        if not numbers:
            raise AgentSeatError(f"You have no seat in a match {match[:60]!r}.")
        return review_seat(log, numbers, playouts)

    def _log_of(self, match: str) -> list[bytes]:
        if self._arena and not match.startswith("practice-"):
            return self._arena.read_log(match)
        return self._practice.read_log(match)


class ServerMcpTools:
    """Tools that use a server: list its bots and leagues, request matches of the agent's bot, and enter leagues."""

    def __init__(self, arena: AgentArenaConnection) -> None:
        self._arena = arena

    def list_tools(self) -> Sequence[AgentTool]:
        """Return the functions that are offered as tools."""
        return (
            self.list_bots, self.list_leagues, self.read_leaderboard,
            self.order_friendly, self.order_challenge, self.read_challenge, self.enter_league,
        )  # fmt: skip

    def list_bots(self) -> str:
        """List the bots of your game in the arena, which can be your opponents, and your own bot."""
        rows = self._arena.request(f"bots/?{urlencode({'game': self._arena.game})}")["results"]
        lines = [f"{row['slug']} ({row['kind']})" for row in rows[:MAX_LISTED]]
        return "\n".join([f"Your bot: {self._arena.bot}, for {self._arena.game}.", *lines])

    def list_leagues(self) -> str:
        """List the newest leagues of the arena. A league states which kinds of bots may enter; yours is remote."""
        rows = self._arena.request("leagues/")["leagues"]
        lines = [f"{row['slug']}: {row['name']}, {row['game']}, {row['status']}" for row in rows[:MAX_LISTED]]
        return "\n".join(lines) or "There are no leagues."

    def read_leaderboard(self, season: str = "") -> str:
        """Return the first page of your game's leaderboard, the best bot first, and the names of all seasons.

        Without `season`, the leaderboard counts the matches of all time. Matches of leagues with remote bots or people
        count only in separate seasons, whose names begin with "outside".
        """
        query = f"?{urlencode({'season': season})}" if season else ""
        ladder = self._arena.request(f"ladders/{self._arena.game}/{query}")
        lines = [f"{row['place']}. {row['name']} of {row['author']}: {row['rating'] or row['elo']}"
                 for row in ladder["rows"]]  # fmt: skip
        seasons = ", ".join(ladder["seasons"]) or "none"
        return "\n".join([f"Seasons: {seasons}.", *(lines or ["There are no rated bots yet."])])

    def order_friendly(
        self, opponents: list[str], seat: int = 0, move_seconds: int = 60, bank_seconds: int = 600
    ) -> str:
        """Order a match outside leagues against bots of the arena, with you in the given seat (from 0).

        Each choice has `move_seconds`. Longer ones use up `bank_seconds`, which you have once for the match. Both are
        at most 600.
        """
        match = self._arena.order_friendly(opponents, seat, move_seconds, bank_seconds)
        return f"Ordered: match {match}. Call read_question without a seat to wait for your first question."

    def order_challenge(self, opponents: list[str], matches: int = 1) -> str:
        """Order rated matches against bots of the arena; the seats change from match to match."""
        challenge = self._arena.order_challenge(opponents, matches)
        return f"Ordered: challenge {challenge['id']} of {challenge['matches']} matches. Call read_question to play."

    def read_challenge(self, number: int) -> str:
        """Return the progress of a challenge that you ordered, and its results with 95 % intervals."""
        return json.dumps(self._arena.request(f"challenges/{number}/"))

    def enter_league(self, league: str) -> str:
        """Enter your bot in a league of the arena. Stay connected: you play your matches in each round yourself."""
        entry = self._arena.enter_league(league)
        return f"Entered: {entry['name']}, from round {entry['round']} on."


def _describe_state(seat: AgentSeat, name: str = "") -> str:
    """Return the state of a seat as a sentence."""
    whose = f"Seat {name}: " if name else ""
    if seat.is_over:
        places = ", ".join(f"seat {at} place {place}" for at, place in enumerate(seat.places))
        return f"{whose}The match is over. {places or 'It ended without a result'}."
    if question := seat.question:
        numbers = f"question {question.number}; answer with a number from 0 to {question.item_count - 1}."
        return f"{whose}{numbers}"
    return f"{whose}others choose now."


def _fields_of(seat: AgentSeat) -> dict[str, Any]:
    fields = {"seat": seat.name, "over": seat.is_over, "places": list(seat.places)}
    if question := seat.question:
        fields |= {"question": question.number, "items": question.item_count}
    return fields
