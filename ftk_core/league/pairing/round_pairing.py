"""Draw of a complete league round: byes, tables and seats."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ftk_core.i18n import Message
from ftk_core.league.pairing.bye_selection import list_rest_candidates, table_sizes
from ftk_core.league.pairing.many_seat_table_pairing import TableAssignmentSearch
from ftk_core.league.pairing.pairing_costs import PairingCosts
from ftk_core.league.pairing.pairing_input_and_output import ImpossiblePairingError, PairingInput, PairingOutput
from ftk_core.league.pairing.pairing_quality_certificate_computation import compute_round_certificate
from ftk_core.league.pairing.seat_assignment import assign_table
from ftk_core.league.pairing.two_seat_table_pairing import match_pairs_of_entries
from ftk_core.random_streams import RandomBitStream


def draw_round(problem: PairingInput, draw: RandomBitStream) -> PairingOutput:
    """Draw the byes, tables and seats of a round, and count the flaws of the pairing.

    Raises ImpossiblePairingError if there are too few bots, or if forbidden pairs cannot be kept apart.
    """
    order = sorted(draw.shuffled(problem.candidates), key=lambda candidate: -candidate.points)
    rests, sizes = table_sizes(len(order), problem.full, problem.least)
    refusal = ""
    forbidden = problem.forbidden if problem.can_rest_early else frozenset[frozenset[int]]()
    for away in list_rest_candidates(order, rests, len(sizes), forbidden):
        playing = [candidate for candidate in order if candidate.entry not in away]
        costs = PairingCosts(problem, playing)
        groups = _group_tables(problem, costs, sizes, draw)
        refusal = _find_refusal(costs, groups)
        if not refusal:
            break
    else:
        raise ImpossiblePairingError(refusal)
    people = [[playing[index] for index in group] for group in sorted(groups, key=lambda g: _table_sort_key(costs, g))]
    tables = tuple(assign_table(group, problem.games, problem.roles.get(len(group), ()), draw) for group in people)
    by_entry = {candidate.entry: candidate for candidate in order}
    seated = [[by_entry[entry] for entry in table] for table in tables]
    rested = [candidate for candidate in order if candidate.entry in away]
    return PairingOutput(tables, tuple(one.entry for one in rested), compute_round_certificate(problem, seated, rested))


def _group_tables(
    problem: PairingInput, costs: PairingCosts, sizes: Sequence[int], draw: RandomBitStream
) -> list[list[int]]:
    if max(sizes) == 2:
        return [[one, other] for one, other in match_pairs_of_entries(costs, problem.games)]
    return TableAssignmentSearch(costs, sizes, problem.games, problem.budget).best(draw)


def _table_sort_key(costs: PairingCosts, group: Sequence[int]) -> tuple[Fraction, int]:
    """Return a sort key for tables: by mean points, the highest first, then by the best rank at the table."""
    return Fraction(-sum(costs.playing[index].points for index in group), len(group)), min(group)


def _find_refusal(costs: PairingCosts, groups: Sequence[Sequence[int]]) -> str:
    """Return a message that names a forbidden pair at a table, or ""."""
    for group in groups:
        if pair := costs.forbidden_at(group):
            one, other = sorted(costs.playing[index].entry for index in pair)
            return Message(
                "entries %(one)s and %(other)s must not meet, and no tables were found without a forbidden pair",
                one=one, other=other,
            )  # fmt: skip
    return ""
