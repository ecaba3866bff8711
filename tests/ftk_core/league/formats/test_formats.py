"""Laws of every format: a league ends, its rounds are lawful, and it folds to the same state."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from ftk_core.league.event_audit import LeagueEventStreamAudit
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.formats import list_formats
from ftk_core.league.league_command_handlers import planned_rounds
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.league_state_from_events import decode_fact, encode_fact, fold_facts
from ftk_core.league.pairing_checks import flaws
from ftk_core.league.standings import standings
from tests.support.stages import LeagueRun, play_league, stage

FORMATS = sorted(list_formats())


def stages() -> st.SearchStrategy[StageSettings]:
    rounds = {name: st.integers(1, 4) if module.counted else st.just(0) for name, module in list_formats().items()}
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


@pytest.mark.nightly
@given(
    chosen=st.lists(stages(), min_size=1, max_size=3),
    entries=st.integers(6, 17),
    seed=st.integers(0, 10**6),
    acts=st.sampled_from([0.0, 0.5]),
    held=st.booleans(),
    granted=st.sampled_from(["none", "half", "mean"]),
)
@settings(deadline=None, max_examples=150)
def test_all_rounds_of_a_league_with_any_combination_of_stages_follow_the_pairing_rules(
    chosen: list[StageSettings], entries: int, seed: int, acts: float, held: bool, granted: str
) -> None:
    run = LeagueRun(*chosen, entries=entries, seed=seed, held=held, authors=4, late=2, granted=granted)
    with suppress(CommandRejected):
        run.finish(acts)
    assert list(LeagueEventStreamAudit(run.facts).flaws()) == []
    assert list(flaws(run.facts, certificates_alone=True)) == []
    assert fold_facts(decode_fact(encode_fact(fact)) for fact in run.facts) == run.league
    cut = Random(seed).randrange(len(run.facts))
    assert fold_facts(run.facts[cut:], fold_facts(run.facts[:cut])) == run.league
    assert sorted(row.entry for row in standings(run.league)) == list(range(1, len(run.league.entrants) + 1))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("entries", [2, 5, 8, 13])
def test_a_league_has_the_planned_number_of_rounds(name: str, entries: int) -> None:
    one = stage(name, rounds=3 if list_formats()[name].counted else 0)
    run = LeagueRun(one, entries=entries)
    foreseen = planned_rounds(run.league)
    run.finish()
    assert len(run.league.rounds) == foreseen == planned_rounds(run.league)


@pytest.mark.parametrize("name", FORMATS)
def test_a_round_that_a_format_cannot_pair_is_refused_with_the_reason_and_records_no_event(name: str) -> None:
    run = LeagueRun(stage(name, seats=4, least=4, rounds=2), entries=3)
    before = list(run.facts)
    with pytest.raises(CommandRejected, match="needs 4 entries or more"):
        run.pair()
    assert run.facts == before


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_league_secret_gives_the_same_pairings_and_another_secret_gives_different_pairings(name: str) -> None:
    one = stage(name, seats=4, rounds=2)
    same, again, other = (play_league(one, entries=12, seed=seed) for seed in (1, 1, 2))
    assert same.league.rounds == again.league.rounds
    assert [paired.tables for paired in same.league.rounds] != [paired.tables for paired in other.league.rounds]
