"""Weights of the policy that plays simulated matches, by number of players."""
# ``tools/playout_policy/tune.cpp`` computed them by self-play. The unit is the victory point unless stated otherwise.

from __future__ import annotations

from typing import NamedTuple


class PlayoutPolicyWeights(NamedTuple):
    """Weights with which the playout policy values cards and gold, tuned for one number of players."""

    unseen_high: float
    """Card value that an unseen card adds to an opponent on average, in an office with high card values."""
    unseen_low: float
    """Card value that an unseen card adds to an opponent on average, in an office without high card values."""
    sharpness_high: float
    """Effect of a lead of 1, in card value, on the chance to be first in an office with high card values."""
    sharpness_low: float
    """Effect of a lead of 1, in card value, on the chance to be first in an office without high card values."""
    auction_sharpness: float
    """Number by which `sharpness_high` and `sharpness_low` are multiplied in the auctions."""
    letter: float
    """Lead in card value that counts as much as the better tie-break letter in an office."""
    coin: float
    """Value of 1 gold to a hand without gold, before the auctions."""
    coin_fall: float
    """Decrease of `coin` for each gold in the hand."""
    king_taken: float
    """Value of a King card in the middle to the seat that takes it."""
    king_kept: float
    """Value of a drawn King card to the Adviser who keeps it."""
    king_bought: float
    """Value of a King card at auction to its buyer."""
    king_middle: float
    """Loss from a King card laid in the middle."""
    king_favor: float
    """Gain from a King card laid on the Favor deck."""
    middle: float
    """Gain from any card laid in the middle."""
    denial_middle: float
    """Multiplier of the points that the seat loses if a rival gets the card (`SeatResourceValues.denial`).

    The product is subtracted from the value of laying the card in the middle.
    """
    gold_middle: float
    """Loss from each gold laid in the middle."""
    favor: float
    """Share of a card's gain that is left if it is laid on the Favor deck."""
    denial_favor: float
    """Multiplier of the points that the seat loses if a rival gets the card (`SeatResourceValues.denial`).

    The product is subtracted from the value of laying the card on the Favor deck.
    """
    gold_favor: float
    """Loss from each gold laid on the Favor deck."""
    patience: float
    """Points subtracted from the gain of a card that the Adviser keeps, if it is the first card of the turn.

    For later cards fewer points are subtracted, in proportion to the number of cards still to be placed.
    """
    denial_taken: float
    """Multiplier of the points that the seat loses if a rival gets the card (`SeatResourceValues.denial`).

    The product is added to the value of taking the card from the middle.
    """
    denial_bought: float
    """Multiplier of the points that the seat loses if a rival gets the card (`SeatResourceValues.denial`).

    The product is added to the value of buying the card at auction.
    """
    coin_limit: float
    """Highest price of 1 gold in the auctions."""
    demand: float
    """Multiplier in the formula for the price of 1 gold (`SeatResourceValues.price_of_gold`).

    The price is `demand` * (cards left + `last_demand`) / (gold in the hand + `supply` * (cards left + 1)), up to
    `coin_limit`.
    """
    last_demand: float
    """Number added to the cards left in the formula at `demand`, so that gold keeps a value when no card is left."""
    supply: float
    """Gold that is assumed to be spent on each card left."""
    loss: float
    """Multiplier of the expected points that a discarded government card costs."""
    loss_of_any: float
    """Points added to the loss of each discarded government card, after the multiplication by `loss`."""
    mixing: float
    """Width of the range of differences in value, centred on 0, in which the policy chooses at random.

    The better of two options has probability 0.5 + difference / `mixing`. It is certain from half of `mixing` on.
    """


POLICY_WEIGHTS = {
    2: PlayoutPolicyWeights(
        0.757, 0.338, 0.3, 0.518, 0.62, 0.241, 0.224, 0.0118, 0.294, 0.267, 0.555, 0.162, 0.0364, 0.0739,
        0.452, 0.0454, 0.269, 0.34, 0.0494, 0.816, 0.0279, 0.583, 0.255, 0.231, 0.428, 0.362, 0.747, 0.0481, 0.1,
    ),
    3: PlayoutPolicyWeights(
        0.772, 0.342, 0.316, 0.686, 0.926, 0.179, 0.252, 0.00802, 0.257, 0.43, 0.425, 0.142, 0.0329, 0.0641,
        0.472, 0.0187, 0.225, 0.279, 0.0621, 0.884, 0.0373, 0.503, 0.217, 0.246, 0.362, 0.322, 0.992, 0.0594, 0.1,
    ),
    4: PlayoutPolicyWeights(
        0.719, 0.325, 0.292, 0.663, 0.957, 0.213, 0.219, 0.00906, 0.279, 0.382, 0.469, 0.148, 0.0305, 0.0653,
        0.451, 0.0293, 0.235, 0.281, 0.0512, 0.873, 0.0446, 0.513, 0.217, 0.242, 0.397, 0.392, 0.95, 0.0444, 0.1,
    ),
    5: PlayoutPolicyWeights(
        0.931, 0.417, 0.284, 0.657, 1.05, 0.215, 0.232, 0.00676, 0.275, 0.379, 0.381, 0.159, 0.0246, 0.0718,
        0.4, 0.0275, 0.295, 0.225, 0.0611, 0.84, 0.0507, 0.569, 0.209, 0.214, 0.365, 0.402, 1.18, 0.0395, 0.1,
    ),
}  # fmt: skip
"""Number of players -> weights."""
