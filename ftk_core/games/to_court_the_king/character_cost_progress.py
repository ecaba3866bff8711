"""Progress of the present dice towards the cost of each character."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from ftk_core.games.to_court_the_king.characters import Faces

Progress = tuple[int, int]
"""(met, needed), in dice, or in pips for the costs in `PIP_COSTS`."""
PIP_COSTS = {"LABORER": 15, "MERCHANT": 20, "PAWN_BROKER": 30}
"""Character -> number of pips that it costs."""
STRAIGHTS_OF_FIVE = ({1, 2, 3, 4, 5}, {2, 3, 4, 5, 6})


def _equal(needed: int) -> Callable[[Faces], Progress]:
    return lambda faces: (min(needed, max(Counter(faces).values(), default=0)), needed)


def _pips(needed: int) -> Callable[[Faces], Progress]:
    return lambda faces: (min(needed, sum(faces)), needed)


def _groups(number: int, size: int) -> Callable[[Faces], Progress]:
    """Return a function that measures the progress of dice towards `number` groups of `size` equal dice."""

    def measure(faces: Faces) -> Progress:
        counts = Counter(faces).values()
        whole = min(number, sum(count // size for count in counts))
        partial = sorted((count % size for count in counts), reverse=True)[: number - whole]
        return whole * size + sum(partial), number * size

    return measure


def _full_house(faces: Faces) -> Progress:
    counts = [*sorted(Counter(faces).values(), reverse=True), 0, 0]
    return min(5, max(counts[0], min(counts[0], 3) + min(counts[1], 2))), 5


def _parity(odd: bool) -> Callable[[Faces], Progress]:
    return lambda faces: (sum(face % 2 == odd for face in faces), len(faces))


COST_PROGRESS: dict[str, Callable[[Faces], Progress]] = {
    **{name: _pips(needed) for name, needed in PIP_COSTS.items()},
    "FARMER": _equal(2),
    "SERVING_MAID": _parity(odd=True),
    "PHILOSOPHER": _parity(odd=False),
    "GUARD": _equal(3),
    "HUNTER": _equal(4),
    "ASTRONOMER": _groups(2, 2),
    "NOBLEWOMAN": _full_house,
    "KNIGHT": _equal(5),
    "MAGICIAN": lambda faces: (max(len(straight & {*faces}) for straight in STRAIGHTS_OF_FIVE), 5),
    "ALCHEMIST": lambda faces: (len({*faces}), 6),
    "BISHOP": _groups(3, 2),
    "NOBLEMAN": _groups(2, 3),
    "GENERAL": _equal(6),
    "KING": _equal(7),
}
"""Character -> function (faces of the dice) that returns the progress towards its cost, as (met, needed)."""
