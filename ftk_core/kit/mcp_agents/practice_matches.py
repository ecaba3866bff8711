"""Practice matches of an AI agent against built-in bots, without a server."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

import msgspec

from ftk_core.games import build_of, game
from ftk_core.hash_chained_log import InMemoryLog
from ftk_core.kit.built_in_bots import UNSTEADY_BOTS, list_built_in_bots, list_search_bots
from ftk_core.kit.match_series.in_process_bots import InProcessBot
from ftk_core.kit.match_series.local_matches import names_of
from ftk_core.kit.mcp_agents.agent_seats import AgentQuestion, AgentSeatError, AgentSeats
from ftk_core.kit.terminal_output import describe_os_error, err
from ftk_core.match_log_file import dump_pages
from ftk_core.match_state_from_log import AnyGame
from ftk_core.players import HelloMessage, Player, PlayerAnswer, QuestionToSeat
from ftk_core.random_streams import SEED_BYTES, seed_of
from ftk_core.referee import play
from ftk_core.views.fact_sentences import label_translator
from ftk_core.views.question_text import describe_question

MAX_OPEN_MATCHES = 20
"""Maximum number of practice matches of one agent program at the same time."""
AGENT_NAME = "agent"


class AgentLeftError(Exception):
    """Raised in the thread of a practice match to end it, because the agent has left."""


class AgentPlayer:
    """A player that passes its questions to an AI agent and waits for the answers."""

    def __init__(self, rules: AnyGame, seats: AgentSeats, seat_name: str, names: Sequence[str]) -> None:
        self.name = AGENT_NAME
        self._rules, self._seats, self._seat_name, self._names = rules, seats, seat_name, names
        self._relabel = label_translator(rules.labels("en"), "en", names)
        self._story: list[str] = []
        self._answers: SimpleQueue[int | None] = SimpleQueue()

    def greet(self, hello: HelloMessage) -> None:
        """Ignore the greeting at the start of the match."""
        # The agent learns its seat from the first question.

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        """Return the agent's choice; raise AgentLeftError if the agent leaves the match instead."""
        self._story += [self._rules.say(fact, self._names, "en") for fact in ask.news]
        scene = self._relabel(self._rules.scene(ask.view))
        menu: list[dict[str, Any]] = msgspec.json.decode(msgspec.json.encode(ask.menu))
        story = [sentence for sentence in self._story if sentence]
        text = describe_question(story, scene.zones, scene.meters, menu, self._names, ask.seat)
        self._seats.ask(self._seat_name, AgentQuestion(number=ask.id, item_count=len(menu), text=text), self.send)
        answer = self._answers.get()
        if answer is None:
            raise AgentLeftError
        return PlayerAnswer(answer)

    def wait_as_if_asked(self, _ask: QuestionToSeat, /) -> None:
        """Do nothing."""
        # Other players pause here, so that opponents do not notice that the player had only one possible action.
        # In a practice match, all opponents are built-in bots.

    def over(self, places: Sequence[int]) -> None:
        """Ignore the end of the match."""
        # `finish` announces the final ranks later, when the match's log is complete.

    def finish(self, places: Sequence[int]) -> None:
        """Inform the agent of the end of the match and of the final rank of each seat (`places`)."""
        self._seats.end(self._seat_name, places, self.send)

    def send(self, _number: int, choose: int, _note: str) -> None:
        """Pass the agent's choice (an index into the menu) to the waiting method `choose`."""
        self._answers.put(choose)

    def leave(self) -> None:
        """Leave the match: announce its end to the agent, and make the waiting `choose` raise AgentLeftError."""
        self.finish(())
        self._answers.put(None)


def _write_new_file(folder: Path, name: str, body: bytes) -> None:
    """Write a new file ``name.jsonl``, or ``name-2.jsonl`` and so on if the file exists."""
    for number in count(1):
        try:
            with (folder / f"{name}{f'-{number}' if number > 1 else ''}.jsonl").open("xb") as file:
                file.write(body)
        except FileExistsError:
            continue
        return


