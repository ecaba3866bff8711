"""Says what each item of a menu is worth, by a net. numpy alone, so that a bot can take this file along."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class Scorer:
    """A net whose input is an observation with one row of the menu behind it, and whose output is one number."""

    def __init__(self, first: Floats, bias: Floats, last: Floats) -> None:
        """Take the weights: (columns, hidden), (hidden,) and (hidden,)."""
        self.first, self.bias, self.last = first, bias, last

    def values(self, observation: Floats, rows: Floats) -> Floats:
        """Return what the net says of each row: (items, columns of an action) -> (items,)."""
        width = len(observation)
        known = np.flatnonzero(observation)  # most columns are 0
        seen = observation[known] @ self.first[known] + self.bias
        hidden = np.maximum(seen + rows @ self.first[width:], 0)
        values: Floats = hidden @ self.last
        return values

    def best(self, observation: Floats, rows: Floats) -> int:
        """Return the index of the row that is worth most."""
        return int(np.argmax(self.values(observation, rows)))

    def kept(self) -> dict[str, Any]:
        """Return the weights as JSON can keep them, in half precision."""
        return {name: _text(value) for name, value in vars(self).items()}

    @classmethod
    def of(cls, kept: dict[str, Any]) -> Scorer:
        """Return the scorer that was kept."""
        return cls(**{name: _array(value) for name, value in kept.items()})


def _text(values: Floats) -> dict[str, Any]:
    halves = values.astype("<f2")
    return {"shape": list(halves.shape), "base64": base64.b64encode(halves.tobytes()).decode()}


def _array(kept: dict[str, Any]) -> Floats:
    halves = np.frombuffer(base64.b64decode(kept["base64"]), "<f2").reshape(kept["shape"])
    return halves.astype(np.float32)
