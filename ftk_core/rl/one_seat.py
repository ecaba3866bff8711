"""Gymnasium environment: one seat at a table, against chosen opponents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import msgspec
import numpy as np

from ftk_core.fold import check_options
from ftk_core.game import tell
from ftk_core.games import game as find_game
from ftk_core.league.tallies import share
from ftk_core.players import Ask, Hello, NoAnswer, Player
from ftk_core.rl.match import BareMatch
from ftk_core.rl.opponents import seated
from ftk_core.rl.senses import Floats, Mask, Senses
from ftk_core.rl.table import meant


class MatchOver(RuntimeError):
    """Raised for a step when no match is in progress; call `reset` first."""


class OneSeat(gymnasium.Env[Any, np.int64]):
    """Gymnasium environment of the learner's seat: a step is its choice and everything until its next question.

    The reward is 0 until the end of the match, then the share of opponents left behind. ``info["action_mask"]`` and
    `action_masks` mark the legal actions. An action that is not on the menu counts as nonsense, as for a bot: item 0 is
    played, and ``info["excuse"]`` says so.
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
        """Create a table with opponents given as built-in names, paths or players (default: fewest random ones).

        Without `seat` the seed draws a new seat for the learner in each match. Raise UnknownGame, NoSuchBot,
        NotInProcess, NoBounds, or ValueError for an impossible table.
        """
        self.game, self.options = find_game(game), options
        self.players = seated(game, opponents or ["random"] * (self.game.seats.start - 1))
        self.seats = len(self.players) + 1
        check_options(self.game, self.seats, options or self.game.options())
        if seat is not None and not 0 <= seat < self.seats:
            raise ValueError(f"there is no seat {seat} at a table of {self.seats}: 0 to {self.seats - 1}")
        self.senses, self.fixed_seat, self.render_mode = Senses(self.game), seat, render_mode
        self.observation_space = self.senses.observation_space()
        self.action_space = self.senses.action_space()
        self.seat = seat or 0
        self.match: BareMatch | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Deal a new match from the seed, or from the generator of the last seed. There are no options."""
        super().reset(seed=seed, options=options)
        luck = self.np_random.bytes(32)
        self.seat = int(self.np_random.integers(self.seats)) if self.fixed_seat is None else self.fixed_seat
        self.match = BareMatch(self.game, self.seats, luck, self.options)
        others = [seat for seat in range(self.seats) if seat != self.seat]
        self._others = dict(zip(others, self.players, strict=True))
        self._numbers, self._told, self._shown = [0] * self.seats, [0] * self.seats, 0
        for seat, player in self._others.items():
            player.greet(self._hello(seat, luck[:8].hex()))
        self._play_on(self.match)
        return self._sensed(self.match, {})

    def _hello(self, seat: int, name: str) -> Hello:
        return Hello(
            game=self.game.name,
            version=self.game.version,
            seat=seat,
            seats=self.seats,
            move_ms=1000,
            bank_ms=10_000,
            match=f"learning/{name}",
        )

    def step(self, action: Any) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Choose an item of the menu; return observation, reward, whether the match is over, False, and the info."""
        match = self.match
        if match is None or not match.menus:
            raise MatchOver("no match is going on: call reset()")
        index, noted = meant(action, len(match.menus[self.seat]))
        self._choose(match, {self.seat: index})
        self._play_on(match)
        over = not match.menus
        reward = float(share(match.result.places, self.seat)) if over else 0.0
        observation, info = self._sensed(match, noted)
        if over:
            for player in self._others.values():
                player.over(match.result.places)
        return observation, reward, over, False, info

    def _play_on(self, match: BareMatch) -> None:
        while match.menus and self.seat not in match.menus:
            self._choose(match, {})

    def _choose(self, match: BareMatch, choices: dict[int, int]) -> None:
        """Add the choices of the opponents that are asked."""
        match.choose(choices | {seat: self._answer(match, seat) for seat in match.menus if seat != self.seat})

    def _answer(self, match: BareMatch, seat: int) -> int:
        """Return an opponent's choice, or item 0 if it gives no valid answer."""
        player, menu = self._others[seat], match.menus[seat]
        if len(menu) == 1:
            player.pretend()
            return 0
        self._numbers[seat] += 1
        since, self._told[seat] = self._told[seat], len(match.history)
        ask = Ask(self.game, match.state, seat, menu, number=self._numbers[seat], history=match.history, since=since)
        try:
            index = player.choose(ask).index
        except NoAnswer:
            return 0
        return index if 0 <= index < len(menu) else 0

    def _sensed(self, match: BareMatch, noted: dict[str, str]) -> tuple[Floats, dict[str, Any]]:
        view = self.game.view(match.state, self.seat)
        return self.senses.observation(view, self.seat, self.seats), {"action_mask": self.action_masks(), **noted}

    def action_masks(self) -> Mask:
        """Return the mask of legal actions, under the name that sb3-contrib expects."""
        return self.senses.mask(self.match.menus.get(self.seat, ()) if self.match else ())

    def rows(self) -> Floats:
        """Return the features of the menu, one row per item."""
        return self.senses.rows(self.match.menus.get(self.seat, ()) if self.match else ())

    def render(self) -> str:
        """Return the facts that the seat has learnt since the last call as sentences."""
        history = self.match.history if self.match else []
        new, self._shown = history[self._shown :], len(history)
        names = [f"seat_{seat}" for seat in range(self.seats)]
        return "\n".join(self.game.say(tell(fact, self.seat), names, "en") for fact in new)
