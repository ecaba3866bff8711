"""Check that a stage began with the qualified entries and ended at the right time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from ftk_core.league.checking.past import Past
from ftk_core.league.facts import StageBegun, StageEnded
from ftk_core.league.plans import Stage

CARRIED = {"none": Fraction(0), "half": Fraction(1, 2), "all": Fraction(1)}
LEVELLED = {"knockout", "ladder", "groups"}
"""Formats that rank by something else before points."""


def flaws_of_a_beginning(past: Past, fact: StageBegun) -> Iterator[str]:
    """Yield the flaws in the beginning of a stage, as far as points alone determine it."""
    stages = past.opened.stages
    if not stages or fact.stage != (past.number + 1 if past.drawn or past.cut else 1) or fact.stage > len(stages):
        yield f"it begins after stage {past.number} of {max(1, len(stages))}"
        return
    if fact.stage == 1:
        here = [entry for entry in past.entered if entry not in past.gone]
        if fact.entries and [one.entry for one in fact.entries] != here:
            yield f"entries {[one.entry for one in fact.entries]} play it, where {here} entered"
        return
    yield from _flaws_of_who_qualified(past, fact, stages[fact.stage - 1])


def _flaws_of_who_qualified(past: Past, fact: StageBegun, terms: Stage) -> Iterator[str]:
    here, points = [entry for entry in past.seeds if entry not in past.gone], past.points
    chosen = [one.entry for one in fact.entries]
    wanted = min(terms.qualify or len(here), len(here))
    if len(chosen) != wanted or max(Counter(chosen).values(), default=0) > 1 or not set(chosen) <= set(here):
        yield f"entries {chosen} play it, where {wanted} of {here} qualify, each once"
        return
    for one in fact.entries:
        if past.units(one.points) != points[one.entry] * CARRIED[terms.carry]:
            yield f"entry {one.entry} brings {one.points} points, where {terms.carry} of its own are carried"
    if past.stage.format in LEVELLED:
        return
    if any(points[one] < points[other] for one, other in pairwise(chosen)):
        yield "its seeds are not in the order of their points"
    left = [entry for entry in here if entry not in chosen]
    if chosen and any(points[entry] > points[chosen[-1]] for entry in left):
        yield f"entry {max(left, key=lambda entry: points[entry])} has more points than one that qualified"


def flaws_of_an_end(past: Past, fact: StageEnded) -> Iterator[str]:
    """Yield the flaws in the end of a stage."""
    if fact.stage != past.number or not past.opened.stages:
        yield f"it ends, where stage {past.number} is played"
        return
    if past.closed != past.rounds:
        yield f"it ends while round {past.rounds} is played"
    wanted = past.length or past.stage.rounds
    if not past.cut and past.stage.format in ("swiss", "ladder") and len(past.drawn) != wanted:
        yield f"it ends after {len(past.drawn)} rounds of {wanted}"
