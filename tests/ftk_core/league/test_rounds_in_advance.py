"""A round is paired while the round before is still played, if no result can change it."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from ftk_core.league import match_result_command_handlers, organiser_command_handlers
from ftk_core.league.formats import list_formats
from ftk_core.league.league_command_handlers import can_pair_ahead, draw_ahead, record
from ftk_core.league.league_facts import LeagueFact, RoundClosed, RoundPaired
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.pairing_checks import flaws
from ftk_core.league.stage_progress import progress_of
from ftk_core.league.standings import standings
from ftk_core.league.statistics.round_seed_hash_chain import next_link
from tests.support.stages import ORGANISER, LeagueRun, stage

TERMS = {
    "swiss": stage("swiss", rounds=4),
    "ladder": stage("ladder", seats=3, rounds=4),
    "knockout": stage("knockout"),
    "gauntlet": stage("gauntlet", rounds=3),
    "round_robin": stage("round_robin"),
    "groups": stage("groups", groups=2),
}
FORESEEN = [name for name, form in list_formats().items() if form.foreseen]


def begun(name: str, seed: int = 1, **terms: object) -> LeagueRun:
    """Return a league of nine whose first round is played."""
    run = LeagueRun(TERMS[name], entries=9, seed=seed, **terms)
    run.pair()
    return run


def foreseen(run: LeagueRun) -> tuple[RoundPaired, ...]:
    return draw_ahead(run.league, next_link(run.secret, run.league), ORGANISER.at)


def test_the_tests_of_rounds_paired_in_advance_cover_every_league_format() -> None:
    assert set(TERMS) == set(list_formats())


@pytest.mark.parametrize("name", FORESEEN)
def test_no_result_of_the_current_round_changes_the_pairings_of_a_round_paired_in_advance(name: str) -> None:
    drawn = set()
    for form in range(20):
        run = begun(name)
        run.draw = Random(form)
        run.append(*record(run.league, *run.results()))
        drawn.add(list_formats()[name].next_round(progress_of(run.league, link=next_link(run.secret, run.league))))
    assert len(drawn) == 1


@pytest.mark.parametrize("name", sorted(set(TERMS) - set(FORESEEN)))
def test_formats_whose_pairings_depend_on_results_pair_no_round_in_advance(name: str) -> None:
    assert foreseen(begun(name)) == ()


@pytest.mark.parametrize("name", FORESEEN)
@pytest.mark.parametrize(
    "terms",
    [{"held": True}, {"kinds": ("uploaded", "person")}, {"kinds": ("remote",)}],
    ids=["drafts need approval", "human players", "remote bots"],
)
def test_no_round_is_paired_in_advance_if_a_league_has_human_players_remote_bots_or_draft_approval(
    name: str, terms: dict[str, object]
) -> None:
    assert foreseen(begun(name, **terms)) == ()


@pytest.mark.parametrize("name", FORESEEN)
def test_no_round_is_paired_in_advance_in_a_paused_league_or_two_rounds_ahead(name: str) -> None:
    run = begun(name)
    run.append(organiser_command_handlers.pause_league(run.league, ORGANISER))
    assert foreseen(run) == ()
    run.append(organiser_command_handlers.resume_league(run.league, ORGANISER))
    run.append(*foreseen(run))
    assert len(run.league.rounds) == 2
    assert not can_pair_ahead(run.league)


@pytest.mark.parametrize("name", FORESEEN)
def test_no_round_is_paired_in_advance_after_the_last_round_of_a_stage(name: str) -> None:
    run = begun(name)
    last = list_formats()[name].planned(progress_of(run.league))
    while run.league.playing < last:
        run.play()
        run.pair()
    assert foreseen(run) == ()


@pytest.mark.parametrize("name", FORESEEN)
def test_results_of_a_round_paired_in_advance_are_recorded_once_that_round_is_current(name: str) -> None:
    run = begun(name)
    first = run.results()
    run.append(*foreseen(run))
    run.append(*record(run.league, *first[1:]))
    early = [replace(result, round=2) for result in first]
    assert record(run.league, *early) == ()
    run.append(*record(run.league, first[0]))
    assert run.facts[-1] == RoundClosed(1)
    assert run.league.playing == 2
    assert record(run.league, *run.results())[-1] == RoundClosed(2)


@pytest.mark.parametrize("name", FORESEEN)
def test_a_round_paired_in_advance_can_end_although_a_match_was_voided_before_the_round_began(name: str) -> None:
    run = begun(name)
    run.append(*foreseen(run))
    run.append(match_result_command_handlers.void_match(run.league, (2, 1, 0), "a match", ORGANISER))
    run.play()
    results = [result for result in run.results() if result.table != 1]
    assert record(run.league, *results)[-1] == RoundClosed(2)


def test_voiding_a_match_without_a_result_is_refused_if_it_names_the_id_of_another_match() -> None:
    run = begun("swiss")
    played, awaited = run.results()[:2]
    run.append(*record(run.league, played))
    key = (awaited.round, awaited.table, awaited.game)
    with pytest.raises(CommandRejected, match=f"was not played as match {played.match}"):
        match_result_command_handlers.void_match(run.league, key, played.match, ORGANISER)
    run.append(match_result_command_handlers.void_match(run.league, key, awaited.match, ORGANISER))


@pytest.mark.parametrize("name", FORESEEN)
def test_pairing_rounds_in_advance_does_not_change_the_final_standings(name: str) -> None:
    one, other, ahead = begun(name), begun(name), list[int]()
    while not one.league.closed:
        coming = foreseen(one)
        ahead += [paired.round for paired in coming]
        one.append(*coming)
        one.append(*record(one.league, *one.results()))
        one.pair()
    while not other.league.closed:
        other.append(*record(other.league, *other.results()))
        other.pair()
    assert ahead == list(range(2, len(one.league.rounds) + 1))
    assert standings(one.league) == standings(other.league)
    assert [[t.seating for t in p.tables] for p in one.league.rounds] == [
        [t.seating for t in p.tables] for p in other.league.rounds
    ]
    assert list(flaws(one.facts)) == list(flaws(other.facts)) == []


@pytest.mark.parametrize("name", sorted(TERMS))
def test_the_pairing_checker_refuses_a_round_paired_earlier_than_the_rules_allow(name: str) -> None:
    run = LeagueRun(TERMS[name], entries=9)
    while run.pair():
        run.append(*record(run.league, *run.results()))
    facts = moved(run.facts, by=1)
    assert any("begins while round 1 is played" in flaw for flaw in flaws(facts)) is (name not in FORESEEN)
    if name in FORESEEN:
        facts = moved(run.facts, by=2)
        assert any("begins while round 1 is played" in flaw for flaw in flaws(facts))


def moved(facts: list[LeagueFact], by: int) -> list[LeagueFact]:
    """Return a league's facts with the next `by` rounds moved right behind the first round."""
    at = [number for number, fact in enumerate(facts) if isinstance(fact, RoundPaired)]
    early = [facts[number] for number in at[1 : 1 + by]]
    others = [fact for fact in facts if not any(fact is one for one in early)]
    return [*others[: at[0] + 1], *early, *others[at[0] + 1 :]]
