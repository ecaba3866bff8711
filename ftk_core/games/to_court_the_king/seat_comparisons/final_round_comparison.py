"""Comparison of the players' results in the final round, for display."""

from __future__ import annotations

from collections import Counter

from ftk_core.games.to_court_the_king.characters import BestSet, Faces, best_set
from ftk_core.games.to_court_the_king.fact_sentences import SET_LABELS, format_set
from ftk_core.games.to_court_the_king.seat_comparisons.dice_and_character_comparison import count_dice
from ftk_core.games.to_court_the_king.table_state import TableState
from ftk_core.views.scene import SeatComparison, SeatComparisonLine, name_seat


def compare_final(table: TableState) -> tuple[SeatComparison, ...]:
    """Compare the players' results of the final round. The tuple is empty before this round."""
    # It is shown as soon as a player has taken the King.
    if not table.final and not table.over and table.king is None:
        return ()
    results = [_find_result(table, seat) for seat in range(table.seats)]
    most = max(1, table.best[0], *(result[0] for result in results))
    leader = table.winner if table.over else table.king
    entries = (
        SeatComparisonLine(
            seat=seat,
            value=format_set(*result) if result[0] else "no dice yet",
            share=100 * result[0] // most,
            note=_describe_distance(table, seat),
            leads=seat == leader,
        )
        for seat, result in enumerate(results)
    )
    return (
        SeatComparison(
            key="lead",
            title="The race for the King",
            about="More equal dice win, then the higher face",
            verdict=_describe_race(table, results),
            entries=tuple(entries),
        ),
    )


def _find_result(table: TableState, seat: int) -> BestSet:
    """Return a player's best set of equal dice so far, as (number of dice, face)."""
    # The dice with which a player took the King count if they are better than those of the final round.
    final = table.finals[seat] if table.finals else None
    claim = table.claim if seat == table.queen else (0, 0)
    return max(final or _present_set(table, seat), claim)


def _present_set(table: TableState, seat: int) -> BestSet:
    return best_set(_present_dice(table, seat))


def _present_dice(table: TableState, seat: int) -> Faces:
    rolling = table.final and seat in table.order[:1]
    return (table.result or table.active + table.aside) if rolling else ()


def _describe_distance(table: TableState, seat: int) -> str:
    if table.over or seat in table.rolled:
        return ""
    if table.final and seat not in table.order:
        return "did not roll"
    dice = _present_dice(table, seat)
    if not dice:
        return f"still to roll up to {count_dice(table, seat)} dice" if table.final else ""
    missing = _count_missing_dice(table, seat, dice)
    if missing <= 0 or seat == table.king:  # the Queen's holder, whose claim nobody has beaten, wins with any roll
        return "enough to win the King"
    return "1 equal die missing" if missing == 1 else f"{missing} equal dice missing"


def _count_missing_dice(table: TableState, seat: int, dice: Faces) -> int:
    """Return how many more equal dice a player needs to win. 0 or less means that the dice are enough."""
    # The holder of the Queen only needs to equal the best result; all others must beat it.
    count, value = table.best
    lowest = value if seat == table.queen else value + 1
    counts = Counter(dice)
    return min((count if face >= lowest else count + 1) - counts[face] for face in range(1, 7))


def _describe_race(table: TableState, results: list[BestSet]) -> str:
    best = format_set(*table.best)
    if table.winner is not None:
        return f"{name_seat(table.winner)} wins with {format_set(*results[table.winner])}"
    if table.queen is None or table.king is None:  # nobody has claimed the King, who stays in the display
        return f"Nobody holds the King; the roll to beat: {best}" if table.best[0] else "Nobody has rolled yet"
    return f"{name_seat(table.king)} holds the King; the roll to beat: {best}"


RACE_LABELS = (
    "The race for the King",
    "More equal dice win, then the higher face",
    "no dice yet",
    "did not roll",
    "still to roll up to # dice",
    "enough to win the King",
    "1 equal die missing",
    "# equal dice missing",
    *(f"the roll to beat: {label}" for label in SET_LABELS),
    *(f"@# wins with {label.replace('1', '#')}" for label in SET_LABELS),
    "Nobody holds the King",
    "Nobody has rolled yet",
    "@# holds the King",
)
