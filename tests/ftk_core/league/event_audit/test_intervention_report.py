"""The report on interventions names the bots of the people who acted and approved."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ftk_core.league import organiser_command_handlers as commands
from ftk_core.league.event_audit import list_intervention_lines
from ftk_core.league.league_command_handlers import enter, proceed, redraft
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_facts import LeagueFact
from ftk_core.league.statistics.round_seed_hash_chain import next_link
from tests.support.stages import ORGANISER, LeagueRun, stage

EVE = replace(ORGANISER, by="eve", approved="zed")


def report_on(run: LeagueRun, fact: LeagueFact) -> str:
    """Return the line that one more event adds to the report."""
    before, after = list(list_intervention_lines(run.facts)), list(list_intervention_lines([*run.facts, fact]))
    return next(line for line in after if line.startswith("  ") and line not in before)


def create_league_of_eve_and_ada() -> LeagueRun:
    """Return a league with the bots bot1 of eve and bot2 of ada."""
    run = LeagueRun(stage("swiss", rounds=3, seeding="lot"), entries=0, late=2, entries_until=ORGANISER.at)
    run.enter("eve")
    run.enter("ada")
    return run


def test_the_report_names_the_bots_of_the_acting_person_and_of_the_approver_after_each_name() -> None:
    run = create_league_of_eve_and_ada()
    line = report_on(run, commands.disqualify_entry(run.league, 2, EVE))
    assert "by eve (an author of bot1, in this league) with the approval of zed, because" in line
    line = report_on(run, commands.disqualify_entry(run.league, 2, replace(EVE, by="olga", approved="eve")))
    assert "by olga with the approval of eve (an author of bot1, in this league), because" in line


def test_the_report_names_the_bots_of_an_organiser_who_excuses_or_brings_back_only_their_own_bot() -> None:
    run = create_league_of_eve_and_ada()
    assert "(an author of bot1," in report_on(run, commands.excuse_entry(run.league, 1, [1], EVE))
    run.append(commands.withdraw_from_league(run.league, 1, EVE))
    assert "(an author of bot1," in report_on(run, commands.return_entry(run.league, 1, EVE))


def test_the_report_does_not_repeat_that_authors_withdraw_bots_of_their_own() -> None:
    run = create_league_of_eve_and_ada()
    line = report_on(run, commands.withdraw_from_league(run.league, 2, LeagueActor(by="ada", at=1, why="it is broken")))
    assert "an author of" not in line


def test_the_report_lists_an_entry_by_an_author_after_the_deadline() -> None:
    run = create_league_of_eve_and_ada()
    line = report_on(run, enter(run.league, 900, "bot3", "ada", by="ada", at=ORGANISER.at + 1))
    assert line.startswith("  bot3 (entry 3), from round 1, with 0 points, by ada (an author of bot2 and bot3, in this")


def test_the_report_on_an_entry_by_a_co_author_does_not_deny_that_they_are_an_author() -> None:
    run = create_league_of_eve_and_ada()
    run.append(enter(run.league, 900, "bot3", "ada", by="eve", at=ORGANISER.at))
    heading, _line = list_intervention_lines(run.facts)
    assert heading.startswith("Entries that came late, or by others than the owner of the bot: 1, by eve")


def test_the_report_names_a_bot_that_an_organiser_entered_after_an_act() -> None:
    run = create_league_of_eve_and_ada()
    run.append(commands.disqualify_entry(run.league, 2, replace(EVE, by="olga", approved="zed")))
    run.enter("olga")
    (line,) = (line for line in list_intervention_lines(run.facts) if line.startswith("  "))
    assert "by olga (an author of bot3, in this league) with the approval of zed" in line


@pytest.mark.parametrize(
    ("ratings", "line"),
    [
        ({1: 1500, 2: 1400}, "  stage 1: bot1 1500, bot2 1400, bot3 without a rating, by the league's terms"),
        ({}, "  stage 1: bot1 without a rating, bot2 without a rating, bot3 without a rating, by the league's terms"),
    ],
)
def test_the_report_names_the_entries_without_a_rating_where_ratings_decide_the_seeds(
    ratings: dict[int, int], line: str
) -> None:
    run = LeagueRun(stage("swiss", rounds=2, seeding="rating"), entries=3)
    run.append(*proceed(run.league, next_link(run.secret, run.league), ratings=ratings).facts)
    _heading, told = list_intervention_lines(run.facts)
    assert told == line


def test_the_report_numbers_the_drafts_of_a_round() -> None:
    run = LeagueRun(stage("swiss", rounds=3), entries=4, held=True)
    run.append(*proceed(run.league, next_link(run.secret, run.league)).facts)
    again = redraft(run.league, next_link(run.secret, run.league), ORGANISER).facts
    assert report_on(run, *again) == "  round 1, draft 2, by ada, because: the test says so"
