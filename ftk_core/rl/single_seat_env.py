"""Gymnasium environment of matches in which one seat learns and given opponents play all other seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import msgspec
import numpy as np

from ftk_core.game import redact
from ftk_core.games import game as find_game
from ftk_core.league.scoring.entrant_stage_totals import share_left_behind
from ftk_core.log_entries import TimeControl
from ftk_core.match_state_from_log import check_options
from ftk_core.players import HelloMessage, NoAnswerError, Player, QuestionToSeat
from ftk_core.rl.learner_opponents import create_players
from ftk_core.rl.multi_agent_matches import interpret_action
from ftk_core.rl.observation_encoder import Floats, Mask, ObservationEncoder
from ftk_core.rl.python_parallel_matches import MAX_TRIES
from ftk_core.rl.simulated_match import SimulatedMatch


class MatchOverError(RuntimeError):
    """Raised by `step` when no match is in progress; call `reset` first."""


class SingleSeatEnv(gymnasium.Env[Any, np.int64]):
    """Gymnasium environment in which one player learns.

    The reward is the share of opponents that the player beat, given at the end of the match; a tie counts half.
    ``info["action_mask"]`` marks the legal actions. An index beyond the menu plays item 0 and sets ``info["excuse"]``.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - Gymnasium's API

    def __init__(
        self,
        game: str,
        opponents: Sequence[str | Player] = (),
        *,
        seat: int | None = None,
        options: msgspec.Struct | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Create an environment in which one player learns and the opponents play the other seats.

        Opponents are names of built-in bots, paths of bots, or `Player` objects. By default, they are random bots at
        the smallest table that the game allows. If `seat` is None, the learner gets a random seat in each match.

        Raises UnknownGameError, BotNotFound, InProcessBotError for a bot that cannot run in this process,
        UnboundedFieldError if views or actions have no bounds, or ValueError for impossible seats or options.
        """
        self.game, self.options = find_game(game), options
        self.players = create_players(game, opponents or ["random"] * (self.game.seats.start - 1))
        self.seats = len(self.players) + 1
        check_options(self.game, self.seats, options or self.game.options())
        if seat is not None and not 0 <= seat < self.seats:
            raise ValueError(f"there is no seat {seat} at a table of {self.seats}: 0 to {self.seats - 1}")
        self.view_encoder, self.fixed_seat, self.render_mode = ObservationEncoder(self.game), seat, render_mode
        self.observation_space = self.view_encoder.observation_space()
        self.action_space = self.view_encoder.action_space()
        self.seat = seat or 0
        self.match: SimulatedMatch | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Start a new match and return its first observation and info; `options` is ignored.

        If `seed` is None, the random number generator is not reset. If a match ends before the learner's first choice,
        start another match. Raises RuntimeError after `MAX_TRIES` such matches.
        """
        super().reset(seed=seed, options=options)
        for _ in range(MAX_TRIES):
            match = self._begin()
            if match.menus:
                return self._sensed(match, {})
            self._send_result(match)
        raise RuntimeError(f"{self.game.title}: the learner had no choice in {MAX_TRIES} matches")

    def _begin(self) -> SimulatedMatch:
        """Start a match, and play on to the learner's first choice or to the end."""
        luck = self.np_random.bytes(32)
        self.seat = int(self.np_random.integers(self.seats)) if self.fixed_seat is None else self.fixed_seat
        self.match = match = SimulatedMatch(self.game, self.seats, luck, self.options)
        others = [seat for seat in range(self.seats) if seat != self.seat]
        self._others = dict(zip(others, self.players, strict=True))
        self._numbers, self._told, self._shown = [0] * self.seats, [0] * self.seats, 0
        for seat, player in self._others.items():
            player.greet(self._hello(seat, luck[:8].hex()))
        self._play_on(match)
        return match

    def _hello(self, seat: int, name: str) -> HelloMessage:
        return HelloMessage(
            game=self.game.name,
            version=self.game.version,
            seat=seat,
            seats=self.seats,
            match=f"learning/{name}",
            **TimeControl().parts,
        )

    def step(self, action: Any) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Choose a menu item by index. Return (observation, reward, match is over, False, info).

        Raises MatchOverError if no match is in progress.
        """
        match = self.match
        if match is None or not match.menus:
            raise MatchOverError("no match is going on: call reset()")
        index, noted = interpret_action(action, len(match.menus[self.seat]))
        self._choose(match, {self.seat: index})
        self._play_on(match)
        over = not match.menus
        reward = float(share_left_behind(match.result.places, self.seat)) if over else 0.0
        observation, info = self._sensed(match, noted)
        if over:
            self._send_result(match)
        return observation, reward, over, False, info

    def _send_result(self, match: SimulatedMatch) -> None:
        for player in self._others.values():
            player.over(match.result.places)

    def _play_on(self, match: SimulatedMatch) -> None:
        while match.menus and self.seat not in match.menus:
            self._choose(match, {})

    def _choose(self, match: SimulatedMatch, choices: dict[int, int]) -> None:
        """Apply `choices` (seat -> menu index), together with the choices of the opponents that must choose now."""
        match.choose(choices | {seat: self._answer(match, seat) for seat in match.menus if seat != self.seat})

    def _answer(self, match: SimulatedMatch, seat: int) -> int:
        """Return the menu index that an opponent chooses, or 0 if it gives no valid answer."""
        player, menu = self._others[seat], match.menus[seat]
        if len(menu) == 1:
            player.wait_as_if_asked(QuestionToSeat(self.game, match.state, seat, menu, number=0))
            return 0
        self._numbers[seat] += 1
        since, self._told[seat] = self._told[seat], len(match.history)
        ask = QuestionToSeat(
            self.game, match.state, seat, menu, number=self._numbers[seat], history=match.history, since=since
        )
        try:
            index = player.choose(ask).index
        except NoAnswerError:
            return 0
        return index if 0 <= index < len(menu) else 0

    def _sensed(self, match: SimulatedMatch, noted: dict[str, str]) -> tuple[Floats, dict[str, Any]]:
        view = self.game.view(match.state, self.seat)
        return self.view_encoder.observation(view, self.seat, self.seats), {"action_mask": self.action_masks(), **noted}

    def action_masks(self) -> Mask:
        """Return the mask of legal actions. The library sb3-contrib calls this method by its name."""
        return self.view_encoder.mask(len(self.match.menus.get(self.seat, ())) if self.match else 0)

    def rows(self) -> Floats:
        """Return the features of the learner's menu as an array of shape (items, feature columns)."""
        return self.view_encoder.rows(self.match.menus.get(self.seat, ()) if self.match else ())

    def render(self) -> str:
        """Return sentences on the events since the last call, as far as the learner may know them."""
        history = self.match.history if self.match else []
        new, self._shown = history[self._shown :], len(history)
        names = [f"seat_{seat}" for seat in range(self.seats)]
        return "\n".join(self.game.say(redact(fact, self.seat), names, "en") for fact in new)
