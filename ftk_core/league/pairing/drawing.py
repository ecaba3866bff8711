"""Complete draw of a round: rests, tables, seats and the certificate."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ftk_core.league.pairing.costs import Costs
from ftk_core.league.pairing.field import Drawn, Field, NoTables
from ftk_core.league.pairing.grouping import Grouping
from ftk_core.league.pairing.matching import matched
from ftk_core.league.pairing.rests import resting, sizes_of
from ftk_core.league.pairing.seats import seating
from ftk_core.league.pairing.weighing import weigh
from ftk_core.rng import Draw


def pair(field: Field, draw: Draw) -> Drawn:
    """Draw the round's tables and rests; raise NoTables if too few are left or a forbidden pair blocks it."""
    order = sorted(draw.shuffled(field.candidates), key=lambda candidate: -candidate.points)
    rests, sizes = sizes_of(len(order), field.full, field.least)
    refusal = ""
    for away in resting(order, rests):
        playing = [candidate for candidate in order if candidate.entry not in away]
        costs = Costs(field, playing)
        groups = _grouped(field, costs, sizes, draw)
        refusal = _refusal(costs, groups)
        if not refusal:
            break
    else:
        raise NoTables(refusal)
    people = [[playing[index] for index in group] for group in sorted(groups, key=lambda g: _rank(costs, g))]
    tables = tuple(seating(group, field.games, field.roles.get(len(group), ()), draw) for group in people)
    by_entry = {candidate.entry: candidate for candidate in order}
    seated = [[by_entry[entry] for entry in table] for table in tables]
    rested = [candidate for candidate in order if candidate.entry in away]
    return Drawn(tables, tuple(one.entry for one in rested), weigh(field, seated, rested))


def _grouped(field: Field, costs: Costs, sizes: Sequence[int], draw: Draw) -> list[list[int]]:
    if max(sizes) == 2:
        return [[one, other] for one, other in matched(costs, field.games)]
    return Grouping(costs, sizes, field.games, field.budget).best(draw)


def _rank(costs: Costs, group: Sequence[int]) -> tuple[Fraction, int]:
    """Return the sort key of a table: the mean of its points, then its first entry."""
    return Fraction(-sum(costs.playing[index].points for index in group), len(group)), min(group)


def _refusal(costs: Costs, groups: Sequence[Sequence[int]]) -> str:
    """Return the flaw of the best tables found; empty if there is none."""
    for group in groups:
        if pair := costs.forbidden_at(group):
            one, other = sorted(costs.playing[index].entry for index in pair)
            return f"entries {one} and {other} must not meet, and no tables were found without a forbidden pair"
    return ""
