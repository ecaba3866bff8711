"""Review of a finished match: effect of each choice, and of luck, on the expected results.

A review is stored as events: first its parameters, then estimates of positions and choices, then an end mark. The
parameter `eyes` selects the hidden information that the simulations use:

* ``all``: all hidden information, as it really was.
* ``own``: all hidden information to estimate a position. To compare a choice with its alternatives, the simulations
  use only what the player who chose knew, and prefer hidden states in which the other players' actions are likely
  (see `Game.likelihood`).
* ``public``: only public knowledge. Choices are not compared with alternatives.
"""
# The same log, number of playouts and policy always give exactly the same numbers, so anybody can reproduce a review.
# With "own", no choice counts as a mistake because of something that the seat could not know.

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec

from ftk_core.analysis.action_value_estimates import evaluate_options
from ftk_core.analysis.choice_evaluation import ChoiceEvaluation
from ftk_core.analysis.match_review_facts import (
    ChoiceEvaluated,
    GamePositionEvaluated,
    ReviewClosed,
    ReviewFact,
    ReviewOpened,
)
from ftk_core.analysis.playouts import HiddenGameStateSampler, PlayoutPolicy, QuickPlayoutPolicy, play_out
from ftk_core.analysis.position_estimates import PositionEstimate, estimate_of_result, run_playouts, sum_playouts
from ftk_core.facts import OMNISCIENT, PUBLIC, redact
from ftk_core.match_fork import check_viewer_supported, has_secrets
from ftk_core.match_moves import MatchMove, MoveHistory
from ftk_core.match_state_from_log import AnyGame, read_options
from ftk_core.native.native_game_rules import PlayoutStartingPosition
from ftk_core.random_streams import Label, MatchRandomness, RandomBitStream, seed_of
from ftk_core.unlogged_play import follow_of

EYES = {"own": OMNISCIENT, "all": OMNISCIENT, "public": PUBLIC}
"""Parameter `eyes` of a review -> viewer. Playouts from a position deal again all that the viewer does not know."""
LIKELY_CANDIDATES = 32
"""Number of states that each simulation of a choice draws, with `own`, to start from a likely one."""
MAX_WORLD_DRAWS = 8
"""Maximum number of random deals of the hidden parts of a state that `_sample_state_like` tries."""


def review(
    moves: MoveHistory,
    policy: PlayoutPolicy,
    playouts: int,
    eyes: str,
    build: str,
    *,
    options: bool = True,
    begin: int = 0,
) -> Iterator[ReviewFact]:
    """Return an iterator that computes the events of a match's review.

    `playouts` is the number of simulations per choice. `begin` is the number of the first event to compute, to continue
    an interrupted review. Raises MatchForkError if the game does not support `eyes`.
    """
    # `build` (the version of the code) is only recorded. Without `options`, choices are not compared with alternatives.
    check_review_eyes(moves.game, eyes)
    return _Reviewer(moves, policy, playouts, eyes, options=options).facts(build, begin)


def check_review_eyes(game: AnyGame, eyes: str) -> None:
    """Raise MatchForkError if the game does not support reviews with this `eyes` value."""
    # `own` and `public` require that the game can sample hidden states.
    if eyes == "own":
        check_viewer_supported(game, 0 if has_secrets(game) else OMNISCIENT)
    else:
        check_viewer_supported(game, EYES[eyes])


def estimate_position(moves: MoveHistory, state: Any, policy: PlayoutPolicy, playouts: int) -> PositionEstimate:
    """Estimate each player's result by simulating the rest of a match `playouts` times."""
    return _Reviewer(moves, policy, 2 * playouts, "all", options=False).value(state)


