"""Gauntlet format: a few challengers, the best seeds, meet all other bots, if possible in every round.

The setting `groups` is the number of challengers.
"""
# A challenger can sit at several tables of a round; another bot meets it at most once in a round. If there are too few
# seats, the bots that met the challengers most often get a bye: the same for all challengers, unless a meeting is
# forbidden.
# Before version 2 of the league rules, each challenger left out other bots, which got nothing for the missed table.
# Without an announced number of rounds, the stage ends when everybody has met every challenger.

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ftk_core.i18n import Message
from ftk_core.league.event_fields import EntrantBye
from ftk_core.league.formats import LeagueFormat
from ftk_core.league.formats.pairing_history import history_of
from ftk_core.league.formats.round_tables_and_byes import forbidden_pair_among, make_rests, number_tables
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
                "no table of %(least)s or more is possible with %(challengers)s challengers and"
                " %(others)s other entries",
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
    return NextRoundDecision(
        tables=number_tables(seatings), rests=_make_rests_of_round(progress, challengers, others, seatings)
    )


def planned(progress: StageProgress) -> int:
    """Return the announced number of rounds, or else the number that lets every bot meet every challenger."""
    if progress.rounds:
        return progress.rounds
    terms, others = progress.terms, len(progress.seeds) - progress.terms.groups
    try:
        resting, _ = table_sizes(others, terms.seats - 1, terms.least - 1)
    except ImpossiblePairingError:
        return 1
    return -(-others // (others - resting))


def _seatings(progress: StageProgress, challengers: Sequence[int], others: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the bots by seat of each table, for all tables of the challengers."""
    # Bots that must not meet a challenger never sit at its table.
    draw, table = progress.chance.at("pairing", progress.number), 0
    lots = draw.shuffled(others) if progress.rules >= 2 else ()
    order = _sort_by_meetings(progress, challengers, lots)
    for challenger in challengers:
        met = [other for other in others if frozenset((challenger, other)) not in progress.forbidden]
        for opponents in _split_opponents(progress, challenger, draw.shuffled(met), order):
            yield _seat_table(progress, challenger, opponents, table)
            table += 1


def _sort_by_meetings(progress: StageProgress, challengers: Sequence[int], others: Sequence[int]) -> list[int]:
    """Sort the bots in `others` by how often they have met the challengers, the rarest first."""
    history = history_of(progress)
    return sorted(others, key=lambda other: sum(history.met(challenger, other) for challenger in challengers))


def _split_opponents(
    progress: StageProgress, challenger: int, others: Sequence[int], order: Sequence[int]
) -> list[tuple[int, ...]]:
    """Divide a challenger's opponents among as few tables as possible, of nearly equal size."""
    # If there are not enough seats, the last ones in `order` are left out.
    terms = progress.terms
    try:
        resting, sizes = table_sizes(len(others), terms.seats - 1, terms.least - 1)
    except ImpossiblePairingError:
        return []
    if resting and progress.rules < 2:
        others = _sort_by_meetings(progress, (challenger,), others)[: len(others) - resting]
    elif resting:
        out = [other for other in order if other in others][len(others) - resting :]
        others = [other for other in others if other not in out]
    return [tuple(others[part :: len(sizes)]) for part in range(len(sizes))]


def _make_rests_of_round(
    progress: StageProgress, challengers: Sequence[int], others: Sequence[int], seatings: Sequence[Sequence[int]]
) -> tuple[EntrantBye, ...]:
    """Return the byes of the bots without a table.

    A challenger's bye is worth as many tables as the busiest challenger has in this round. Another bot's bye is worth
    one table for each challenger that plays.
    """
    # Before version 2 of the league rules, a bye is worth one table.
    tables = Counter(entry for seating in seatings for entry in seating)
    of_challengers, of_others = 1, 1
    if progress.rules >= 2:
        of_challengers = max(tables[challenger] for challenger in challengers)
        of_others = sum(challenger in tables for challenger in challengers)
    alone = [entry for entry in challengers if entry not in tables]
    left_out = [entry for entry in others if entry not in tables]
    return (
        *make_rests(progress, alone, "alone", tables=of_challengers, absent=False),
        *make_rests(progress, left_out, "alone", tables=of_others),
    )


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
    max_tables=lambda terms, entries: terms.groups * entries,  # each challenger may meet each other bot at a table
    groups_title="Challengers",
    groups_text="the first %(count)s",
    keeps_entry_order=True,
    fixed="everybody meets the challengers of a gauntlet",
)
