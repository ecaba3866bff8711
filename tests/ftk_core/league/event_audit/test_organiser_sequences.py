"""Sequences of organisers' acts that the audit must accept, or refuse."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from ftk_core.league import organiser_command_handlers
from ftk_core.league.event_audit import LeagueEventStreamAudit, list_intervention_lines
from ftk_core.league.intervention_facts import Act
from ftk_core.league.league_command_handlers import proceed, record, redraft
from ftk_core.league.league_correction_command_handlers import end_league, end_stage
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_facts import BotEntered, LeagueClosed, RoundPaired
from ftk_core.league.league_state import CommandRejected, LeagueState
from ftk_core.league.pairing_checks import flaws as flaws_of_pairings
from ftk_core.league.statistics.round_seed_hash_chain import next_link
from tests.support.stages import ORGANISER, LeagueRun, stage

EXCHANGE_THEN_FORBID = ("exchange", "forbid")


@pytest.mark.parametrize("seed", range(1, 7))
@pytest.mark.parametrize("order", [EXCHANGE_THEN_FORBID, EXCHANGE_THEN_FORBID[::-1]])
def test_a_pairing_may_be_forbidden_before_or_after_the_draft_is_changed_by_hand(
    order: tuple[str, ...], seed: int
) -> None:
    run = LeagueRun(stage("swiss", rounds=3), entries=4, held=True, seed=seed)
    for _ in range(2):
        run.pair()
        run.play()
    run.append(*proceed(run.league, next_link(run.secret, run.league)).facts)
    assert run.league.draft
    table, other_table = (table.seating for table in run.league.draft.tables)
    for act in order:
        if act == "exchange":
            run.append(organiser_command_handlers.exchange_entries(run.league, table[0], other_table[0], ORGANISER))
        else:
            run.append(organiser_command_handlers.forbid_meeting(run.league, *table, ORGANISER))
    run.append(organiser_command_handlers.begin_draft(run.league, ORGANISER.at))
    run.play()
    run.finish()
    assert list(LeagueEventStreamAudit(run.facts).flaws()) == []
    assert list(flaws_of_pairings(run.facts)) == []


@pytest.mark.parametrize("format", ["knockout", "round_robin"])
def test_a_repeated_draft_may_end_the_league_after_withdrawals(format: str) -> None:  # noqa: A002 - its name in the facts
    run = LeagueRun(stage(format), entries=4, held=True)
    for _ in range(run.league.header.rounds - 1 or 1):
        run.pair()
        run.play()
    run.append(*proceed(run.league, next_link(run.secret, run.league)).facts)
    assert run.league.draft
    for entry in [entry for table in run.league.draft.tables for entry in table.seating][1:]:
        run.append(organiser_command_handlers.withdraw_from_league(run.league, entry, ORGANISER))
    after = redraft(run.league, next_link(run.secret, run.league), ORGANISER)
    assert after.over
    run.append(*after.facts, LeagueClosed(run.secret.hex()))
    assert list(LeagueEventStreamAudit(run.facts).flaws()) == []
    assert list(flaws_of_pairings(run.facts)) == []


def can_begin(run: LeagueRun) -> bool:
    try:
        return bool(proceed(run.league, next_link(run.secret, run.league)).facts)
    except CommandRejected:
        return False


def test_a_bot_may_enter_after_the_deadline_exactly_if_the_first_round_could_not_be_paired() -> None:
    could_begin = set()
    for seed in range(1, 25):
        run = LeagueRun(stage("knockout", seeding="lot"), entries=4, seed=seed, entries_until=1000)
        run.append(organiser_command_handlers.forbid_meeting(run.league, 1, 2, ORGANISER))
        begins = can_begin(run)
        run.enter()
        entry = run.facts[-1]
        assert isinstance(entry, BotEntered)
        run.facts[-1] = replace(entry, at=1001)
        if can_begin(run):
            run.pair()
            flaws = [flaw for flaw in LeagueEventStreamAudit(run.facts).flaws() if "entries closed" in flaw]
            assert bool(flaws) == begins, seed
            could_begin.add(begins)
    assert could_begin == {True, False}


@pytest.mark.parametrize("end", [end_league, end_stage])
def test_no_match_counts_and_no_round_begins_after_a_league_or_stage_was_ended_early(
    end: Callable[[LeagueState, LeagueActor], Act],
) -> None:
    run, going_on = (LeagueRun(stage("round_robin"), entries=6) for _ in range(2))
    for league in (run, going_on):
        league.pair()
    going_on.play()
    next_round = next(fact for fact in going_on.facts if isinstance(fact, RoundPaired) and fact.round == 2)
    run.append(end(run.league, ORGANISER))
    assert list(LeagueEventStreamAudit(run.facts).flaws()) == []
    assert list(LeagueEventStreamAudit([*run.facts, next_round]).flaws()) != []
    flaws = LeagueEventStreamAudit([*run.facts, *record(run.league, run.results()[0])]).flaws()
    assert any("was ended early, which makes all open matches void" in flaw for flaw in flaws)


def test_the_list_of_organiser_actions_never_attributes_the_action_of_a_person_to_the_league_terms() -> None:
    run = LeagueRun(stage("round_robin"), entries=4)
    run.pair()
    actor = LeagueActor(by="the league's terms", at=1, why="no reason")
    run.append(organiser_command_handlers.withdraw_from_league(run.league, 1, actor))
    assert any('by "the league\'s terms"' in line for line in list_intervention_lines(run.facts))
