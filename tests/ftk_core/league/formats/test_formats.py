"""What is true of every format, whatever is done to a league: it ends, its rounds are lawful, it folds to the same."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ftk_core.league.audit import Audit
from ftk_core.league.checking import flaws
from ftk_core.league.commands import planned
from ftk_core.league.folding import fold, read, write
from ftk_core.league.formats import formats
from ftk_core.league.plans import Stage
from ftk_core.league.standings import standings
from ftk_core.league.state import NotNow
from tests.support.stages import Run, played, stage

FORMATS = sorted(formats())


def stages() -> st.SearchStrategy[Stage]:
    rounds = {name: st.integers(1, 4) if module.counted else st.just(0) for name, module in formats().items()}
    return st.sampled_from(FORMATS).flatmap(
        lambda name: st.builds(
            stage,
            st.just(name),
            seats=st.integers(2, 5),
            rounds=rounds[name],
            games=st.integers(1, 3),
            scored=st.sampled_from(["matches", "blocks"]),
            groups=st.integers(1, 2),
            worth=st.sampled_from(["places", "wins", "shared"]),
            rest=st.sampled_from(["win", "half", "none"]),
            absence=st.sampled_from(["half", "none"]),
            carry=st.sampled_from(["none", "half", "all"]),
            qualify=st.sampled_from([0, 4, 6]),
        )
    )


@pytest.mark.slow
@given(
    chosen=st.lists(stages(), min_size=1, max_size=3),
    entries=st.integers(6, 17),
    seed=st.integers(0, 10**6),
    acts=st.sampled_from([0.0, 0.5]),
    held=st.booleans(),
    granted=st.sampled_from(["none", "half", "mean"]),
)
@settings(deadline=None, max_examples=150)
def test_a_league_of_any_stages_ends_or_says_what_it_waits_for_and_is_lawful_up_to_there(
    chosen: list[Stage], entries: int, seed: int, acts: float, held: bool, granted: str
) -> None:
    run = Run(*chosen, entries=entries, seed=seed, held=held, authors=4, late=2, granted=granted)
    with suppress(NotNow):
        run.finish(acts)
    assert list(Audit(run.facts).flaws()) == []
    assert list(flaws(run.facts, certificates_alone=True)) == []
    assert fold(read(write(fact)) for fact in run.facts) == run.league
    cut = Random(seed).randrange(len(run.facts))
    assert fold(run.facts[cut:], fold(run.facts[:cut])) == run.league
    assert sorted(row.entry for row in standings(run.league)) == list(range(1, len(run.league.entrants) + 1))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("entries", [2, 5, 8, 13])
def test_a_league_has_the_rounds_that_were_planned(name: str, entries: int) -> None:
    one = stage(name, rounds=3 if formats()[name].counted else 0)
    run = Run(one, entries=entries)
    foreseen = planned(run.league)
    run.finish()
    assert len(run.league.rounds) == foreseen == planned(run.league)


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_that_cannot_pair_says_so_in_a_sentence_and_nothing_is_done(name: str) -> None:
    run = Run(stage(name, seats=4, least=4, rounds=2), entries=3)
    before = list(run.facts)
    with pytest.raises(NotNow, match="needs 4 entries or more"):
        run.pair()
    assert run.facts == before


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_league_is_paired_the_same_and_with_another_secret_otherwise(name: str) -> None:
    one = stage(name, seats=4, rounds=2)
    same, again, other = (played(one, entries=12, seed=seed) for seed in (1, 1, 2))
    assert same.league.rounds == again.league.rounds
    assert [paired.tables for paired in same.league.rounds] != [paired.tables for paired in other.league.rounds]
