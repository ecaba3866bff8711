"""Evaluation of one choice, as a match review stores it."""

from __future__ import annotations

from fractions import Fraction

import msgspec


class ActionValueEstimate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Possible action with its estimated value from simulated matches."""

    item: int
    """Index into the menu."""
    action: msgspec.Raw
    share: str
    """Expected share of opponents that the seat finishes ahead of with this item, as a fraction like ``1/3``.

    It is the chosen item's mean over all its playouts, plus the mean difference over the playouts of both items.
    """
    margin: str
    """Half-width of the 95% interval of the difference from the chosen item's share; 0 for the chosen item."""
    playouts: int = 0
    """Number of playouts of this item. Promising items get more. 0 in reviews that played all items equally often."""
    said: dict[str, str] = {}
    """Language tag -> sentence that describes the item. Empty in stored reviews; `build_review_document` adds it."""


class MistakeCostEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """Estimate of how much worse the chosen action is than a better one."""

    # The simulations that measure the loss differ from those that selected the better action, to avoid selection bias.

    better: int
    """Menu index of the better item."""
    playouts: int
    share: str
    """Loss in the mean share of opponents finished ahead of, as a fraction like ``1/3``. It can be negative."""
    margin: str
    """Half-width of the 95% interval of `share`."""

    @property
    def sure_share(self) -> Fraction:
        """Lower end of the 95% interval of `share`."""
        return Fraction(self.share) - Fraction(self.margin)


class ChoiceEvaluation(msgspec.Struct, frozen=True, kw_only=True):
    """Comparison of a choice with its alternatives, by the share of opponents that the player can expect to beat."""

    menu: int
    """Number of items on the menu."""
    playouts: int
    """Number of playouts of the chosen option."""
    chosen: int
    """Menu index of the chosen item."""
    options: tuple[ActionValueEstimate, ...]
    """Menu items that were tried, in menu order: all items of a small menu, else a selection.

    `select_items` selects them; the neighbours of the most promising item on the menu may be added.
    """
    cost: str
    """Loss by the choice: mean share with the best option minus mean share with the chosen option.

    The share is the part of the opponents that the seat finishes ahead of. The loss is 0 if the chosen option seems
    best. Otherwise it is measured in new playouts, not in those that selected the best option. This avoids selection
    bias. The measured value can be negative.
    """
    stake: str
    """Cost that the worst option would have had: mean share with the best option minus mean share with the worst."""
    loss: MistakeCostEstimate | None = None
    """Measurement of an apparent loss; None if the choice does not seem to be a mistake."""
    effective: int = 0
    """Mean effective number of hidden states from which each simulation drew a likely one (see `Game.likelihood`).

    0 if the hidden states were not weighed by the likelihood of the other players' actions.
    """
