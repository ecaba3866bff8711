"""Luck that nobody foresees, and that everybody can check."""

from __future__ import annotations

from dataclasses import replace as put
from hashlib import sha256

import pytest
from msgspec.structs import replace

from ftk_core.league.checking import flaws
from ftk_core.league.facts import RoundPaired
from ftk_core.league.formats import formats
from ftk_core.league.luck import LINKS, anchor, chance_of, next_link
from ftk_core.league.progress import Round, progress_of
from ftk_core.league.state import NotNow
from ftk_core.rng import seed_of
from tests.support.stages import Run, played, secret_of, stage, tables

LEAGUES = 300


def test_each_link_is_what_the_one_before_is_the_hash_of() -> None:
    run = played(stage("swiss", rounds=5), entries=6)
    links = [run.league.header.luck, *run.league.links]
    assert len(links) == 6
    assert [sha256(bytes.fromhex(link)).hexdigest() for link in links[1:]] == links[:-1]


def test_a_chain_comes_to_an_end_and_says_so() -> None:
    run = Run(stage("swiss", rounds=1), entries=4)
    with pytest.raises(NotNow, match=f"used up its luck: {LINKS} rounds were drafted"):
        next_link(run.secret, replace(run.league, links=("",) * LINKS))


def foreseen(run: Run, link: str) -> int:
    """Return whom the last entry would meet if the round were drawn with that link, or whatever is published of it."""
    drawn = formats()["swiss"].next_round(put(progress_of(run.league), chance=chance_of(run.league, link)))
    assert isinstance(drawn, Round)
    (table,) = (table.seating for table in drawn.tables if 8 in table.seating)
    return next(entry for entry in table if entry != 8)


@pytest.mark.parametrize("published", ["secret_seal", "luck"])
def test_who_enters_last_foresees_his_opponent_no_better_than_chance(published: str) -> None:
    hits = 0
    for seed in range(LEAGUES):
        run = Run(stage("swiss", rounds=1), entries=8, seed=seed)
        guess, certain = (foreseen(run, link) for link in (getattr(run.league.header, published), next_of(run)))
        run.pair()
        assert certain == met(run), "with the link itself nothing is left to luck"
        hits += guess == met(run)
    chance, sigma = LEAGUES / 7, (LEAGUES * 6 / 49) ** 0.5
    assert abs(hits - chance) < 4 * sigma


def next_of(run: Run) -> str:
    return next_link(run.secret, run.league)


def met(run: Run) -> int:
    (table,) = (table for table in tables(run, 1) if 8 in table)
    return next(entry for entry in table if entry != 8)


def test_a_round_with_other_luck_than_the_next_link_is_refused() -> None:
    run = played(stage("swiss", rounds=3), entries=6)
    at = [number for number, fact in enumerate(run.facts) if isinstance(fact, RoundPaired)]
    for number in at:
        for link in (seed_of("mine").hex(), "", run.league.header.luck, "no hexadecimal"):
            facts = [replace(fact, link=link) if n == number else fact for n, fact in enumerate(run.facts)]  # type: ignore[type-var]  # every fact is a struct
            assert any("is not the next one of the chain of luck" in flaw for flaw in flaws(facts))
    assert anchor(secret_of(1)) == run.league.header.luck
