"""Comparisons of the players' card values in each office, for display."""
# Only cards that the viewer knows count.

from __future__ import annotations

from functools import lru_cache

from ftk_core.games.for_the_king import scoring
from ftk_core.games.for_the_king.cards import offices_for, secondary_duty
from ftk_core.games.for_the_king.seat_comparisons.visible_scoring_state import VisibleScoringState
from ftk_core.views.scene import SeatComparison, SeatComparisonLine, name_seat

MAX_CACHED_TABLES = 256
Strength = tuple[int, str, int]
"""(sum of card values, best letter, seat), for a seat that has cards of the office."""
OFFICE_LABELS = (
    "first 1 point",
    "first # points",
    "second #",
    "letter A",
    *(f"letter {letter}" for letter in "BCDEFGHI"),
    "nobody has a card of it",
    "only @# has cards of it",
    "@# leads by #",
    "@# leads with the earlier letter",
)


@lru_cache(MAX_CACHED_TABLES)
def list_office_contests(table: VisibleScoringState) -> tuple[SeatComparison, ...]:
    """Return a comparison of the players' known card values for each office in play."""
    return tuple(
        _compare_office(office, name, rank_seats_for_office(table, office), table)
        for office, name in enumerate(offices_for(table.seats))
    )


def rank_seats_for_office(table: VisibleScoringState, office: int) -> list[Strength]:
    """Return the seats with cards of an office, the strongest first.

    Each item is (sum of card values, best letter, seat). The earlier letter breaks ties.
    """
    ranked = []
    for seat, hand in enumerate(table.hands):
        total, count, letter = scoring.office_standing(hand, office)
        if count:
            ranked.append((total, letter, seat))
    return sorted(ranked, key=lambda strength: (-strength[0], strength[1]))


def _compare_office(office: int, name: str, ranked: list[Strength], table: VisibleScoringState) -> SeatComparison:
    primary = table.duties[office]
    secondary = secondary_duty(primary, table.seats)
    about = "first 1 point" if primary == 1 else f"first {primary} points"
    return SeatComparison(
        key=f"office-{name}",
        title=name.capitalize(),
        about=about + (f", second {secondary}" if secondary else ""),
        verdict=_describe_margin(ranked),
        entries=tuple(_draw_entry(strength, ranked) for strength in ranked),
    )


def _draw_entry(strength: Strength, ranked: list[Strength]) -> SeatComparisonLine:
    total, letter, seat = strength
    tied = sum(total == other for other, _, _ in ranked) > 1
    return SeatComparisonLine(
        seat=seat,
        value=str(total),
        share=100 * total // ranked[0][0],
        note=f"letter {letter}" if tied else "",
        leads=strength == ranked[0],
    )


def _describe_margin(ranked: list[Strength]) -> str:
    if not ranked:
        return "nobody has a card of it"
    leader = name_seat(ranked[0][2])
    if len(ranked) == 1:
        return f"only {leader} has cards of it"
    margin = ranked[0][0] - ranked[1][0]
    return f"{leader} leads by {margin}" if margin else f"{leader} leads with the earlier letter"