class PracticeMatches:
    """The practice matches of an AI agent."""

    # Each runs in a thread of its own.

    def __init__(self, seats: AgentSeats, seed: str = "", logs: Path | None = None) -> None:
        """Store the random seed for repeatable matches, and the folder for the logs."""
        self._seats, self._seed, self._logs = seats, seed, logs
        self._started = 0
        self._agents: dict[str, AgentPlayer] = {}
        self._finished: dict[str, list[bytes]] = {}

    def start(self, game_name: str, opponents: Sequence[str], seat: int | None) -> str:
        """Start a match against built-in bots and return the name of the agent's seat.

        `opponents` are names of built-in bots. If it is empty, this method chooses the opponents, and the match has the
        smallest number of players that the game allows. If `seat` is None, the seat changes from match to match. Raises
        AgentSeatError, UnknownGameError.
        """
        rules = game(game_name)
        opponents = list(opponents) or _choose_opponents(rules)
        size = len(opponents) + 1
        if size not in rules.seats:
            least, most = rules.seats.start - 1, rules.seats.stop - 2
            raise AgentSeatError(f"{rules.title} needs {least} to {most} opponents (got {len(opponents)}).")
        if seat is not None and seat not in range(size):
            raise AgentSeatError(f"seat must be between 0 and {size - 1} (got {seat}).")
        open_seats = [seat for seat in self._seats.list_seats() if seat.match in self._agents and not seat.is_over]
        if len(open_seats) >= MAX_OPEN_MATCHES:
            raise AgentSeatError(f"You have {MAX_OPEN_MATCHES} practice matches; finish or leave one first.")
        players = [InProcessBot(game_name, _check_opponent(game_name, name)) for name in opponents]
        for player, name in zip(players, names_of(opponents), strict=True):
            player.name = name
        number = self._started
        seed = seed_of("practice", game_name, self._seed, number) if self._seed else secrets.token_bytes(SEED_BYTES)
        return self.seat_agent(rules, players, number % size if seat is None else seat, seed)

    def seat_agent(self, rules: AnyGame, opponents: Sequence[Player], seat: int, seed: bytes) -> str:
        """Start a match of the agent against opponents, and return the name of its seat."""
        self._started += 1
        match = f"practice-{self._started}"
        names = [player.name for player in opponents]
        names.insert(seat, AGENT_NAME)
        agent = AgentPlayer(rules, self._seats, f"{match}/{seat}", names)
        players: list[Player] = list(opponents)
        players.insert(seat, agent)
        self._agents[match] = agent
        self._seats.add(f"{match}/{seat}", agent.send)
        Thread(target=self._play, args=(match, rules, players, seed), daemon=True).start()
        return f"{match}/{seat}"

    def _play(self, match: str, rules: AnyGame, players: list[Player], seed: bytes) -> None:
        log, places = InMemoryLog(), tuple[int, ...]()
        label = f"{rules.name}/{self._seed or secrets.token_hex(4)}/{match}"  # bots seed their randomness from it
        try:
            places = play(rules, players, seed, match=label, log=log, build=build_of(rules.name)).places
        except AgentLeftError:
            pass
        finally:
            file = b"".join(dump_pages(log.pages()))
            self._finished[match] = file.splitlines(keepends=True)
            try:
                if self._logs and places:
                    _write_new_file(self._logs, match, file)
            except OSError as error:
                err.print(describe_os_error(error))
            finally:
                self._agents[match].finish(places)

    def leave(self, match: str) -> None:
        """Leave a practice match, which ends without a result; raises AgentSeatError for an unknown match."""
        if match not in self._agents:
            raise AgentSeatError(f"{match[:60]!r} is not a practice match. Only these can be left before their end.")
        if match in self._finished:
            raise AgentSeatError(f"{match} is over.")
        self._agents[match].leave()

    def read_log(self, match: str) -> list[bytes]:
        """Return the lines of a finished match's log.

        Raises AgentSeatError if the match is unknown or not finished, or if its log is empty, because the agent left at
        the beginning.
        """
        if match not in self._agents:
            raise AgentSeatError(f"There is no match {match[:60]!r}.")
        if match not in self._finished:
            raise AgentSeatError(f"{match} is not over. Its log contains secrets and is open only after the end.")
        if not self._finished[match]:
            raise AgentSeatError(f"{match} has no log: it was left before its first choice was stored.")
        return self._finished[match]


def list_opponents(game_name: str) -> list[str]:
    """Return the names of the built-in bots that can be opponents. Raises UnknownGameError."""
    steady = [name for name in list_built_in_bots(game(game_name).name) if name not in UNSTEADY_BOTS]
    return [*steady, *list_search_bots(game_name)]


def _choose_opponents(rules: AnyGame) -> list[str]:
    steady = [name for name in list_built_in_bots(rules.name) if name not in UNSTEADY_BOTS]
    return [steady[number % len(steady)] for number in range(rules.seats.start - 1)]


def _check_opponent(game_name: str, name: str) -> str:
    if name not in list_opponents(game_name):
        known = ", ".join(list_opponents(game_name))
        raise AgentSeatError(f"{name[:40]!r} is not an opponent for {game_name}. Choose one of: {known}.")
    return name
