"""Weights of the playout policy by number of players. ``tools/playout_policy/tune.cpp`` finds them by self-play.

Values are victory points unless the text says otherwise.
"""

from __future__ import annotations

from typing import NamedTuple


class PolicyWeights(NamedTuple):
    """Weights of the playout policy for one number of players."""

    unseen_high: float
    """Card value that an unseen card adds to an opponent on average, in an office with high card values."""
    unseen_low: float
    """As `unseen_high`, in any other office."""
    sharpness_high: float
    """Effect of a lead of 1, in card value, on the chance to be first in an office with high card values."""
    sharpness_low: float
    """As `sharpness_high`, in any other office."""
    auction_sharpness: float
    """Factor of `sharpness_high` and `sharpness_low` in the auctions."""
    letter: float
    """Card value that the better letter is worth."""
    coin: float
    """Value of 1 gold to a hand without gold, before the auctions."""
    coin_fall: float
    """Decrease of `coin` for each gold in the hand."""
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
    """Factor of `PositionValues.denial`, which is subtracted if the card is laid in the middle."""
    gold_middle: float
    """Loss from each gold laid in the middle."""
    favor: float
    """Share of a card's gain that is left if it is laid on the Favor deck."""
    denial_favor: float
    """Factor of `PositionValues.denial`, which is subtracted if the card is laid on the Favor deck."""
    gold_favor: float
    """Loss from each gold laid on the Favor deck."""
    patience: float
    """Gain that a kept card must have at the start of a turn; proportionally less with fewer cards left to place."""
    denial_taken: float
    """Factor of `PositionValues.denial`, which is added if the card is taken from the middle."""
    denial_bought: float
    """Factor of `PositionValues.denial`, which is added if the card is bought at auction."""
    coin_limit: float
    """Highest price of 1 gold in the auctions."""
    demand: float
    """Contribution of each card left to the numerator of the price of 1 gold (`PositionValues.price_of_gold`)."""
    last_demand: float
    """Number added to the cards left in this numerator, so that gold keeps a value when no card is left."""
    supply: float
    """Gold that is assumed to be spent on each card left."""
    loss: float
    """Factor of the expected points lost with a discarded government card."""
    loss_of_any: float
    """Loss with any discarded government card, added to the product of `loss` and the expected points."""
    mixing: float
    """Twice the difference in value below which the policy may choose the less valuable of two choices at random."""


POLICY_WEIGHTS = {
    2: PolicyWeights(
        0.757, 0.338, 0.3, 0.518, 0.62, 0.241, 0.224, 0.0118, 0.294, 0.267, 0.555, 0.162, 0.0364, 0.0739,
        0.452, 0.0454, 0.269, 0.34, 0.0494, 0.816, 0.0279, 0.583, 0.255, 0.231, 0.428, 0.362, 0.747, 0.0481, 0.1,
    ),
    3: PolicyWeights(
        0.772, 0.342, 0.316, 0.686, 0.926, 0.179, 0.252, 0.00802, 0.257, 0.43, 0.425, 0.142, 0.0329, 0.0641,
        0.472, 0.0187, 0.225, 0.279, 0.0621, 0.884, 0.0373, 0.503, 0.217, 0.246, 0.362, 0.322, 0.992, 0.0594, 0.1,
    ),
    4: PolicyWeights(
        0.719, 0.325, 0.292, 0.663, 0.957, 0.213, 0.219, 0.00906, 0.279, 0.382, 0.469, 0.148, 0.0305, 0.0653,
        0.451, 0.0293, 0.235, 0.281, 0.0512, 0.873, 0.0446, 0.513, 0.217, 0.242, 0.397, 0.392, 0.95, 0.0444, 0.1,
    ),
    5: PolicyWeights(
        0.931, 0.417, 0.284, 0.657, 1.05, 0.215, 0.232, 0.00676, 0.275, 0.379, 0.381, 0.159, 0.0246, 0.0718,
        0.4, 0.0275, 0.295, 0.225, 0.0611, 0.84, 0.0507, 0.569, 0.209, 0.214, 0.365, 0.402, 1.18, 0.0395, 0.1,
    ),
}  # fmt: skip
"""Number of players -> weights."""
