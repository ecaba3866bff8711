"""Results of league matches without a database."""

from __future__ import annotations

from collections.abc import Mapping

from ftk_core.league.event_fields import TableSeating
from ftk_core.league.league_facts import ResultRecorded


def build_result(
    round_: int, table: TableSeating, game: int, form: Mapping[int, int], excuses: tuple[int, ...] = ()
) -> ResultRecorded:
    """Return the result of a match; higher scores have better places.

    `form` has the score of each entry, in the order of seats; `excuses` has the number of excuses of each seat.
    """
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
