"""Weights of the playout policy by number of players. ``tools/playout_policy/tune.cpp`` finds them by self-play.

Values are victory points unless the text says otherwise.
"""

from __future__ import annotations

from typing import NamedTuple


class PolicyWeights(NamedTuple):
    """Weights of the playout policy at one table size."""

    unseen_high: float
    """Card value that an unseen card adds to an opponent on average, in an office with high card values."""
    unseen_low: float
    """The same in another office."""
    blur_high: float
    """Lead, in card value, that makes the first place in an office with high card values likely."""
    blur_low: float
    """The same in another office."""
    auction_blur: float
    """Factor of both in the auctions."""
    letter: float
    """Card value that the better letter is worth."""
    coin: float
    """Value of 1 gold to a hand without gold, before the auctions."""
    coin_fall: float
    """Decrease of that value for each gold in the hand."""
    king_taken: float
    """Value of a King card in the middle."""
    king_kept: float
    """Value of a drawn King card."""
    king_bought: float
    """Value of a King card at auction."""
    king_middle: float
    """Loss from a King card laid in the middle."""
    king_favor: float
    """Gain from a King card laid on the Favor deck."""
    middle: float
    """Gain from any card laid in the middle."""
    denial_middle: float
    """Share of an opponent's gain that counts as a loss if the card is laid in the middle."""
    gold_middle: float
    """Loss from each gold laid in the middle."""
    favor: float
    """Share of a card's gain that is left if it is laid on the Favor deck."""
    denial_favor: float
    """Share of an opponent's gain that counts as a loss if the card is laid on the Favor deck."""
    gold_favor: float
    """Loss from each gold laid on the Favor deck."""
    patience: float
    """Gain that a card to keep must have at the start of a turn; in proportion less with fewer cards to come."""
    denial_taken: float
    """Share of an opponent's gain that counts as a gain if the card is taken from the middle."""
    denial_bought: float
    """The same at auction."""
    coin_limit: float
    """Highest price of 1 gold in the auctions."""
    demand: float
    """Numerator of that price for each card left."""
    last_demand: float
    """Cards that count as left after the last one."""
    supply: float
    """Gold that is assumed to be spent on each card left."""
    loss: float
    """Share of the loss of a discarded card that counts."""
    loss_of_any: float
    """Loss of any discarded government card."""
    mixing: float
    """Difference of two choices below which chance decides."""


POLICY_WEIGHTS = {
    2: PolicyWeights(
        0.33, 0.17, 2.5, 1.5, 1.0, 0.2, 0.2, 0.012, 0.4, 0.3, 0.55, 0.2, 0.05, 0.05, 0.3,
        0.11, 0.25, 0.3, 0.04, 0.95, 0.1, 0.4, 0.22, 0.25, 0.5, 0.5, 1.0, 0.05, 0.1,
    ),
}  # fmt: skip
"""Number of players -> weights."""
for _n in (3, 4, 5):
    POLICY_WEIGHTS[_n] = POLICY_WEIGHTS[2]
