"""Drafted rounds: they begin only if they still fit the league, and forbidden pairs never meet later."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from itertools import combinations

import pytest
from msgspec.structs import replace as put

from ftk_core.league import match_result_command_handlers, organiser_command_handlers
from ftk_core.league.drafted_round_validation import flaw_of_draft
from ftk_core.league.intervention_facts import Act
from ftk_core.league.league_command_handlers import draw_ahead, proceed, redraft
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_facts import ResultRecorded, RoundDrafted
from ftk_core.league.league_state import CommandRejected, LeagueState
from ftk_core.league.statistics.round_seed_hash_chain import next_link
from tests.support.stages import ORGANISER, LeagueRun, list_round_tables, stage

DEEDS: dict[str, Callable[[LeagueState, int, LeagueActor], Act]] = {
    "withdraw": organiser_command_handlers.withdraw_from_league,
    "disqualify": organiser_command_handlers.disqualify_entry,
    "return": organiser_command_handlers.return_entry,
}


def drafted() -> LeagueRun:
    """Return a Swiss league of eight whose second round is drafted."""
    run = LeagueRun(stage("swiss", rounds=3), entries=8, held=True)
    run.pair()
    run.play()
    run.append(*proceed(run.league, next_link(run.secret, run.league)).facts)
    return run


def test_a_drafted_round_that_pairs_two_forbidden_opponents_cannot_begin() -> None:
    run = drafted()
    assert run.league.draft
    one, other = sorted(run.league.draft.tables[0].seating)
    run.append(organiser_command_handlers.forbid_meeting(run.league, one, other, ORGANISER))
    with pytest.raises(
        CommandRejected, match=f"bot{one} and bot{other} would meet, which is forbidden; draft round 2 again"
    ):
        organiser_command_handlers.begin_draft(run.league, 0)
    run.append(*redraft(run.league, next_link(run.secret, run.league), ORGANISER).facts)
    assert flaw_of_draft(run.league) == ""
    run.append(organiser_command_handlers.begin_draft(run.league, 0))
    run.finish()
    met = [set(two) for number in (2, 3) for table in list_round_tables(run, number) for two in combinations(table, 2)]
    assert {one, other} not in met


def test_a_repeated_draft_uses_a_link_that_is_still_secret_but_reused_its_link_under_league_rules_2() -> None:
    run = drafted()
    assert run.league.draft
    assert run.league.opened
    later = redraft(run.league, next_link(run.secret, run.league), ORGANISER).facts[0]
    earlier_rules = put(run.league, opened=put(run.league.opened, rules=2))
    kept = redraft(earlier_rules, next_link(run.secret, run.league), ORGANISER).facts[0]
    assert isinstance(later, RoundDrafted)
    assert isinstance(kept, RoundDrafted)
    assert sha256(bytes.fromhex(later.link)).hexdigest() == run.league.draft.link == kept.link
    assert later.draft == kept.draft == 1


@pytest.mark.parametrize("act", ["withdraw", "disqualify", "return", "enter", "overrule"])
def test_a_round_must_be_drafted_again_after_an_organiser_action_that_changes_its_pairings(act: str) -> None:
    run = LeagueRun(stage("swiss", rounds=3), entries=8, held=True, late=3)
    run.pair()
    run.play()
    if act == "return":
        run.append(organiser_command_handlers.withdraw_from_league(run.league, 3, ORGANISER))
    run.append(*proceed(run.league, next_link(run.secret, run.league)).facts)
    assert flaw_of_draft(run.league) == ""
    result = next(one for one in run.league.results if one.places != (1, 1))
    match act:
        case "enter":
            run.enter()
        case "overrule":
            run.append(
                match_result_command_handlers.overrule_result(run.league, (1, result.table, 0), (1, 1), ORGANISER)
            )
        case _:
            run.append(DEEDS[act](run.league, 3, ORGANISER))
    with pytest.raises(CommandRejected, match="draft round 2 again"):
        organiser_command_handlers.begin_draft(run.league, 0)


def test_a_meeting_in_a_round_paired_in_advance_cannot_be_forbidden() -> None:
    run = LeagueRun(stage("round_robin"), entries=4)
    run.pair()
    run.append(*draw_ahead(run.league, next_link(run.secret, run.league)))
    one, other = list_round_tables(run, 2)[0]
    with pytest.raises(CommandRejected, match="table 1 of round 2, which is paired already"):
        organiser_command_handlers.forbid_meeting(run.league, one, other, ORGANISER)
    run.append(organiser_command_handlers.forbid_meeting(run.league, *list_round_tables(run, 1)[0], ORGANISER))


def test_a_corrected_knockout_result_invalidates_the_draft_of_the_next_round() -> None:
    run = LeagueRun(stage("knockout", seeding="lot"), entries=4, held=True)
    run.pair()
    run.play()
    run.append(*proceed(run.league, next_link(run.secret, run.league)).facts)
    result: ResultRecorded = next(one for one in run.league.results if one.places != (1, 1))
    run.append(
        match_result_command_handlers.overrule_result(run.league, (1, result.table, 0), result.places[::-1], ORGANISER)
    )
    assert flaw_of_draft(run.league) == "after the changes made since the draft, the pairing would be different"
