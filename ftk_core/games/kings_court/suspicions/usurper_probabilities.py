"""Probability that a player took a Usurper card, given all claims about such cards."""
# A hidden Markov model, whose state is the number of Usurper cards in the box.

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

DISMISSED = 0.1
"""Weight of the case that the first player turned a card over (dismissed it), relative to 1 for no card."""
TRUTH, LIE, OTHER_LIE = 0.9, 0.5, 0.2
"""Weights of a claim about Usurpers: the true number by an honest seat, the true number by a liar, a wrong number by a
liar."""


class UsurperEvidence(NamedTuple):
    """Evidence for or against the theft of a Usurper card by one player."""

    claim: int | None
    """Number of Usurpers that the seat claims to have received."""
    thief: float
    """Probability that the seat is a Thief."""
    took_usurper: float
    """Probability that the seat took a Usurper, without regard to claims about Usurpers."""

    def stays(self, usurpers: int) -> float:
        """Return the joint probability of the player's claim and of taking no Usurper card.

        `usurpers` is the number of Usurper cards in the box that the player received.
        """
        honest = TRUTH if self.claim == usurpers else 1 - TRUTH
        likelihood = 1.0 if self.claim is None else self.thief * self._lie(usurpers) + (1 - self.thief) * honest
        return (1 - self.took_usurper) * likelihood

    def goes(self, usurpers: int) -> float:
        """Return the joint probability of the player's claim and of taking a Usurper card.

        `usurpers` is the number of Usurper cards in the box that the player received.
        """
        return self.took_usurper * (1.0 if self.claim is None else self._lie(usurpers))

    def _lie(self, usurpers: int) -> float:
        return LIE if self.claim == usurpers else OTHER_LIE


def usurper_chances(seats: Sequence[UsurperEvidence], most: int, left: int) -> list[float]:
    """Return each player's probability of having taken a Usurper card.

    `most` is the number of Usurper cards in the box before all thefts, `left` the number after them.
    """
    # The first player may have removed one, which nobody then could take.
    layers = [[0.0] * (most + 1) for _ in range(len(seats) + 1)]
    layers[0][most], layers[0][most - 1] = 1.0, DISMISSED
    for seat, here, after in zip(seats, layers, layers[1:], strict=False):
        for usurpers in range(left, most + 1):
            after[usurpers] += here[usurpers] * seat.stays(usurpers)
            if usurpers > left:
                after[usurpers - 1] += here[usurpers] * seat.goes(usurpers)
    chances, later = list[float](), [float(usurpers == left) for usurpers in range(most + 1)]
    for seat, here in zip(reversed(seats), reversed(layers[:-1]), strict=True):
        earlier, total, taken = [0.0] * (most + 1), 0.0, 0.0
        for usurpers in range(left, most + 1):
            stay = seat.stays(usurpers) * later[usurpers]
            go = seat.goes(usurpers) * later[usurpers - 1] if usurpers > left else 0.0
            earlier[usurpers] = stay + go
            total += here[usurpers] * earlier[usurpers]
            taken += here[usurpers] * go
        chances.append(taken / total if total > 0 else 0.0)
        later = earlier
    return chances[::-1]
