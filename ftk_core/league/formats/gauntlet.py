"""Gauntlet format: in every round, a few challengers meet all other bots.

The challengers are the best seeds; the setting `groups` is their number.
"""
# A challenger can sit at several tables of a round; another bot meets it at most once in a round. If there are too few
# seats, the bots that met this challenger most often are left out. Without an announced number of rounds, the stage
# ends when everybody has met every challenger.

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ftk_core.i18n import Message
from ftk_core.league.formats import LeagueFormat
from ftk_core.league.formats.league_round_construction import forbidden_pair_among, make_rests, number_tables
from ftk_core.league.formats.pairing_history import PairingHistory, history_of
from ftk_core.league.pairing.bye_selection import table_sizes
from ftk_core.league.pairing.pairing_input_and_output import ImpossiblePairingError
from ftk_core.league.stage_progress import (
    CannotPairDecision,
    NextRoundDecision,
    NextStep,
    StageFinishedDecision,
    StageProgress,
)


def next_round(progress: StageProgress) -> NextStep:
    """Return a round in which each challenger meets as many other bots as possible."""
    if len(progress.drawn) >= planned(progress):
        return StageFinishedDecision()
    terms = progress.terms
    present = [entry for entry in progress.seeds if entry in progress.present]
    challengers = [entry for entry in progress.seeds[: terms.groups] if entry in progress.present]
    others = [entry for entry in present if entry not in challengers]
    seatings = list(_seatings(progress, challengers, others))
    if not seatings:
        return CannotPairDecision(
            Message(
                "%(others)s entries beside %(challengers)s challengers make no table of %(least)s",
                others=len(others),
                challengers=len(challengers),
                least=terms.least,
            )
        )
    if meeting := forbidden_pair_among(progress, seatings):
        one, other = sorted(meeting)
        return CannotPairDecision(
            Message(
                "entries %(one)s and %(other)s share a challenger's table, which is forbidden; excuse one of them",
                one=one,
                other=other,
            )
        )
    alone = [entry for entry in present if not any(entry in seating for seating in seatings)]
    return NextRoundDecision(tables=number_tables(seatings), rests=make_rests(progress, alone, "alone"))


def planned(progress: StageProgress) -> int:
    """Return the stage's number of rounds: as announced, or until everybody has met every challenger."""
    if progress.rounds:
        return progress.rounds
    terms, others = progress.terms, len(progress.seeds) - progress.terms.groups
    try:
        resting, _ = table_sizes(others, terms.seats - 1, terms.least - 1)
    except ImpossiblePairingError:
        return 1
    return -(-others // (others - resting))


def _seatings(progress: StageProgress, challengers: Sequence[int], others: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the tables of all challengers, each as its bots by seat."""
    # Bots that must not meet a challenger never sit at its table.
    draw, table, history = progress.chance.at("pairing", progress.number), 0, history_of(progress)
    for challenger in challengers:
        met = [other for other in others if frozenset((challenger, other)) not in progress.forbidden]
        for opponents in _split_opponents(progress, history, challenger, draw.shuffled(met)):
            yield _seat_table(progress, challenger, opponents, table)
            table += 1


def _split_opponents(
    progress: StageProgress, history: PairingHistory, challenger: int, others: Sequence[int]
) -> list[tuple[int, ...]]:
    """Divide a challenger's opponents among as few tables as possible, of nearly equal size."""
    # If there are not enough seats, the opponents that met the challenger most often are left out.
    terms = progress.terms
    try:
        resting, sizes = table_sizes(len(others), terms.seats - 1, terms.least - 1)
    except ImpossiblePairingError:
        return []
    if resting:
        others = sorted(others, key=lambda other: history.met(challenger, other))[: len(others) - resting]
    return [tuple(others[part :: len(sizes)]) for part in range(len(sizes))]


def _seat_table(progress: StageProgress, challenger: int, opponents: tuple[int, ...], table: int) -> tuple[int, ...]:
    """Return the bots of a challenger's table by seat."""
    # The challenger moves one seat on with each table and each round, to use all seats about equally often.
    seat = (table + len(progress.drawn)) % (len(opponents) + 1)
    seated = list(opponents)
    seated.insert(seat, challenger)
    return tuple(seated)


FORMAT = LeagueFormat(
    next_round=next_round,
    planned=planned,
    min_entries=lambda terms: terms.groups + terms.least - 1,  # the challengers, and enough opponents for one table
    groups_title="Challengers",
    groups_text="the first %(count)s",
    keeps_entry_order=True,
    fixed="everybody meets the challengers of a gauntlet",
)
