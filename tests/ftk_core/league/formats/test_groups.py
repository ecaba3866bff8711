"""Groups: tie-breaks decide the positions within a group, and all meetings of a group are equally frequent."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from msgspec.structs import replace

from ftk_core.league.event_audit import LeagueEventStreamAudit
from ftk_core.league.formats import find_format
from ftk_core.league.league_command_handlers import planned_rounds, record
from ftk_core.league.league_facts import LEAGUE_RULES, LeagueOpened, StageBegun
from ftk_core.league.organiser_command_handlers import disqualify_entry, excuse_entry, withdraw_from_league
from ftk_core.league.pairing_checks import flaws
from ftk_core.league.stage_progress import empty_progress
from ftk_core.league.standings import standings
from tests.support.results import build_result
from tests.support.stages import ORGANISER, LeagueRun, play_league, stage

WON = {(1, 4), (4, 5), (4, 8), (1, 8), (5, 1), (8, 5), (2, 7)}
"""Pairs (winner, loser) of two groups of four, 1 4 5 8 and 2 3 6 7; all other meetings are draws."""
TIEBREAKS = ("head-to-head", "wins", "opposition-2")
GROUPS_OF_FIVE_AND_FOUR = 9


def play_two_groups_of_four(*, disqualified: int = 0, **terms: object) -> LeagueRun:
    """Play a league of two groups and a final of the best two, in which the meetings in `WON` have winners."""
    run = LeagueRun(
        stage("groups", groups=2, tiebreaks=TIEBREAKS), stage("knockout", qualify=2), entries=8, seed=1, **terms
    )
    while run.pair():
        paired = run.league.rounds[-1]
        for table in paired.tables:
            one, other = table.seating
            form = {one: int((one, other) in WON), other: int((other, one) in WON)}
            run.append(*record(run.league, build_result(paired.round, table, 0, form)))
        if disqualified and paired.round == 3:
            run.append(disqualify_entry(run.league, disqualified, ORGANISER))
    return run


def qualified(run: LeagueRun) -> set[int]:
    """Return the entries that play the final."""
    return {one.entry for fact in run.facts if isinstance(fact, StageBegun) and fact.stage == 2 for one in fact.entries}


def count_meetings(run: LeagueRun) -> dict[int, Counter[tuple[int, ...]]]:
    """Return group -> how often each pair of its entries met."""
    met: dict[int, Counter[tuple[int, ...]]] = {}
    for paired in run.league.rounds:
        for table in paired.tables:
            met.setdefault(table.group, Counter()).update(combinations(sorted(table.seating), 2))
    return met


def test_a_tiebreak_decides_who_wins_a_group_before_entries_of_different_groups_are_compared() -> None:
    run = play_two_groups_of_four()
    assert qualified(run) == {1, 2}
    positions = {row.entry: row.level for row in standings(run.league) if row.stage == 1}
    assert positions[4] == -1


def test_a_disqualified_entry_leaves_its_position_in_the_group_to_the_next_entry() -> None:
    assert qualified(play_two_groups_of_four(disqualified=1)) == {2, 4}


def test_league_rules_version_1_ranks_entries_as_tied_if_both_have_the_most_points_of_their_group() -> None:
    run = play_two_groups_of_four(rules=1)
    others = {1, 2, 4} - qualified(run)
    assert [row.level for row in standings(run.league) if row.entry in others] == [0]
    assert list(LeagueEventStreamAudit(run.facts).flaws()) == []


@pytest.mark.parametrize(("rounds", "played", "often"), [(0, 5, (1, 1)), (10, 10, (2, 3)), (7, 6, (1, 2))])
def test_in_a_stage_with_groups_of_different_sizes_every_group_completes_its_last_repetition_of_the_schedule(
    rounds: int, played: int, often: tuple[int, int]
) -> None:
    run = LeagueRun(stage("groups", groups=2, rounds=rounds), entries=GROUPS_OF_FIVE_AND_FOUR)
    planned = planned_rounds(run.league)
    run.finish()
    met = count_meetings(run)
    assert (set(met[1].values()), set(met[2].values())) == ({often[0]}, {often[1]})
    assert len(run.league.rounds) == planned == played
    assert [*LeagueEventStreamAudit(run.facts).flaws(), *flaws(run.facts)] == []


def test_the_planned_rounds_of_a_later_group_stage_follow_the_rules_version_of_the_league() -> None:
    stages = stage("swiss", rounds=1), stage("groups", groups=2, rounds=7)
    for rules, rounds in ((LEAGUE_RULES, 1 + 6), (1, 1 + 7)):
        run = LeagueRun(*stages, entries=GROUPS_OF_FIVE_AND_FOUR, rules=rules)
        planned = planned_rounds(run.league)
        run.finish()
        assert (planned, len(run.league.rounds)) == (rounds, rounds)
    assert find_format("groups").planned(empty_progress(stages[1], GROUPS_OF_FIVE_AND_FOUR)) == 6


def test_a_group_stage_plays_the_announced_rounds_even_if_these_are_fewer_than_a_full_schedule() -> None:
    run = play_league(stage("groups", groups=2, rounds=2), entries=GROUPS_OF_FIVE_AND_FOUR)
    assert len(run.league.rounds) == 2


def test_an_entry_excused_from_a_round_after_the_last_match_of_its_group_gets_no_points_for_that_round() -> None:
    run = LeagueRun(stage("groups", groups=2, absence="half"), entries=GROUPS_OF_FIVE_AND_FOUR)
    for _ in range(3):
        run.pair()
        run.append(*record(run.league, *run.results()))
    smaller = {entry for table in run.league.rounds[0].tables if table.group == 2 for entry in table.seating}
    run.append(excuse_entry(run.league, min(smaller), [4], ORGANISER))
    run.pair()
    rests = {rest.entry: (rest.points, rest.why) for rest in run.league.rounds[3].rests}
    assert {entry: rests[entry] for entry in smaller} == dict.fromkeys(smaller, ("0", "alone"))


def test_a_withdrawal_after_the_last_match_of_a_group_changes_no_tiebreak_of_the_group() -> None:
    outcomes = []
    for is_withdrawn in (False, True):
        run = LeagueRun(stage("groups", groups=2, tiebreaks=("quality-2",)), entries=GROUPS_OF_FIVE_AND_FOUR)
        for _ in range(3):
            run.pair()
            run.append(*record(run.league, *run.results()))
        smaller = {entry for table in run.league.rounds[0].tables if table.group == 2 for entry in table.seating}
        if is_withdrawn:
            run.append(withdraw_from_league(run.league, min(smaller), ORGANISER))
        run.finish()
        outcomes.append(
            {row.entry: (row.points, row.tiebreaks) for row in standings(run.league) if row.entry in smaller}
        )
    assert len(run.league.rounds) == 5
    assert outcomes[0] == outcomes[1]


def test_the_audit_accepts_repeated_meetings_in_a_smaller_group_only_under_rules_version_1() -> None:
    run = play_league(stage("groups", groups=2), entries=GROUPS_OF_FIVE_AND_FOUR, rules=1)
    assert set(count_meetings(run)[2].values()) == {1, 2}
    assert [*LeagueEventStreamAudit(run.facts).flaws(), *flaws(run.facts)] == []
    opening = run.facts[0]
    assert isinstance(opening, LeagueOpened)
    newer = [replace(opening, rules=2), *run.facts[1:]]
    assert any("round_paired" in flaw for flaw in LeagueEventStreamAudit(newer).flaws())
    assert any("meet again before all have met" in flaw for flaw in flaws(newer))


@pytest.mark.parametrize(("entries", "rounds", "seats"), [(2, 10, 2), (4, 12, 2), (5, 20, 2), (9, 12, 3)])
def test_repetitions_of_a_round_robin_rotate_the_seats_of_each_table(entries: int, rounds: int, seats: int) -> None:
    run = LeagueRun(stage("round_robin", rounds=rounds, seats=seats), entries=entries)
    run.finish()
    seatings = [table.seating for paired in run.league.rounds for table in paired.tables]
    meetings = {frozenset(seating) for seating in seatings}
    for together in meetings:
        by_seat = [Counter(column) for column in zip(*(s for s in seatings if set(s) == together), strict=True)]
        repetitions = by_seat[0].total()
        assert all(
            repetitions // seats <= seat[entry] <= -(-repetitions // seats) for seat in by_seat for entry in seat
        )
        assert all(set(seat) == together for seat in by_seat if repetitions >= seats)
    assert list(LeagueEventStreamAudit(run.facts).flaws()) == []


def test_league_rules_version_1_repeats_a_round_robin_with_the_same_seats() -> None:
    run = LeagueRun(stage("round_robin", rounds=4), entries=2, rules=1)
    run.finish()
    assert len({table.seating for paired in run.league.rounds for table in paired.tables}) == 1
    assert list(LeagueEventStreamAudit(run.facts).flaws()) == []
