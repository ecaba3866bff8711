"""Probabilities of dice results in the rest of a turn."""
# They are integers from 0 to `CERTAIN`, not floats, so that the C++ rules and every machine compute the same values. In
# a turn, a player rolls, sets at least one die aside, and rolls the others again.

from __future__ import annotations

from functools import cache
from math import comb

CERTAIN = 1 << 15
"""Chance of a certain event."""
PIPS_OF_A_MISS = 4
"""Number of pips assumed for the die that is set aside after a roll without a 6."""


@cache
def chances_of_hits(dice: int, savers: int) -> tuple[int, ...]:
    """Return the probabilities, times `CERTAIN`, that 0, 1, 2, ... dice show the wanted face at the end of the turn.

    `dice` is the number of dice to roll. `savers` is the number of characters that can each change one die to the
    wanted face.
    """
    # A character is used if no die of a roll shows the wanted face.
    chances = [0] * (dice + 1) if dice else [CERTAIN]
    for hits in range(dice + 1) if dice else ():
        saved = min(savers, 1) if not hits else 0
        ways = comb(dice, hits) * 5 ** (dice - hits)
        for more, chance in enumerate(chances_of_hits(dice - max(hits, 1), savers - saved)):
            chances[hits + saved + more] += ways * chance // 6**dice
    return tuple(chances)


@cache
def chance_of_faces(dice: int, missing: int) -> int:
    """Return the probability, times `CERTAIN`, that the rest of the turn gives all of `missing` different faces."""
    if missing == 0 or missing > dice:
        return 0 if missing else CERTAIN
    return sum(
        _ways_to_find(dice, missing, hits) * chance_of_faces(dice - max(hits, 1), missing - hits) // 6**dice
        for hits in range(missing + 1)
    )


def _ways_to_find(dice: int, missing: int, hits: int) -> int:
    """Count the rolls of `dice` dice that show exactly `hits` of the `missing` wanted faces."""
    # The count follows from the principle of inclusion and exclusion.
    others = 6 - missing
    ways: int = sum((-1) ** out * comb(hits, out) * (others + hits - out) ** dice for out in range(hits + 1))
    return comb(missing, hits) * ways


@cache
def chance_of_pips(dice: int, pips: int) -> int:
    """Return the probability, times `CERTAIN`, that the dice reach a sum of at least `pips` by the end of the turn."""
    # Assumes that the player sets every 6 aside, or the highest die if there is no 6.
    if pips <= 0 or dice == 0:
        return CERTAIN if pips <= 0 else 0
    return sum(
        comb(dice, sixes) * 5 ** (dice - sixes)
        * chance_of_pips(dice - max(sixes, 1), pips - (6 * sixes or PIPS_OF_A_MISS)) // 6**dice
        for sixes in range(dice + 1)
    )  # fmt: skip
