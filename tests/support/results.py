"""How a match of a league without a database ended."""

from __future__ import annotations

from collections.abc import Mapping

from ftk_core.league.facts import ResultRecorded
from ftk_core.league.plans import TablePlan


def result_of(
    round_: int, table: TablePlan, game: int, form: Mapping[int, int], excuses: tuple[int, ...] = ()
) -> ResultRecorded:
    """Return the result of a game of a table in which each entry scored its form; `form` is in the order of seats."""
    return ResultRecorded(
        round=round_,
        table=table.number,
        game=game,
        match=f"{round_}-{table.number}-{game}",
        seating=tuple(form),
        places=tuple(1 + sum(other > mine for other in form.values()) for mine in form.values()),
        scores=tuple(form.values()),
        excuses=excuses,
    )
