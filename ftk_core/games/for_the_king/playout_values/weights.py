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
    sharpness_high: float
    """Effect of a lead of 1, in card value, on the chance to be first in an office with high card values."""
    sharpness_low: float
    """The same in another office."""
    auction_sharpness: float
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
        0.744, 0.334, 0.303, 0.511, 0.625, 0.235, 0.222, 0.0122, 0.279, 0.3, 0.555, 0.161, 0.037, 0.0749,
        0.428, 0.0446, 0.268, 0.341, 0.049, 0.826, 0.0268, 0.571, 0.258, 0.233, 0.422, 0.356, 0.738, 0.0482, 0.1,
    ),
    3: PolicyWeights(
        0.719, 0.325, 0.292, 0.663, 0.957, 0.213, 0.219, 0.00906, 0.279, 0.382, 0.469, 0.148, 0.0305, 0.0653,
        0.451, 0.0293, 0.235, 0.281, 0.0512, 0.873, 0.0446, 0.513, 0.217, 0.242, 0.397, 0.392, 0.95, 0.0444, 0.1,
    ),
    4: PolicyWeights(
        0.719, 0.325, 0.292, 0.663, 0.957, 0.213, 0.219, 0.00906, 0.279, 0.382, 0.469, 0.148, 0.0305, 0.0653,
        0.451, 0.0293, 0.235, 0.281, 0.0512, 0.873, 0.0446, 0.513, 0.217, 0.242, 0.397, 0.392, 0.95, 0.0444, 0.1,
    ),
    5: PolicyWeights(
        0.719, 0.325, 0.292, 0.663, 0.957, 0.213, 0.219, 0.00906, 0.279, 0.382, 0.469, 0.148, 0.0305, 0.0653,
        0.451, 0.0293, 0.235, 0.281, 0.0512, 0.873, 0.0446, 0.513, 0.217, 0.242, 0.397, 0.392, 0.95, 0.0444, 0.1,
    ),
}  # fmt: skip
"""Number of players -> weights."""
