"""Matches of learning programs, played in parallel by the Python rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec
import numpy as np
from numpy.typing import NDArray

from ftk_core.league.scoring.entrant_stage_totals import share_left_behind
from ftk_core.random_streams import MatchRandomness, RandomBitStream, seed_of
from ftk_core.rl.match_step_arrays import MatchStepArrays, Opponents
from ftk_core.rl.observation_encoder import Floats, ObservationEncoder
from ftk_core.rl.simulated_match import SimulatedMatch

MAX_TRIES = 1000
"""Maximum number of matches dealt in a row in which the learner has no choice; then RuntimeError is raised."""


@dataclass(slots=True, kw_only=True)
class _SteppedTable:
    """State of one of the parallel matches between two calls of `step`.

    `answers` holds the choices already made in the current turn, as seat -> menu index.
    """

    policy: RandomBitStream
    match: SimulatedMatch
    learner: int | None = None
    """Seat that learns; None if all seats learn."""
    seat: int = 0
    """Seat that must choose next."""
    answers: dict[int, int] = field(default_factory=dict)


class PythonParallelMatches:
    """Parallel matches of one game, played by its Python rules. Each match keeps its events."""

    def __init__(
        self,
        view_encoder: ObservationEncoder,
        seats: int,
        options: msgspec.Struct | None = None,
        tables: int = 1,
        opponents: Opponents = "none",
    ) -> None:
        """Prepare `tables` parallel matches. Nothing is dealt yet."""
        self.view_encoder, self.seats, self.options, self.opponents = view_encoder, seats, options, opponents
        self.matches: list[SimulatedMatch] = [None] * tables  # type: ignore[list-item]  # dealt before use
        self._stepped: list[_SteppedTable] = []
        self._series, self._numbers = "", [0] * tables

    def deal(self, table: int, seed: bytes) -> dict[int, int]:
        """Start a match from a 32-byte seed. Return the number of actions of each player who must choose.

        Raises ActionLimitExceeded if a menu is longer than `Game.longest_menu`.
        """
        # A seat with only one action is included if opponents must not notice that it has no choice.
        self.matches[table] = SimulatedMatch(self.view_encoder.game, self.seats, seed, self.options)
        return _sizes(self.matches[table])

    def answer(self, table: int, choices: Mapping[int, int]) -> dict[int, int]:
        """Apply the players' choices (seat -> menu index).

        Return the number of actions of each player who must choose next.
        """
        self.matches[table].choose(choices)
        return _sizes(self.matches[table])

    def observe(self, table: int, seat: int) -> Floats:
        """Return a seat's observation as an array of shape (observation columns,)."""
        match = self.matches[table]
        return self.view_encoder.observation(match.game.view(match.state, seat), seat, self.seats)

    def rows(self, table: int, seat: int) -> Floats:
        """Return the features of a seat's menu as an array of shape (items, feature columns)."""
        return self.view_encoder.rows(self.matches[table].menus.get(seat, ()))

    def places(self, table: int) -> tuple[int, ...]:
        """Return the final rank of each seat after the end of a match."""
        return self.matches[table].result.places

    def start_series(self, name: str) -> None:
        """Set the name from which `step` derives the seeds of its matches, and number the matches from 0 again."""
        # The seed of match m in row t of the arrays is the SHA-256 of the text `<name>/t/m`.
        self._series, self._numbers = name, [0] * len(self.matches)

    def step(self, actions: NDArray[np.int64] | None, arrays: MatchStepArrays) -> None:
        """Make one choice in each match, or replace a finished match by a new one.

        The new observations and rewards are written into `arrays`.
        If `actions` is None, start all matches anew. An index that is no legal action plays the first legal action.
        """
        if actions is None:
            self._stepped = [self._begin(table) for table in range(len(self.matches))]
        arrays.rewards[:], arrays.excused[:] = 0, False
        for table, place in enumerate(self._stepped):
            if actions is not None and not place.match.menus:
                self._stepped[table] = self._begin(table)
            elif actions is not None:
                item, size = int(actions[table]), len(place.match.menus[place.seat])
                arrays.excused[table] = not 0 <= item < size
                place.answers[place.seat] = item if 0 <= item < size else 0
                self._go_on(place)
            self._show(table, arrays)

    def deal_again(self, arrays: MatchStepArrays) -> None:
        """Replace finished matches by new ones, and write the observations at their first choices into `arrays`."""
        # Masks, seats and menu sizes are also written. The arrays `rewards`, `shares`, `over` and `excused` still show
        # the last step.
        for table, place in enumerate(self._stepped):
            if not place.match.menus:
                self._stepped[table] = self._begin(table)
                self._show(table, arrays)
                arrays.over[table] = True

    def _begin(self, table: int) -> _SteppedTable:
        """Start a match and play on to the learning player's first choice. If there is none, try further matches.

        Raises RuntimeError after `MAX_TRIES` matches without a choice.
        """
        for _ in range(MAX_TRIES):
            seed = seed_of(self._series, table, self._numbers[table])
            self._numbers[table] += 1
            self.deal(table, seed)
            streams = MatchRandomness(seed)
            place = _SteppedTable(policy=streams.at("policy"), match=self.matches[table])
            if self.opponents != "none":
                place.seat = place.learner = streams.at("learner").below(self.seats)
            self._go_on(place)
            if place.match.menus:
                return place
        raise RuntimeError(f"{self.view_encoder.game.title}: the learner had no choice in {MAX_TRIES} matches")

    def _go_on(self, place: _SteppedTable) -> None:
        """Let the opponents choose until a learning player must choose."""
        match = place.match
        while match.menus:
            waiting = [seat for seat in match.menus if seat not in place.answers]
            learning = [seat for seat in waiting if place.learner in (None, seat)]
            for seat in waiting if place.learner is not None else ():
                if seat != place.learner:
                    place.answers[seat] = self._choose(place, seat)
            if learning:
                place.seat = learning[0]
                return
            match.choose(place.answers)
            place.answers = {}

    def _choose(self, place: _SteppedTable, seat: int) -> int:
        match = place.match
        menu, quick = match.menus[seat], match.game.quick
        if len(menu) == 1:
            return 0
        if self.opponents == "quick" and quick is not None:
            return quick(match.state, seat, menu, place.policy)
        return place.policy.below(len(menu))

    def _show(self, table: int, arrays: MatchStepArrays) -> None:
        place = self._stepped[table]
        match, seat = place.match, place.seat
        size = len(match.menus.get(seat, ()))
        arrays.observations[table] = self.observe(table, seat)
        arrays.masks[table] = self.view_encoder.mask(size)
        arrays.seats[table], arrays.sizes[table], arrays.over[table] = seat, size, not match.menus
        if not match.menus:
            places = match.result.places
            arrays.shares[table] = [float(share_left_behind(places, one)) for one in range(self.seats)]
            arrays.rewards[table] = arrays.shares[table, seat]


def _sizes(match: SimulatedMatch) -> dict[int, int]:
    return {seat: len(menu) for seat, menu in match.menus.items()}
