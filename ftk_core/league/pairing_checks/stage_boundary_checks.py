"""Checks of stages: a stage must begin with the qualified bots and end after its rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from ftk_core.league.event_fields import StageSettings
from ftk_core.league.league_facts import StageBegun, StageEnded
from ftk_core.league.pairing_checks.league_format_rules import rules_of
from ftk_core.league.pairing_checks.league_history import LeagueHistory

CARRIED_SHARES = {"none": Fraction(0), "half": Fraction(1, 2), "all": Fraction(1)}


def flaws_of_a_beginning(past: LeagueHistory, fact: StageBegun) -> Iterator[str]:
    """Yield a sentence for each flaw in the event that begins a stage."""
    stages = past.opened.stages
    if not stages or fact.stage != (past.number + 1 if past.drawn or past.cut else 1) or fact.stage > len(stages):
        yield f"it begins after stage {past.number} of {max(1, len(stages))}"
        return
    if fact.stage == 1:
        present = [entry for entry in past.entered if entry not in past.gone]
        if fact.entries and [one.entry for one in fact.entries] != present:
            yield f"entries {[one.entry for one in fact.entries]} play it, where {present} entered"
        return
    yield from _flaws_of_who_qualified(past, fact, stages[fact.stage - 1])


def _flaws_of_who_qualified(past: LeagueHistory, fact: StageBegun, terms: StageSettings) -> Iterator[str]:
    present, points = [entry for entry in past.seeds if entry not in past.gone], past.points
    chosen = [one.entry for one in fact.entries]
    expected_count = min(terms.qualify or len(present), len(present))
    if len(chosen) != expected_count or max(Counter(chosen).values(), default=0) > 1 or not set(chosen) <= set(present):
        yield f"entries {chosen} play it, where {expected_count} of {present} qualify, each once"
        return
    for one in fact.entries:
        if past.units(one.points) != points[one.entry] * CARRIED_SHARES[terms.carry]:
            yield f"entry {one.entry} brings {one.points} points, where {terms.carry} of its own are carried"
    if rules_of(past).levels:
        return
    if any(points[one] < points[other] for one, other in pairwise(chosen)):
        yield "its seeds are not in the order of their points"
    left = [entry for entry in present if entry not in chosen]
    if chosen and any(points[entry] > points[chosen[-1]] for entry in left):
        yield f"entry {max(left, key=lambda entry: points[entry])} has more points than one that qualified"


def flaws_of_an_end(past: LeagueHistory, fact: StageEnded) -> Iterator[str]:
    """Yield a sentence for each flaw in the event that ends a stage."""
    if fact.stage != past.number or not past.opened.stages:
        yield f"it ends, where stage {past.number} is played"
        return
    if past.closed != past.rounds:
        yield f"it ends while round {past.rounds} is played"
    expected_rounds = past.length or past.stage.rounds
    if not past.cut and rules_of(past).counted and len(past.drawn) != expected_rounds:
        yield f"it ends after {len(past.drawn)} rounds of {expected_rounds}"
