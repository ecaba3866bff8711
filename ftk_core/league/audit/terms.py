"""Checks of a league's announced terms."""

from __future__ import annotations

from collections.abc import Iterator

from ftk_core.league.facts import LEAGUE_RULES, LeagueOpened
from ftk_core.league.formats import formats
from ftk_core.league.plans import Stage

MOST_ROUNDS, MOST_GAMES, MOST_SEATS = 100, 100, 64
"""Limits: rounds of a stage, games of a table, seats at a table."""
OF_FIRST_STAGE = ("format", "seats", "least", "games", "worth")


def flaws_of_terms(opened: LeagueOpened) -> Iterator[str]:
    """Yield a sentence for each flaw in the announced terms."""
    if not 0 < opened.rules <= LEAGUE_RULES:
        yield f"entry 0 announces league rules {opened.rules}; install a copy that knows more than 1 to {LEAGUE_RULES}"
    if not opened.stages:
        yield "entry 0 announces a league without stages"
        return
    for name in OF_FIRST_STAGE:
        told, first = getattr(opened, name), getattr(opened.stages[0], name)
        if told != first:
            yield f"entry 0 announces {name} {told}, where its first stage has {first}"
    if opened.rounds != sum(stage.rounds for stage in opened.stages):
        yield f"entry 0 announces {opened.rounds} rounds, its stages have {[stage.rounds for stage in opened.stages]}"
    for number, stage in enumerate(opened.stages, 1):
        yield from (f"entry 0, stage {number}: {flaw}" for flaw in _flaws_of_a_stage(stage))


def _flaws_of_a_stage(stage: Stage) -> Iterator[str]:
    if stage.format not in formats():
        yield f"there is no format {stage.format!r}"
    if not 2 <= stage.least <= stage.seats <= MOST_SEATS:
        yield f"tables of {stage.least} to {stage.seats} cannot be; seats go from 2 to {MOST_SEATS}"
    if not (0 <= stage.rounds <= MOST_ROUNDS and 1 <= stage.games <= MOST_GAMES):
        yield f"{stage.rounds} rounds of {stage.games} matches cannot be; they go to {MOST_ROUNDS} and {MOST_GAMES}"
