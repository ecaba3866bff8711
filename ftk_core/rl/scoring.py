"""Small neural network that scores the items of a menu. It only needs numpy: bots ship this file."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class Scorer:
    """Network whose input is an observation followed by the features of one menu item; its output is one number."""

    def __init__(self, first: Floats, bias: Floats, last: Floats) -> None:
        """Store the weights, of shapes (columns, hidden), (hidden,) and (hidden,)."""
        self.first, self.bias, self.last = first, bias, last

    def values(self, observation: Floats, rows: Floats) -> Floats:
        """Return the score of each row: (items, columns of an action) -> (items,)."""
        width = len(observation)
        known = np.flatnonzero(observation)  # most columns are 0: skip them
        seen = observation[known] @ self.first[known] + self.bias
        hidden = np.maximum(seen + rows @ self.first[width:], 0)
        values: Floats = hidden @ self.last
        return values

    def best(self, observation: Floats, rows: Floats) -> int:
        """Return the index of the row with the highest score."""
        return int(np.argmax(self.values(observation, rows)))

    def kept(self) -> dict[str, Any]:
        """Return the weights as a JSON-compatible dict, in half precision."""
        return {name: _text(value) for name, value in vars(self).items()}

    @classmethod
    def of(cls, kept: dict[str, Any]) -> Scorer:
        """Load a scorer from the dict that `kept` returned."""
        return cls(**{name: _array(value) for name, value in kept.items()})


def _text(values: Floats) -> dict[str, Any]:
    halves = values.astype("<f2")
    return {"shape": list(halves.shape), "base64": base64.b64encode(halves.tobytes()).decode()}


def _array(kept: dict[str, Any]) -> Floats:
    halves = np.frombuffer(base64.b64decode(kept["base64"]), "<f2").reshape(kept["shape"])
    return halves.astype(np.float32)
