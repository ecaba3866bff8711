"""Estimates of the value of each possible action, from simulated matches."""
# Simulations with the same number use the same random numbers for all actions, so luck distorts the comparison less.

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

import msgspec

from ftk_core.analysis.alternative_move_selection import list_neighbours, select_items
from ftk_core.analysis.choice_evaluation import ActionValueEstimate, ChoiceEvaluation, MistakeCostEstimate
from ftk_core.analysis.playouts import PlayoutPolicy, PlayoutPosition
from ftk_core.analysis.position_estimates import left_behind, margin
from ftk_core.facts import encode
from ftk_core.match_moves import MatchMove
from ftk_core.native.native_game_rules import PlayoutStartingPosition
from ftk_core.random_streams import Label

MIN_TRIALS = 6
"""Minimum number of playouts of each option."""
MAX_FINALISTS = 3
"""Number of promising options that get more playouts before the best one is selected."""
LOSS_PLAYOUTS_FACTOR = 8
"""Number of playouts that measure an apparent loss, divided by the number that measured `ChoiceEvaluation.cost`."""
LARGE_LOSS = Fraction(1, 10)
"""Loss above which a mistake is measured again, with `LARGE_LOSS_FACTOR` times as many playouts.

It is a share of opponents. The lower end of the loss's 95% interval is compared with it.
"""
LARGE_LOSS_FACTOR = 2


