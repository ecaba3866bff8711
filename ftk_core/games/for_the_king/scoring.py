"""Scoring at the end of the game: the first and second place in each office, the points, and the ranking of the seats.

The section "The end" of RULES.md explains these rules.
"""

from __future__ import annotations

from typing import Protocol

from ftk_core.game import MatchResult, rank_by_keys
from ftk_core.games.for_the_king.cards import CARDS, OFFICES, offices_for, secondary_duty
from ftk_core.games.for_the_king.table_state import TableState, gold_in

NO_LETTER = "Z"


class ScoringState(Protocol):
    """Interface of a state that can be scored: the hands, and the points of the offices (duties).

    Two classes have these fields: the complete state of the table, and the part of it that a viewer sees.
    """

    @property
    def seats(self) -> int:
        """Number of seats."""
        ...

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """Cards of each seat."""
        ...

    @property
    def duties(self) -> tuple[int, ...]:
        """Points of the first place in each office (Primary Duty)."""
        ...


def office_standing(hand: tuple[str, ...], office: int) -> tuple[int, int, str]:
    """Return (sum of values, number of cards, best letter) of a hand's cards in an office.

    Each card has a letter, which breaks ties: the earliest in the alphabet is the best. Without any card of the office,
    the best letter is ``Z``.
    """
    cards = [CARDS[card] for card in hand if CARDS[card].office == office]
    return (
        sum(card.value for card in cards),
        len(cards),
        min((card.letter for card in cards), default=NO_LETTER),
    )


def award_duties(table: ScoringState) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
    """Return the seats that get the points of the offices: for first place (Primary Duty), and for second place.

    Both tuples have one item for each office: a seat, or None if no seat gets these points.
    """
    primaries: list[int | None] = []
    secondaries: list[int | None] = []
    for office in range(len(offices_for(table.seats))):
        ranked = []
        for seat, hand in enumerate(table.hands):
            total, count, letter = office_standing(hand, office)
            if count:  # a seat needs a card of the office to get a duty (F26)
                ranked.append((-total, letter, seat))
        holders = [seat for _, _, seat in sorted(ranked)]
        primaries.append(holders[0] if holders else None)
        second = len(holders) > 1 and secondary_duty(table.duties[office], table.seats) > 0
        secondaries.append(holders[1] if second else None)
    return tuple(primaries), tuple(secondaries)


def victory_points(
    table: ScoringState, primaries: tuple[int | None, ...], secondaries: tuple[int | None, ...]
) -> tuple[int, ...]:
    """Return the victory points by seat."""
    totals = [0] * table.seats
    for office, (one, two) in enumerate(zip(primaries, secondaries, strict=True)):
        if one is not None:
            totals[one] += table.duties[office]
        if two is not None:
            totals[two] += secondary_duty(table.duties[office], table.seats)
    return tuple(totals)


def tie_key(hand: tuple[str, ...]) -> tuple[int, ...]:
    """Return a hand's sort key for ties in points. The greatest key wins.

    The key consists of the gold and, for each office, the number of cards and the best letter. No two cards of an
    office have the same letter. So two hands can only have equal keys if both are without government cards.
    """
    key = [gold_in(hand)]
    for office in range(len(OFFICES)):
        _, count, letter = office_standing(hand, office)
        key += [count, -ord(letter)]
    return tuple(key)


def result(table: TableState) -> MatchResult:
    """Return the final rank and the victory points of each seat. Seats share a rank if all tie-breaks leave a tie."""
    scores = victory_points(table, table.primaries, table.secondaries)
    keys = [(score, *tie_key(hand)) for score, hand in zip(scores, table.hands, strict=True)]
    return MatchResult(rank_by_keys(keys), scores)
