"""Small neural network that scores the legal actions of a player."""
# Trained bots contain a copy of this file and need only numpy.

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class ActionScorer:
    """Neural network with one hidden layer that scores an action for an observation."""

    def __init__(self, first: Floats, bias: Floats, last: Floats) -> None:
        """Store the weights of the network.

        Shapes: `first` (input columns, hidden units), `bias` (hidden units,), `last` (hidden units,).
        """
        self.first, self.bias, self.last = first, bias, last

    def values(self, observation: Floats, rows: Floats) -> Floats:
        """Return the scores of the actions as an array of shape (items,).

        `rows` holds the features of the actions, with shape (items, feature columns).
        """
        width = len(observation)
        known = np.flatnonzero(observation)  # most columns are 0: skip them
        observed = observation[known] @ self.first[known] + self.bias
        hidden = np.maximum(observed + rows @ self.first[width:], 0)
        values: Floats = hidden @ self.last
        return values

    def best(self, observation: Floats, rows: Floats) -> int:
        """Return the index of the menu item with the highest score."""
        return int(np.argmax(self.values(observation, rows)))

    def to_dict(self) -> dict[str, Any]:
        """Return the weights as a dict that JSON can encode, with 16-bit floats."""
        return {name: _text(value) for name, value in vars(self).items()}

    @classmethod
    def of(cls, weights: dict[str, Any]) -> ActionScorer:
        """Create a scorer from a dict of weights, as `to_dict` returns it."""
        return cls(**{name: _array(value) for name, value in weights.items()})


def _text(values: Floats) -> dict[str, Any]:
    halves = values.astype("<f2")
    return {"shape": list(halves.shape), "base64": base64.b64encode(halves.tobytes()).decode()}


def _array(stored: dict[str, Any]) -> Floats:
    halves = np.frombuffer(base64.b64decode(stored["base64"]), "<f2").reshape(stored["shape"])
    return halves.astype(np.float32)
