"""A drafted round begins only while it still fits the league; a forbidden pair never meets in a later round."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest

from ftk_core.league import organising
from ftk_core.league.acts import Act
from ftk_core.league.commands import ahead, proceed, redraft
from ftk_core.league.drafts import flaw_of_draft
from ftk_core.league.facts import ResultRecorded
from ftk_core.league.luck import next_link
from ftk_core.league.organising import Hand
from ftk_core.league.state import LeagueState, NotNow
from tests.support.stages import HAND, Run, stage, tables

DEEDS: dict[str, Callable[[LeagueState, int, Hand], Act]] = {
    "withdraw": organising.withdraw,
    "disqualify": organising.disqualify,
    "return": organising.bring_back,
}


def drafted() -> Run:
    """Return a Swiss league of eight whose second round is drafted."""
    run = Run(stage("swiss", rounds=3), entries=8, held=True)
    run.pair()
    run.play()
    run.happens(*proceed(run.league, next_link(run.secret, run.league)).facts)
    return run


def test_a_draft_in_which_a_forbidden_pair_would_meet_does_not_begin() -> None:
    run = drafted()
    assert run.league.draft
    one, other = sorted(run.league.draft.tables[0].seating)
    run.happens(organising.forbid(run.league, one, other, HAND))
    with pytest.raises(NotNow, match=f"bot{one} and bot{other} would meet, which is forbidden; draft round 2 again"):
        organising.begin(run.league, 0)
    run.happens(*redraft(run.league, next_link(run.secret, run.league), HAND).facts)
    assert flaw_of_draft(run.league) == ""
    run.happens(organising.begin(run.league, 0))
    run.finish()
    met = [set(two) for number in (2, 3) for table in tables(run, number) for two in combinations(table, 2)]
    assert {one, other} not in met


@pytest.mark.parametrize("act", ["withdraw", "disqualify", "return", "enter", "overrule"])
def test_an_act_that_changes_who_is_to_meet_makes_the_draft_invalid(act: str) -> None:
    run = Run(stage("swiss", rounds=3), entries=8, held=True, late=3)
    run.pair()
    run.play()
    if act == "return":
        run.happens(organising.withdraw(run.league, 3, HAND))
    run.happens(*proceed(run.league, next_link(run.secret, run.league)).facts)
    assert flaw_of_draft(run.league) == ""
    result = next(one for one in run.league.results if one.places != (1, 1))
    match act:
        case "enter":
            run.enter()
        case "overrule":
            run.happens(organising.overrule(run.league, (1, result.table, 0), (1, 1), HAND))
        case _:
            run.happens(DEEDS[act](run.league, 3, HAND))
    with pytest.raises(NotNow, match="draft round 2 again"):
        organising.begin(run.league, 0)


def test_a_pair_is_not_forbidden_that_meets_in_a_round_paired_ahead() -> None:
    run = Run(stage("round_robin"), entries=4)
    run.pair()
    run.happens(*ahead(run.league, next_link(run.secret, run.league)))
    one, other = tables(run, 2)[0]
    with pytest.raises(NotNow, match="table 1 of round 2, which is paired already"):
        organising.forbid(run.league, one, other, HAND)
    run.happens(organising.forbid(run.league, *tables(run, 1)[0], HAND))


def test_the_result_of_a_correction_in_a_knockout_makes_the_draft_of_the_next_round_invalid() -> None:
    run = Run(stage("knockout", seeding="lot"), entries=4, held=True)
    run.pair()
    run.play()
    run.happens(*proceed(run.league, next_link(run.secret, run.league)).facts)
    result: ResultRecorded = next(one for one in run.league.results if one.places != (1, 1))
    run.happens(organising.overrule(run.league, (1, result.table, 0), result.places[::-1], HAND))
    assert flaw_of_draft(run.league) == "others are to meet after what was done since"