def evaluate_options(
    position: PlayoutStartingPosition, move: MatchMove, policy: PlayoutPolicy, name: Sequence[Label], playouts: int
) -> ChoiceEvaluation:
    """Compare a player's choice with its alternatives by simulations (playouts) of the rest of the match.

    `playouts` is the number of simulations for a short menu. Of a long menu each selected item is simulated at least
    `MIN_TRIALS` times. If the choice seems to be a mistake, up to 20 times as many simulations measure its cost.
    `name` determines the random seeds of all simulations (see `seed_of`).
    """
    postpones = position.game.postpones(move.menu[move.chosen])
    trials = _OptionTrials(PlayoutPosition(position, policy, name), move, postpones=postpones)
    finalists, best, worst = trials.select(playouts)
    extremes = dict.fromkeys((move.chosen, best, worst))
    measured = trials.play(extremes, max(MIN_TRIALS, playouts // 5) if len(extremes) > 1 else 0)
    cost, least = trials.mean_gain(best, measured), trials.mean_gain(worst, measured)
    loss = None
    if trials.is_clear_gain(best, measured):
        loss = trials.select_loss(finalists, LOSS_PLAYOUTS_FACTOR * len(measured))
        if loss.sure_share > LARGE_LOSS:
            loss = trials.measure_loss(loss.better, LARGE_LOSS_FACTOR * loss.playouts)
    return ChoiceEvaluation(
        menu=len(move.menu), playouts=trials.count, chosen=move.chosen, options=tuple(trials.estimates()),
        cost=str(cost), stake=str(cost - least), loss=loss, effective=trials.effective,
    )  # fmt: skip


class _OptionTrials:
    """Simulated matches that compare the possible actions of one choice."""

    # A playout has the same luck after every item. The chosen item is part of every playout: it is the basis of
    # comparison.

    def __init__(self, playable: PlayoutPosition, move: MatchMove, *, postpones: bool = False) -> None:
        self._playable, self._move, self._postpones = playable, move, postpones
        self._later: int | None = None
        """Menu item that the seat plays after the chosen one, as soon as it can; None if it plays by the policy."""
        self._most = 2 * (move.seats - 1)
        self._lefts: dict[int, dict[int, int]] = {item: {} for item in select_items(move, playable)}
        """Menu item -> number of the playout -> points: 2 for each opponent finished ahead of, 1 for each tie."""
        self.count = 0

    @property
    def effective(self) -> int:
        """Rounded mean of the effective numbers of hidden states; 0 if they were not weighed."""
        numbers = self._playable.effective.values()
        return round(sum(numbers) / len(numbers)) if numbers else 0

    def play(self, items: Iterable[int], count: int) -> range:
        """Simulate the match `count` more times after each action in `items` (menu indices).

        Return the numbers of the new simulations. Simulations with the same number have the same luck, whichever action
        they begin with.
        """
        numbers, chosen = range(self.count, self.count + count), self._move.chosen
        items = dict.fromkeys(items)
        if self._later is not None and chosen in items:
            del items[chosen]
            self._lefts[chosen].update(self._simulate([chosen], numbers, self._later)[0])
        for item, lefts in zip(items, self._simulate(list(items), numbers) if items else (), strict=True):
            self._lefts.setdefault(item, {}).update(lefts)
        self.count += count
        return numbers

    def _simulate(self, items: Sequence[int], numbers: range, later: int | None = None) -> list[dict[int, int]]:
        """Return the results of simulations for each item: number of the simulation -> points as in `_lefts`."""
        seat = self._move.seat
        return [
            dict(zip(numbers, (left_behind(places)[seat] for places in results), strict=True))
            for results in self._playable.play_out_items(seat, items, numbers, later)
        ]

    def select(self, playouts: int) -> tuple[Sequence[int], int, int]:
        """Return the most promising actions, the best and the worst, as menu indices.

        The chosen action counts as the best unless another action is clearly better.
        """
        # Luck alone must not decide against the chosen item: another is best only if it is clearly better than the
        # chosen one, and worst only if it did worse.
        items, chosen = tuple(self._lefts), self._move.chosen
        tried = self.play(items, max(MIN_TRIALS, playouts // (3 * len(items))))
        by_promise = sorted(items, key=lambda item: (-self.mean_gain(item, tried), item != chosen, item))
        finalists = by_promise[:MAX_FINALISTS]
        if len(items) > MAX_FINALISTS:
            kinds = [*map(self._playable.game.variety, self._move.menu)]
            finalists += [item for item in list_neighbours(kinds, finalists[0]) if item not in items]
            self.play((chosen, *finalists), 2 * len(tried))
        best = self._best_of(finalists)
        if self._postpones and best != chosen:
            self._postpone(finalists)
            best = self._best_of(finalists)
        return finalists, best, min(items, key=lambda item: (self.mean_gain(item, tried), item != chosen, item))

    def _best_of(self, finalists: Sequence[int]) -> int:
        """Return the best item: the chosen one, unless another is clearly better."""
        chosen = self._move.chosen
        best = max(finalists, key=lambda item: (self.mean_gain(item), item == chosen, -item))
        return best if self.is_clear_gain(best) else chosen

    def _postpone(self, finalists: Iterable[int]) -> None:
        """Let one of the `finalists` follow the chosen action at the next opportunity, if the results are no worse.

        The simulations of the chosen action so far are repeated. All later ones are also played so.
        """
        chosen = self._move.chosen
        for later in (item for item in finalists if item != chosen):
            (repeated,) = self._simulate([chosen], range(self.count), later)
            if sum(repeated.values()) >= sum(self._lefts[chosen].values()):
                self._later, self._lefts[chosen] = later, repeated

    def select_loss(self, finalists: Sequence[int], playouts: int) -> MistakeCostEstimate:
        """Select the best of the `finalists` by new simulations, then estimate how much worse the chosen action is."""
        # The playouts that select the finalist differ from those that measure, so luck in the selection cannot enlarge
        # it.
        tried = self.play((self._move.chosen, *finalists), playouts // 3)
        return self.measure_loss(max(finalists, key=lambda item: (self.mean_gain(item, tried), -item)), playouts)

    def measure_loss(self, better: int, playouts: int) -> MistakeCostEstimate:
        """Estimate by new simulations how much worse the chosen action is than the action with menu index `better`."""
        measured = self.play((self._move.chosen, better), playouts)
        return MistakeCostEstimate(
            better=better, playouts=len(measured), share=str(self.mean_gain(better, measured)),
            margin=str(self.margin_of_gain(better, measured)),
        )  # fmt: skip

    def mean_gain(self, item: int, numbers: Iterable[int] | None = None) -> Fraction:
        """Return the mean gain of an action over the chosen action, as a share of opponents beaten."""
        gains = self._gains(item, numbers)
        return Fraction(sum(gains), self._most * max(1, len(gains)))

    def is_clear_gain(self, item: int, numbers: Iterable[int] | None = None) -> bool:
        """Return True if an action's mean gain over the chosen action exceeds 0.2 / sqrt(number of playouts)."""
        # This is about half a standard error. With a lower limit, one of many equally good items would often look
        # better by luck.
        gains = self._gains(item, numbers)
        total = sum(gains)
        return total > 0 and 25 * total * total > len(gains) * self._most * self._most

    def margin_of_gain(self, item: int, numbers: Iterable[int] | None = None) -> Fraction:
        """Return the half-width of the 95% interval of the action's mean gain."""
        shifted = [self._most + gain for gain in self._gains(item, numbers)]
        return 2 * margin(len(shifted), sum(shifted), sum(number * number for number in shifted), 2 * self._most)

    def estimates(self) -> Iterator[ActionValueEstimate]:
        """Yield the estimated value of each simulated action, in menu order."""
        # The mean over an option's own few playouts would differ from the chosen option's also by their luck, which
        # the margin of the difference does not contain.
        chosen = self._lefts[self._move.chosen]
        base = Fraction(sum(chosen.values()), self._most * len(chosen))
        for item, lefts in sorted(self._lefts.items()):
            yield ActionValueEstimate(
                item=item,
                action=msgspec.Raw(encode(self._move.menu[item])),
                share=str(min(Fraction(1), max(Fraction(0), base + self.mean_gain(item)))),
                margin=str(self.margin_of_gain(item)) if item != self._move.chosen else "0",
                playouts=len(lefts),
            )

    def _gains(self, item: int, numbers: Iterable[int] | None) -> list[int]:
        lefts, chosen = self._lefts[item], self._lefts[self._move.chosen]
        return [lefts[number] - chosen[number] for number in (lefts if numbers is None else numbers)]
