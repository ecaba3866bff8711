"""A round is paired while the one before it is played, where no result can change it, and nowhere else."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from ftk_core.league import organising
from ftk_core.league.checking import flaws
from ftk_core.league.commands import ahead, looks_ahead, record
from ftk_core.league.facts import LeagueFact, RoundClosed, RoundPaired
from ftk_core.league.formats import formats
from ftk_core.league.luck import next_link
from ftk_core.league.progress import progress_of
from ftk_core.league.standings import standings
from tests.support.stages import HAND, Run, stage

TERMS = {
    "swiss": stage("swiss", rounds=4),
    "ladder": stage("ladder", seats=3, rounds=4),
    "knockout": stage("knockout"),
    "gauntlet": stage("gauntlet", rounds=3),
    "round_robin": stage("round_robin"),
    "groups": stage("groups", groups=2),
}
FORESEEN = [name for name, form in formats().items() if form.foreseen]


def begun(name: str, seed: int = 1, **terms: object) -> Run:
    """Return a league of nine whose first round is played."""
    run = Run(TERMS[name], entries=9, seed=seed, **terms)
    run.pair()
    return run


def foreseen(run: Run) -> tuple[RoundPaired, ...]:
    return ahead(run.league, next_link(run.secret, run.league), HAND.at)


def test_every_format_says_whether_its_rounds_are_foreseen() -> None:
    assert set(TERMS) == set(formats())


@pytest.mark.parametrize("name", FORESEEN)
def test_no_result_changes_a_round_that_is_foreseen(name: str) -> None:
    drawn = set()
    for form in range(20):
        run = begun(name)
        run.draw = Random(form)
        run.happens(*record(run.league, *run.results()))
        drawn.add(formats()[name].next_round(progress_of(run.league, link=next_link(run.secret, run.league))))
    assert len(drawn) == 1


@pytest.mark.parametrize("name", sorted(set(TERMS) - set(FORESEEN)))
def test_other_formats_wait_for_the_end_of_a_round(name: str) -> None:
    assert foreseen(begun(name)) == ()


@pytest.mark.parametrize("name", FORESEEN)
@pytest.mark.parametrize(
    "terms",
    [{"held": True}, {"kinds": ("uploaded", "person")}, {"kinds": ("remote",)}],
    ids=["held", "person", "remote"],
)
def test_nobody_is_called_to_two_rounds_who_must_be_asked(name: str, terms: dict[str, object]) -> None:
    assert foreseen(begun(name, **terms)) == ()


@pytest.mark.parametrize("name", FORESEEN)
def test_a_league_that_is_paused_pairs_nothing_ahead_and_none_pairs_two_rounds_ahead(name: str) -> None:
    run = begun(name)
    run.happens(organising.pause(run.league, HAND))
    assert foreseen(run) == ()
    run.happens(organising.resume(run.league, HAND))
    run.happens(*foreseen(run))
    assert len(run.league.rounds) == 2
    assert not looks_ahead(run.league)


@pytest.mark.parametrize("name", FORESEEN)
def test_after_the_last_round_of_a_stage_nothing_is_foreseen(name: str) -> None:
    run = begun(name)
    last = formats()[name].planned(progress_of(run.league))
    while run.league.playing < last:
        run.play()
        run.pair()
    assert foreseen(run) == ()


@pytest.mark.parametrize("name", FORESEEN)
def test_results_of_a_round_that_was_paired_ahead_wait_for_its_turn(name: str) -> None:
    run = begun(name)
    first = run.results()
    run.happens(*foreseen(run))
    run.happens(*record(run.league, *first[1:]))
    early = [replace(result, round=2) for result in first]
    assert record(run.league, *early) == ()
    run.happens(*record(run.league, first[0]))
    assert run.facts[-1] == RoundClosed(1)
    assert run.league.playing == 2
    assert record(run.league, *run.results())[-1] == RoundClosed(2)


@pytest.mark.parametrize("name", FORESEEN)
def test_a_match_that_is_voided_ahead_is_not_waited_for_when_its_round_is_played(name: str) -> None:
    run = begun(name)
    run.happens(*foreseen(run))
    run.happens(organising.void(run.league, (2, 1, 0), "a match", HAND))
    run.play()
    results = [result for result in run.results() if result.table != 1]
    assert record(run.league, *results)[-1] == RoundClosed(2)


@pytest.mark.parametrize("name", FORESEEN)
def test_a_league_whose_rounds_were_paired_ahead_ends_like_one_whose_rounds_were_not(name: str) -> None:
    one, other = begun(name), begun(name)
    while not one.league.closed:
        one.happens(*foreseen(one))
        one.happens(*record(one.league, *one.results()))
        one.pair()
    while not other.league.closed:
        other.happens(*record(other.league, *other.results()))
        other.pair()
    assert standings(one.league) == standings(other.league)
    assert [[t.seating for t in p.tables] for p in one.league.rounds] == [
        [t.seating for t in p.tables] for p in other.league.rounds
    ]
    assert list(flaws(one.facts)) == list(flaws(other.facts)) == []


@pytest.mark.parametrize("name", sorted(TERMS))
def test_who_checks_a_league_refuses_a_round_that_was_paired_too_early(name: str) -> None:
    run = Run(TERMS[name], entries=9)
    while run.pair():
        run.happens(*record(run.league, *run.results()))
    facts = moved(run.facts, by=1)
    assert any("begins while round 1 is played" in flaw for flaw in flaws(facts)) is (name not in FORESEEN)
    if name in FORESEEN:
        facts = moved(run.facts, by=2)
        assert any("begins while round 1 is played" in flaw for flaw in flaws(facts))


def moved(facts: list[LeagueFact], by: int) -> list[LeagueFact]:
    """Return a league's facts with rounds that come so much later put right behind the first."""
    at = [number for number, fact in enumerate(facts) if isinstance(fact, RoundPaired)]
    early = [facts[number] for number in at[1 : 1 + by]]
    others = [fact for fact in facts if not any(fact is one for one in early)]
    return [*others[: at[0] + 1], *early, *others[at[0] + 1 :]]