class _Reviewer:
    def __init__(self, moves: MoveHistory, policy: PlayoutPolicy, playouts: int, eyes: str, *, options: bool) -> None:
        self._moves, self._policy, self._playouts, self._eyes = moves, policy, playouts, eyes
        self._game, self._opened, self._viewer = moves.game, moves.opened, EYES[eyes]
        self._seats = len(moves.opened.players)
        self._options = options and eyes != "public"
        self._seq = 0

    def facts(self, build: str, begin: int) -> Iterator[ReviewFact]:
        for seq, compute_fact in enumerate(self._steps(build)):
            self._seq = seq
            if seq >= begin:
                yield compute_fact()

    def _steps(self, build: str) -> Iterator[Callable[[], ReviewFact]]:
        """Yield one function for each event of the review, in order. Each function computes its event."""
        # No function needs the result of another, so an interrupted review can continue at the first missing event.
        moves = self._moves
        yield partial(self._opening, build)
        yield lambda: self._valued(0, self._bare())
        yield lambda: self._valued(moves.dealt_at, self.value(moves.dealt) if moves.dealt_at else self._bare())
        for move in moves.moves:
            yield partial(self._choice, move)
            yield partial(self._evaluate_after, move)
        yield lambda: ReviewClosed(self._seq, places=moves.places)

    def _opening(self, build: str) -> ReviewOpened:
        opened, options, usual = self._opened, self._opened.options, self._game.options()
        return ReviewOpened(
            self._seq, match=opened.match, game=opened.game, version=opened.version, build=build, seal=opened.seal,
            players=opened.players, eyes=self._eyes, policy=self._policy.name, playouts=self._playouts,
            usual_options=isinstance(options, msgspec.UnsetType) or read_options(self._game, bytes(options)) == usual,
        )  # fmt: skip

    def _valued(self, frame: int, value: PositionEstimate) -> GamePositionEvaluated:
        return GamePositionEvaluated(self._seq, frame=frame, value=value)

    def _evaluate_after(self, move: MatchMove) -> GamePositionEvaluated:
        return self._valued(move.last_frame, self.value(move.after))

    def _playout_labels(self) -> tuple[Label, ...]:
        """Return the labels from which `seed_of` derives the random seeds of the simulations."""
        # They are the same for all positions, so the luck of the playouts cancels when estimates are compared.
        return ("review", self._opened.seal, "public" if self._viewer == PUBLIC else "all")

    def _estimate(self, **position: Any) -> PositionEstimate:
        """Estimate each player's result by simulating the rest of the match from a position.

        `position` holds keyword arguments of `PlayoutStartingPosition`.
        """
        # Half of the playouts of a choice are used here. `_weigh` uses the other half.
        whole = PlayoutStartingPosition(game=self._game, seats=self._seats, **position)
        return run_playouts(whole, self._policy, self._playout_labels(), max(1, self._playouts // 2))[0]

    def _bare(self) -> PositionEstimate:
        return self._estimate(state=self._moves.before_deal, deal=True)

    def value(self, state: Any) -> PositionEstimate:
        if not self._game.turn(state):
            return estimate_of_result(self._game.result(state).places)
        return self._estimate(state=state, viewer=self._viewer)

    def _choice(self, move: MatchMove) -> ChoiceEvaluated:
        known = self._viewer == OMNISCIENT
        choice = ChoiceEvaluated(
            self._seq, frame=move.frame, until=move.last_frame, seat=move.seat, entry=move.entry if known else None
        )
        value = self._estimate_actual(move) if known else self._estimate_public(move)
        weighing = None
        if self._options and move.entry is not None:
            weighing = self._weigh(move)
        return msgspec.structs.replace(choice, value=value, weighing=weighing)

    def _weigh(self, move: MatchMove) -> ChoiceEvaluation:
        position = PlayoutStartingPosition(game=self._game, state=move.before, seats=self._seats)
        if self._eyes == "own":
            candidates = LIKELY_CANDIDATES if isinstance(self._policy, QuickPlayoutPolicy) else 0
            position = replace(position, state=move.turn_start, viewer=move.seat, candidates=candidates)
        name = ("review", self._opened.seal, self._eyes, "options")
        return evaluate_options(position, move, self._policy, name, self._playouts - self._playouts // 2)

    def _estimate_actual(self, move: MatchMove) -> PositionEstimate | None:
        """Estimate each player's result after a choice, averaged over its random outcomes (such as dice rolls).

        Return None if the choice has no random outcome.
        """
        follow, heard = follow_of(self._game), RandomNumberRequestDetector(MatchRandomness(self._moves.seed))
        follow(move.before, move.seat, move.menu[move.chosen], heard)
        if not heard.asked:
            return None
        return self._estimate(state=move.before, first_move=(move.seat, move.chosen))

    def _estimate_public(self, move: MatchMove) -> PositionEstimate | None:
        """Estimate each player's result after a choice, from public knowledge only."""
        # None if only one event and no luck followed: the next position has the same value. Also None if no playout
        # finds a hidden state that allows the choice.
        results = list[tuple[int, ...]]()
        sampler = HiddenGameStateSampler(self._game, self._seats, move.before, self._viewer)
        for number in range(max(1, self._playouts // 2)):
            sample = self._sample_state_like(move, sampler, MatchRandomness(seed_of(*self._playout_labels(), number)))
            if sample is None:
                continue
            state, drew = sample
            if len(move.facts) == 1 and not drew:
                return None
            position = PlayoutStartingPosition(game=self._game, state=state, seats=self._seats)
            results += play_out(position, self._policy, self._playout_labels(), range(number, number + 1))
        return sum_playouts(results) if results else None

    def _sample_state_like(
        self, move: MatchMove, sampler: HiddenGameStateSampler, chance: MatchRandomness
    ) -> tuple[Any, bool] | None:
        """Sample hidden states until one allows an action that looks like `move` to the public.

        Return the state after this action, and True if the action drew random numbers. Return None if no sampled state
        allows such an action.
        """
        # The action is played twice: the comparison needs the luck of the match, because the public event can show it
        # (the face of a die). The returned state has new luck.
        follow, public_fact = follow_of(self._game), redact(move.facts[0], self._viewer)
        for number in range(MAX_WORLD_DRAWS):
            redealt_state = MatchRandomness(seed_of(chance.seed.hex(), "world", number))
            world = sampler.sample(redealt_state)
            for action in redealt_state.at("looks").shuffled(self._game.legal(world, move.seat)):
                facts, _ = follow(world, move.seat, action, MatchRandomness(self._moves.seed))
                if redact(facts[0], self._viewer) == public_fact:
                    heard = RandomNumberRequestDetector(chance)
                    return follow(world, move.seat, action, heard)[1], heard.asked
        return None


class RandomNumberRequestDetector(MatchRandomness):
    """Source of random numbers. `asked` becomes True when a random number is requested."""

    __slots__ = ("asked",)

    def __init__(self, chance: MatchRandomness) -> None:
        super().__init__(chance.seed)
        self.asked = False

    def at(self, purpose: str, *numbers: Label) -> RandomBitStream:
        """Return the random numbers for a purpose, and set `asked` to True."""
        self.asked = True
        return super().at(purpose, *numbers)
