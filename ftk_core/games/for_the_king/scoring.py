"""Points and ranking of the players at the end of the game (RULES.md, "The end")."""

from __future__ import annotations

from typing import Protocol

from ftk_core.game import MatchResult, rank_by_keys
from ftk_core.games.for_the_king.cards import CARDS, OFFICES, offices_for, secondary_duty
from ftk_core.games.for_the_king.table_state import TableState, gold_in

NO_LETTER = "Z"


class ScoringState(Protocol):
    """Interface of game states that can be scored."""

    # The complete state has these fields, and so has the part that a viewer sees.

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
    """Return (sum of card values, number of cards, best letter) of a hand in an office.

    The best letter is the earliest in the alphabet. It breaks ties. Without cards of the office, it is ``Z``.
    """
    cards = [CARDS[card] for card in hand if CARDS[card].office == office]
    return (
        sum(card.value for card in cards),
        len(cards),
        min((card.letter for card in cards), default=NO_LETTER),
    )


def award_duties(table: ScoringState) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
    """Return the seat in first place and the seat in second place, each as a tuple by office.

    An item is None if no seat gets points for that place.
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
    """Return a hand's sort key for ties in points. The greatest key wins."""
    # No two cards of an office have the same letter, so only hands without government cards can have equal keys.
    key = [gold_in(hand)]
    for office in range(len(OFFICES)):
        _, count, letter = office_standing(hand, office)
        key += [count, -ord(letter)]
    return tuple(key)


def result(table: TableState) -> MatchResult:
    """Return the final rank and the victory points of each player.

    Players share a rank if all tie-breaks leave a tie.
    """
    scores = victory_points(table, table.primaries, table.secondaries)
    keys = [(score, *tie_key(hand)) for score, hand in zip(scores, table.hands, strict=True)]
    return MatchResult(rank_by_keys(keys), scores)
