"""Honest leagues of every format are accepted, whatever is done to them, and no kind of fact is left out."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import get_args

import pytest
from msgspec.structs import replace

from ftk_core.kit.verify_stream import LeagueStream
from ftk_core.league.acts import AnnouncementMade, LeagueEnded, StageCut
from ftk_core.league.audit import Audit, list_backward_times
from ftk_core.league.audit.acts import COMMANDS
from ftk_core.league.audit.listing import KINDS
from ftk_core.league.facts import Act, LeagueFact, RoundDrafted
from tests.support.auditing.exports import body_of, logs_of, report_on, sign_again
from tests.support.auditing.leagues import FORMATS, busy_league
from tests.support.auditing.rigging import drafted_until_it_pleases
from tests.support.lengths import either

LEAGUES = either(3, 182)
"""Of each format: 33 in all, or 2,002."""


def kinds_of(facts: list[LeagueFact]) -> Counter[type]:
    return Counter(type(fact) for fact in facts)


@pytest.mark.parametrize("name", FORMATS)
def test_an_honest_league_is_accepted_whatever_is_done_to_it(name: str) -> None:
    for seed in range(LEAGUES):
        run = busy_league(name, seed)
        assert list(Audit(run.facts).flaws()) == [], seed
        if run.league.closed:
            facts = sign_again(run.facts)
            report = report_on(facts, logs_of(facts, run.secret))
            assert (report.flaws, report.notes) == ((), ()), seed


def test_honest_leagues_hold_every_kind_of_fact() -> None:
    seen = sum((kinds_of(busy_league("swiss", seed, held=seed % 2 == 0).facts) for seed in range(30)), Counter[type]())
    wanted = set(get_args(LeagueFact)) - {StageCut, LeagueEnded}  # of these see test_leagues_end
    assert wanted <= set(seen), wanted - set(seen)


def test_each_act_has_a_command_that_is_run_again_and_is_listed() -> None:
    assert set(COMMANDS) == set(get_args(Act))
    assert set(KINDS) == set(get_args(Act)) - {AnnouncementMade}


def test_a_draft_has_the_link_of_its_round_and_luck_of_its_own() -> None:
    facts = drafted_until_it_pleases().facts
    drafts = [fact for fact in facts if isinstance(fact, RoundDrafted)]
    assert len({draft.link for draft in drafts}) == 1
    assert [draft.draft for draft in drafts] == list(range(len(drafts)))
    assert len({draft.tables for draft in drafts}) > 1


def test_a_league_of_later_rules_is_not_waved_through() -> None:
    first, *others = busy_league("ladder", 1).facts
    later = [replace(first, rules=99), *others]  # type: ignore[call-arg]  # it is the opening
    assert "announces league rules 99; install" in next(Audit(later).flaws())


def test_a_league_from_before_says_what_is_not_looked_at() -> None:
    first, *others = busy_league("ladder", 1).facts
    stream = LeagueStream(body_of([replace(first, rules=0), *others]))  # type: ignore[call-arg]  # it is the opening
    assert any("was announced before rounds could be drawn again" in note for note in stream.notes())


def test_times_that_run_backwards_are_told() -> None:
    run = busy_league("ladder", 1)
    assert list(list_backward_times(run.facts)) == []
    assert list(list_backward_times([*run.facts, run.facts[0]])) != []


def test_who_has_no_numpy_is_told_that_rounds_were_not_drawn_again() -> None:
    without = """
import sys
for name in ("numpy", "scipy", "rustworkx"):
    sys.modules[name] = None
from ftk_core.kit.verify_stream import LeagueStream
stream = LeagueStream(sys.stdin.buffer.read())
print([flaw for flaw in stream.flaws() if "signed" not in flaw], *stream.notes())
"""
    body = body_of(busy_league("swiss", 1, held=True).facts)
    answer = subprocess.run([sys.executable, "-c", without], input=body, capture_output=True, check=True)
    assert answer.stdout.startswith(b"[] rounds were NOT drawn again, which needs numpy, rustworkx and scipy")
