"""Comparisons of the players' dice and of the characters in reach, for display."""

from __future__ import annotations

from ftk_core.games.to_court_the_king.character_cost_progress import COST_PROGRESS, PIP_COSTS
from ftk_core.games.to_court_the_king.characters import ADDED_DIE_VALUES, CHARACTERS, DICE, Faces, best_set
from ftk_core.games.to_court_the_king.fact_sentences import card_name, format_set
from ftk_core.games.to_court_the_king.legal_actions import CHARACTERS_WITH_TARGET
from ftk_core.games.to_court_the_king.table_state import TableState, dice_of, may_take
from ftk_core.views.scene import SeatComparison, SeatComparisonLine, name_seat

PIPS_PER_DIE = 3
"""Number of missing pips that counts as one missing die when characters are sorted by how much is missing."""
MAX_PAID_GOALS, MAX_GOALS = 2, 5
"""Maximum numbers of characters to show: of those that the dice pay for, and in total."""


def count_dice(table: TableState, seat: int) -> int:
    """Return the maximum number of dice that a player can have in one turn."""
    brought = sum(card in ADDED_DIE_VALUES for card in table.cards[seat])
    return min(DICE, dice_of(table, seat) + brought + (table.final and table.queen == seat))


def compare_dice(table: TableState) -> SeatComparison:
    """Compare the numbers of dice that the players can have in one turn."""
    dice = [count_dice(table, seat) for seat in range(table.seats)]
    leaders = [seat for seat, number in enumerate(dice) if number == max(dice)]
    return SeatComparison(
        key="dice" if table.final or table.king is not None else "lead",
        title="Dice in one turn",
        about="Seven equal dice claim the King",
        verdict=_describe_most_dice(table, leaders, max(dice)),
        entries=tuple(
            SeatComparisonLine(
                seat=seat,
                value=f"{number} dice",
                share=100 * number // DICE,
                note=_describe_sources(table, seat),
                leads=seat in leaders and len(leaders) < table.seats,
            )
            for seat, number in enumerate(dice)
        ),
    )


def _describe_most_dice(table: TableState, leaders: list[int], most: int) -> str:
    names = [name_seat(seat) for seat in leaders]
    if len(leaders) == table.seats:
        return f"Nobody leads yet: each can roll {most} dice"
    match len(leaders):
        case 1:
            return f"{names[0]} leads with the most dice: {most}"
        case 2:
            return f"{names[0]} and {names[1]} lead with {most} dice each"
    return f"{len(leaders)} seats lead with {most} dice each"


def _describe_sources(table: TableState, seat: int) -> str:
    changing = sum(card in CHARACTERS_WITH_TARGET for card in table.cards[seat])
    brought = count_dice(table, seat) - dice_of(table, seat)
    clauses = [f"{dice_of(table, seat)} at the start"]
    if brought:
        clauses.append(f"{brought} brought in")
    if changing:
        clauses.append("1 character changes dice" if changing == 1 else f"{changing} characters change dice")
    return ", ".join(clauses)


def list_goals(table: TableState) -> tuple[SeatComparison, ...]:
    """Return the characters that the present dice pay for or nearly pay for, for display.

    There are none between turns and in the final round.
    """
    dice = table.result or tuple(sorted(table.active + table.aside))
    if not dice or table.final or not table.order:
        return ()
    seat = table.order[0]
    names = [name for name in reversed(CHARACTERS) if may_take(table, seat, name)]
    goals = [_draw_goal(name, dice) for name in sorted(names, key=lambda name: _estimate_missing_dice(name, dice))]
    paid = [goal for goal in goals if goal.leads][:MAX_PAID_GOALS]
    open_goals = [goal for goal in goals if not goal.leads]
    verdict = f"can take the {paid[0].label}" if paid else "pays for no character yet"
    return (
        SeatComparison(
            key="goals",
            title="The present dice",
            about=format_set(*best_set(dice)),
            verdict=f"{name_seat(seat)} {verdict}",
            entries=(*paid, *open_goals[: MAX_GOALS - len(paid)]),
        ),
    )


def _estimate_missing_dice(name: str, dice: Faces) -> int:
    met, needed = COST_PROGRESS[name](dice)
    return -((met - needed) // (PIPS_PER_DIE if name in PIP_COSTS else 1))


def _draw_goal(name: str, dice: Faces) -> SeatComparisonLine:
    met, needed = COST_PROGRESS[name](dice)
    missing = needed - met
    unit = "pip" if name in PIP_COSTS else "die"
    several = "pips" if name in PIP_COSTS else "dice"
    note = f"{missing} {unit if missing == 1 else several} missing" if missing else "can be taken"
    cost = CHARACTERS[name].cost
    return SeatComparisonLine(
        label=card_name(name, "en"), value=cost, share=100 * met // needed, note=note, leads=not missing
    )


DICE_LABELS = (
    "Dice in one turn",
    "Seven equal dice claim the King",
    "Nobody leads yet: each can roll # dice",
    "@# leads with the most dice: #",
    "@# and @# lead with # dice each",
    "# seats lead with # dice each",
    "# at the start",
    "# brought in",
    "1 character changes dice",
    "# characters change dice",
    "The present dice",
    *(f"@# can take the {card_name(name, 'en')}" for name in CHARACTERS),
    "@# pays for no character yet",
    "can be taken",
    "1 pip missing",
    "# pips missing",
    "1 die missing",
    "# dice missing",
    *(character.cost for character in CHARACTERS.values()),
)
