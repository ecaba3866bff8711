"""Luck in the draws of a league: unpredictable beforehand and verifiable afterwards."""

from __future__ import annotations

from dataclasses import replace as put
from hashlib import sha256

import pytest
from msgspec.structs import replace

from ftk_core.league.event_audit import LeagueEventStreamAudit
from ftk_core.league.formats import list_formats
from ftk_core.league.league_command_handlers import draw_ahead, proceed
from ftk_core.league.league_facts import RoundPaired
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.pairing_checks import flaws
from ftk_core.league.stage_progress import NextRoundDecision, progress_of
from ftk_core.league.statistics import round_seed_hash_chain
from ftk_core.league.statistics.round_seed_hash_chain import MAX_LINKS, anchor_of, chance_of, next_link
from ftk_core.random_streams import seed_of
from tests.support.stages import LeagueRun, list_round_tables, play_league, secret_of, stage

LEAGUES = 300
SEED_OF_SHORT_CHAIN = 7_000_001
"""Seed of the only league with a shorter hash chain, because chains are cached by the secret of the league."""


def test_each_revealed_seed_of_a_league_hashes_to_the_seed_of_the_previous_round() -> None:
    run = play_league(stage("swiss", rounds=5), entries=6)
    links = [run.league.header.luck, *run.league.links]
    assert len(links) == 6
    assert [sha256(bytes.fromhex(link)).hexdigest() for link in links[1:]] == links[:-1]


def test_a_league_pairs_no_further_round_after_it_has_used_all_values_of_its_hash_chain() -> None:
    run = LeagueRun(stage("swiss", rounds=1), entries=4)
    used_up = replace(run.league, links=("",) * MAX_LINKS)
    with pytest.raises(CommandRejected, match=f"used all {MAX_LINKS} links of its hash chain"):
        proceed(used_up, next_link(run.secret, used_up))


def test_no_round_is_paired_early_after_a_league_has_used_all_values_of_its_hash_chain() -> None:
    run = LeagueRun(stage("round_robin"), entries=4)
    run.pair()
    used_up = replace(run.league, links=("",) * MAX_LINKS)
    with pytest.raises(CommandRejected, match=f"used all {MAX_LINKS} links of its hash chain"):
        draw_ahead(used_up, next_link(run.secret, used_up))


def test_a_league_whose_rounds_use_all_values_of_its_hash_chain_is_closed_and_passes_the_audit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(round_seed_hash_chain, "MAX_LINKS", 2)
    run = play_league(stage("swiss", rounds=2), entries=4, seed=SEED_OF_SHORT_CHAIN)
    assert run.league.closed
    assert len(run.league.links) == 2
    assert list(LeagueEventStreamAudit(run.facts).flaws()) == []


def foreseen(run: LeagueRun, link: str) -> int:
    """Return the opponent of the last entry if the round were drawn with that link of the hash chain."""
    drawn = list_formats()["swiss"].next_round(put(progress_of(run.league), chance=chance_of(run.league, link)))
    assert isinstance(drawn, NextRoundDecision)
    (table,) = (table.seating for table in drawn.tables if 8 in table.seating)
    return next(entry for entry in table if entry != 8)


@pytest.mark.slow
@pytest.mark.parametrize("published", ["secret_seal", "luck"])
def test_the_last_author_to_enter_cannot_predict_the_first_opponent_better_than_chance(published: str) -> None:
    hits = 0
    for seed in range(LEAGUES):
        run = LeagueRun(stage("swiss", rounds=1), entries=8, seed=seed)
        guess, certain = (foreseen(run, link) for link in (getattr(run.league.header, published), next_of(run)))
        run.pair()
        assert certain == met(run), "with the link itself nothing is left to luck"
        hits += guess == met(run)
    chance, sigma = LEAGUES / 7, (LEAGUES * 6 / 49) ** 0.5
    assert abs(hits - chance) < 4 * sigma


def next_of(run: LeagueRun) -> str:
    return next_link(run.secret, run.league)


def met(run: LeagueRun) -> int:
    (table,) = (table for table in list_round_tables(run, 1) if 8 in table)
    return next(entry for entry in table if entry != 8)


def test_the_pairing_checker_refuses_a_round_paired_with_a_seed_that_is_not_next_in_the_hash_chain() -> None:
    run = play_league(stage("swiss", rounds=3), entries=6)
    at = [number for number, fact in enumerate(run.facts) if isinstance(fact, RoundPaired)]
    for number in at:
        for link in (seed_of("mine").hex(), "", run.league.header.luck, "no hexadecimal"):
            facts = [replace(fact, link=link) if n == number else fact for n, fact in enumerate(run.facts)]  # type: ignore[type-var]  # every fact is a struct
            assert any("is not the next one of the hash chain" in flaw for flaw in flaws(facts))
    assert anchor_of(secret_of(1)) == run.league.header.luck
