"""Byes of a Swiss round in which a forbidden pair would meet if all bots had byes in turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from random import Random

import pytest
from msgspec.structs import replace

from ftk_core.league.event_audit import LeagueEventStreamAudit
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.formats.pairing_input_from_stage import pairing_input_of
from ftk_core.league.intervention_facts import PairingForbidden
from ftk_core.league.league_facts import RoundPaired
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.organiser_command_handlers import forbid_meeting
from ftk_core.league.pairing.bye_selection import table_sizes
from ftk_core.league.pairing.pairing_input_and_output import ImpossiblePairingError, PairingCandidate, PairingInput
from ftk_core.league.pairing.round_pairing import draw_round
from ftk_core.league.pairing_checks import flaws
from ftk_core.league.stage_progress import progress_of
from ftk_core.random_streams import MatchRandomness, seed_of
from tests.support.stages import ORGANISER, LeagueRun, list_round_tables, play_league, stage


def play_with_forbidden_pair(terms: StageSettings, entries: int, rules: int = 2) -> LeagueRun:
    """Play a league in which entries 1 and 2 must not meet."""
    run = LeagueRun(terms, entries=entries, rules=rules)
    run.append(forbid_meeting(run.league, 1, 2, ORGANISER))
    run.finish()
    return run


@pytest.mark.parametrize(
    ("terms", "entries"),
    [
        (stage("swiss", rounds=5), 3),
        (StageSettings(format="swiss", seats=6, least=6, rounds=6), 7),
        (StageSettings(format="swiss", seats=6, least=6, rounds=11), 11),
    ],
)
def test_one_of_two_bots_forbidden_to_meet_gets_a_bye_earlier_than_usual_if_they_would_otherwise_meet(
    terms: StageSettings, entries: int
) -> None:
    run = play_with_forbidden_pair(terms, entries)
    assert len(run.league.rounds) == terms.rounds
    for round_ in range(1, terms.rounds + 1):
        assert not any({1, 2} <= set(table) for table in list_round_tables(run, round_))
    assert list(flaws(run.facts)) == list(LeagueEventStreamAudit(run.facts).flaws()) == []


def test_league_rules_version_1_refuses_a_round_in_which_one_of_a_forbidden_pair_must_rest_before_its_turn() -> None:
    with pytest.raises(CommandRejected, match="entries 1 and 2 must not meet"):
        play_with_forbidden_pair(stage("swiss", rounds=3), 3, rules=1)


def test_the_pairing_checker_refuses_a_bye_before_its_turn_that_no_forbidden_pair_requires() -> None:
    facts = play_league(stage("swiss", rounds=2), entries=5).facts
    (_, first), (at, second) = [(at, fact) for at, fact in enumerate(facts) if isinstance(fact, RoundPaired)]
    rested, resting = first.rests[0].entry, second.rests[0].entry
    tables = tuple(
        replace(one, seating=tuple(resting if entry == rested else entry for entry in one.seating))
        for one in second.tables
    )
    forged = replace(second, tables=tables, rests=(replace(second.rests[0], entry=rested),))
    ban = PairingForbidden(one=rested, other=resting)  # either can rest without the other
    stream = [*facts[:at], ban, forged, *facts[at + 1 :]]
    assert list(LeagueEventStreamAudit(stream).flaws())
    found = list(flaws(stream))
    assert any(flaw.startswith(f"round 2: entry {rested} has another bye, where entry") for flaw in found)
    assert not any("meet, which is forbidden" in flaw for flaw in found)


def draw_problem(draw: Random) -> PairingInput:
    """Return a small field with many forbidden pairs and uneven byes."""
    full = draw.choice([2, 2, 3, 4, 5])
    entries = range(1, draw.randint(full + 1, 8) + 1)
    candidates = tuple(
        PairingCandidate(entry=entry, points=draw.randint(0, 3), rests=draw.randint(0, 2)) for entry in entries
    )
    pairs = list(combinations(entries, 2))
    forbidden = frozenset(map(frozenset, draw.sample(pairs, draw.randint(1, min(5, len(pairs))))))
    return PairingInput(candidates=candidates, full=full, least=full, win=3, forbidden=forbidden)


def can_seat(entries: Sequence[int], sizes: Sequence[int], forbidden: frozenset[frozenset[int]]) -> bool:
    """Return True if tables of these sizes without a forbidden pair exist."""
    if not sizes:
        return True
    for others in combinations(entries[1:], sizes[0] - 1):
        table = (entries[0], *others)
        left = [entry for entry in entries if entry not in table]
        if not any(pair <= set(table) for pair in forbidden) and can_seat(left, sizes[1:], forbidden):
            return True
    return False


def list_bye_totals(problem: PairingInput) -> Iterator[int]:
    """Yield the total of earlier byes for each choice of resting bots that allows tables without a forbidden pair."""
    entries = {candidate.entry: candidate.rests for candidate in problem.candidates}
    rests, sizes = table_sizes(len(entries), problem.full, problem.least)
    for away in combinations(entries, rests):
        left = [entry for entry in entries if entry not in away]
        if any(can_seat(left, order, problem.forbidden) for order in set(permutations(sizes))):
            yield sum(entries[entry] for entry in away)


@pytest.mark.parametrize("seed", range(60))
def test_pairing_avoids_forbidden_pairs_whenever_possible_and_with_as_few_early_byes_as_possible(
    seed: int,
) -> None:
    problem = draw_problem(Random(seed))
    lot, fewest = MatchRandomness(seed_of("early", seed)), min(list_bye_totals(problem), default=None)
    if fewest is None:
        with pytest.raises(ImpossiblePairingError):
            draw_round(problem, lot.at("pairing", 1))
        return
    drawn = draw_round(problem, lot.at("pairing", 1))
    byes = {candidate.entry: candidate.rests for candidate in problem.candidates}
    assert sum(byes[entry] for entry in drawn.rests) == fewest
    in_turn = replace(problem, can_rest_early=False)
    try:
        assert draw_round(in_turn, lot.at("pairing", 1)) == drawn
    except ImpossiblePairingError:
        return  # the round is impossible without an early bye


@pytest.mark.parametrize(("rules", "early"), [(0, False), (1, False), (2, True)])
def test_early_byes_are_given_only_from_league_rules_version_2_on(rules: int, early: bool) -> None:
    run = LeagueRun(stage("swiss", rounds=5), entries=3, rules=rules)
    assert pairing_input_of(progress_of(run.league)).can_rest_early is early
