"""Likelihoods of a player's claims, given what the player took from the box."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ftk_core.games.kings_court.roles_and_options import DIAMONDS, MAX_SEATS

HONEST = 0.85
"""Probability that a seat without diamonds tells the truth. Otherwise its claims are random."""
BLAMES_NEXT, BLAMES_PREVIOUS, CONFESSES = 0.35, 0.3, 0.1
"""Probabilities that a Thief's claims blame the next seat, blame the previous seat, or are true. Otherwise they are
random."""
RANDOM_THIEF, RANDOM_OTHER = 1 - BLAMES_NEXT - BLAMES_PREVIOUS - CONFESSES, 1 - HONEST
ANY_AMOUNT, JUST_OVER_HALF = 0.7, 0.6
"""Weights of stealing diamonds, relative to a weight of 1 for taking a card.

The first is divided equally between all numbers of diamonds. The second is added for just over half of the diamonds.
"""
FIRST_THIEF, LATER_THIEF = 2.0, 1.0
"""Numbers by which the weights of stealing diamonds are multiplied.

The first is for a seat that can steal at least as many as any earlier seat (`is_first_thief`), the second for others.
"""
LEVELS, CARD_LEVELS = DIAMONDS + 1, MAX_SEATS - 2
Row = list[float]
"""List of values. The index is the number of cards that are missing from the box."""


def is_first_thief(diamonds: int) -> bool:
    """Return True if no earlier player can have stolen more than just over half of `diamonds`.

    `diamonds` is the number of diamonds in the box that the thief received.
    """
    # An earlier player has stolen at most the diamonds that are missing from the box.
    return DIAMONDS - diamonds <= diamonds // 2 + 1


def _theft_factor(diamonds: int) -> float:
    return FIRST_THIEF if is_first_thief(diamonds) else LATER_THIEF


ANY_THEFT = [_theft_factor(diamonds) * ANY_AMOUNT / max(1, diamonds) for diamonds in range(LEVELS)]
"""Weight of stealing any one number of diamonds, by the number of diamonds in the box."""
HALF_THEFT = [_theft_factor(diamonds) * JUST_OVER_HALF for diamonds in range(LEVELS)]
"""Additional weight of stealing just over half of the diamonds, by the number of diamonds in the box."""


def scale(diamonds: int, *, card: bool, nothing: bool) -> float:
    """Return 1 divided by the total weight of a player's choices at the box. It turns weights into probabilities.

    The box holds `diamonds` diamonds. `card` is True if the player may take a card, `nothing` if the player may take
    nothing.
    """
    thefts = _theft_factor(diamonds) * (ANY_AMOUNT + JUST_OVER_HALF) if diamonds else 0.0
    return 1 / (thefts + card + nothing)


def left_of(diamonds: int) -> int:
    """Return how many diamonds remain if a thief steals just over half of them."""
    return diamonds - diamonds // 2 - 1


def add(sums: Row, weight: float, row: Row) -> None:
    """Add the values of `row`, multiplied by `weight`, to those of `sums`."""
    for cards, value in enumerate(row):
        sums[cards] += weight * value


def multiply(row: Row, other: Row) -> Row:
    """Return the element-wise product of two rows."""
    return [value * factor for value, factor in zip(row, other, strict=True)]


def add_up(row: Row) -> float:
    """Return the sum of the values."""
    # They are added in the same order as in the C++ rules, so that no digit differs.
    total = 0.0
    for value in row:
        total += value
    return total


@dataclass(slots=True)
class SpeakerClaims:
    """Latest claims of a seat; None for claims that it has not made."""

    received: int | None = None
    """Number of diamonds in the box when the player received it."""
    passed: int | None = None
    """Number of diamonds in the box when the player passed it on."""
    gone: int | None = None
    """Number of cards missing from the box when the player received it."""
    usurpers: int | None = None
    """Number of Usurpers in the box when the player received it."""


def _fits(claim: int | None, truth: int) -> bool:
    return claim is None or claim == truth


class SpeakerClaimLikelihoods:
    """Likelihoods of one player's claims, given the player's theft and the box."""

    def __init__(self, claims: SpeakerClaims, gone: int) -> None:
        self.claims, noise = claims, 1.0
        for claim, choices in ((claims.received, LEVELS), (claims.passed, LEVELS), (claims.gone, CARD_LEVELS)):
            noise = noise if claim is None else noise / choices
        self.noise = noise
        self.came = [float(_fits(claims.gone, cards)) for cards in range(gone + 1)]
        self.went = [float(_fits(claims.gone, max(0, cards - 1))) for cards in range(gone + 1)]

    def thief(self, diamonds: int) -> Row:
        """Return the likelihoods of the claims if a thief claims at random or blames the next player.

        `diamonds` is the number of diamonds in the box that the player received. Item n of the result is the likelihood
        if n cards were missing from this box.
        """
        # `stories` covers all other thieves, whose claims depend on the number of diamonds that they stole.
        return self._mix(RANDOM_THIEF, BLAMES_NEXT, diamonds)

    def other(self, diamonds: int) -> Row:
        """Return the likelihoods of the claims if the player is no thief.

        `diamonds` is the number of diamonds in the box that the player received. Item n of the result is the likelihood
        if n cards were missing from this box.
        """
        return self._mix(RANDOM_OTHER, HONEST, diamonds)

    def _mix(self, random: float, story: float, diamonds: int) -> Row:
        if not (_fits(self.claims.received, diamonds) and _fits(self.claims.passed, diamonds)):
            story = 0.0
        return [random * self.noise + story * came for came in self.came]

    def stories(self, diamonds: int, least: int) -> Iterator[tuple[int, Row]]:
        """Yield the thefts that fit the claims, if the thief tells the truth or blames the previous player.

        Each item is (diamonds left in the box, weights by number of cards missing from the box). At least `least`
        diamonds are left.
        """
        # A weight is the prior weight times the likelihood of the claims.
        passed = self.claims.passed
        came = _fits(self.claims.received, diamonds)
        for rest in range(least, diamonds) if passed is None else range(max(least, passed), min(passed + 1, diamonds)):
            confesses, blames = came * CONFESSES, _fits(self.claims.received, rest) * BLAMES_PREVIOUS
            if confesses + blames:
                weight = ANY_THEFT[diamonds] + (HALF_THEFT[diamonds] if rest == left_of(diamonds) else 0.0)
                likelihoods = [
                    confesses * here + blames * went for here, went in zip(self.came, self.went, strict=True)
                ]
                yield rest, [weight * likelihood for likelihood in likelihoods]
