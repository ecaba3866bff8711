"""Matches between bots of several kinds, played in this process to calibrate match reviews."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ftk_core.analysis.playouts import PlayoutPolicy
from ftk_core.facts import encode
from ftk_core.games import game
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.kit.built_in_bots import UNSTEADY_BOTS, list_built_in_bots
from ftk_core.kit.match_series.in_process_bots import InProcessBot
from ftk_core.kit.match_series.playout_policies import load_policy
from ftk_core.match_state_from_log import AnyGame
from ftk_core.native.native_match import NativeMatch
from ftk_core.players import Player, PlayerAnswer, QuestionToSeat, StatelessPlayer
from ftk_core.random_streams import MatchRandomness, seed_of
from ftk_core.referee import play

MIXES = ("built-in", "equal", "search", "policy")
"""Mixes of bots in a match: random built-in bots (``built-in``); the same built-in bot in all seats (``equal``); bots
that search, beside built-in bots (``search``); the policy of the playouts in all seats (``policy``)."""
SEARCH_BUDGET = 3000
"""Maximum number of choices in all playouts of one search together."""


class NativeSearchPlayer(StatelessPlayer):
    """Bot that searches for the best action, using only what its seat knows."""

    def __init__(self, game_name: str, seats: int) -> None:
        super().__init__("search")
        self._game, self._seats = game_name, seats

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        """Answer with the best action that a search of limited size finds."""
        table = NativeMatch(self._game, self._seats)
        table.set_state(encode(ask.world))
        return PlayerAnswer(table.search(ask.seat, SEARCH_BUDGET, seed=ask.id)[0])


class PlayoutPolicyPlayer(StatelessPlayer):
    """Bot that chooses like the players in simulated continuations of a match (playouts)."""

    def __init__(self, rules: AnyGame, policy: PlayoutPolicy, seats: int, seed: bytes) -> None:
        super().__init__(policy.name)
        self._choose = policy.start(rules, seats, MatchRandomness(seed).at("player"))

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        """Answer with the choice of the playout policy."""
        # The policy reads the complete game state.
        return PlayerAnswer(self._choose(ask._state, ask.seat, ask.menu))


def play_matches(name: str, seats: int, mix: str, numbers: range) -> Iterator[list[bytes]]:
    """Play one match for each seed in `numbers` with a mix of bots. Yield the log lines of each match."""
    for number in numbers:
        draw, log = Random(f"calibration {name} {seats} {mix} {number}"), InMemoryLog()
        play(
            game(name), _seat_players(name, seats, mix, draw),
            seed_of("calibration", name, seats, mix, number), match=f"{mix}-{number}", log=log,
        )  # fmt: skip
        yield list(lines_of(log))


def _seat_players(name: str, seats: int, mix: str, draw: Random) -> list[Player]:
    bots = [bot for bot in list_built_in_bots(name) if bot not in UNSTEADY_BOTS]
    if mix == "policy":
        policy = load_policy(game(name), "", seats)
        return [PlayoutPolicyPlayer(game(name), policy, seats, draw.randbytes(32)) for _ in range(seats)]
    if mix == "equal":
        bot = draw.choice(bots)
        return [InProcessBot(name, bot) for _ in range(seats)]
    search = draw.randrange(1, seats + 1) if mix == "search" else 0
    players: list[Player] = [NativeSearchPlayer(name, seats) for _ in range(search)]
    players += [InProcessBot(name, draw.choice(bots)) for _ in range(seats - search)]
    draw.shuffle(players)
    return players
