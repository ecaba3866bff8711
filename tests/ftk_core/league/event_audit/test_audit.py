"""Honest leagues of every format pass the audit with every organiser command and every kind of fact."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import get_args

import pytest
from msgspec.structs import replace

from ftk_core.kit.verify.league_event_stream_verification import VerifiedLeagueEventStream
from ftk_core.league.event_audit import LeagueEventStreamAudit, list_backward_times
from ftk_core.league.event_audit.intervention_kinds import INTERVENTION_KINDS
from ftk_core.league.intervention_facts import AnnouncementMade, LeagueEndedEarly, StageEndedEarly
from ftk_core.league.league_facts import Act, LeagueFact
from tests.support.auditing import rigging
from tests.support.auditing.exports import body_of, logs_of, report_on, sign_again
from tests.support.auditing.league_wide import CANCELLED, KINDS, play_league_of_kind
from tests.support.auditing.leagues import BusyLeague, play_busy_league
from tests.support.lengths import short_or_long

LEAGUES = short_or_long(3, 182)
"""Number of leagues of each format: 33 in all in the short form, else 2,002."""


@pytest.mark.parametrize("name", KINDS)
def test_permitted_actions_of_an_organiser_never_make_the_audit_of_a_league_fail(name: str) -> None:
    for seed in range(LEAGUES):
        run = play_league_of_kind(name, seed)
        if not run.league.closed:
            assert list(LeagueEventStreamAudit(run.facts).flaws()) == [], seed
        else:  # the report on an export contains the flaws of the audit
            facts = sign_again(run.facts)
            report = report_on(facts, logs_of(facts, run.secret))
            assert (report.flaws, report.notes) == ((), ()), seed


def test_the_leagues_generated_for_the_audit_tests_contain_every_kind_of_league_event() -> None:
    # tests of test_leagues_end cover these two
    wanted = set(get_args(LeagueFact)) - {StageEndedEarly, LeagueEndedEarly}
    seen = {type(fact) for fact in play_league_of_kind(CANCELLED, 1).facts}
    for seed in range(30):
        if wanted <= seen:
            break
        seen |= {type(fact) for fact in play_busy_league("swiss", seed, held=seed % 2 == 0).facts}
    assert wanted <= seen, wanted - seen


def test_the_audit_report_has_a_heading_for_every_kind_of_organiser_action_except_announcements() -> None:
    assert set(INTERVENTION_KINDS) == set(get_args(Act))
    assert {act for act, record in INTERVENTION_KINDS.items() if not record.heading} == {AnnouncementMade}


def test_the_audit_refuses_a_league_of_a_newer_version_of_the_league_rules() -> None:
    first, *others = play_busy_league("ladder", 1).facts
    later = [replace(first, rules=99), *others]  # type: ignore[call-arg]  # it is the opening
    assert "announces league rules 99; install" in next(LeagueEventStreamAudit(later).flaws())


def test_the_audit_of_a_league_by_an_older_release_lists_the_checks_it_skips() -> None:
    first, *others = play_busy_league("ladder", 1).facts
    stream = VerifiedLeagueEventStream(body_of([replace(first, rules=0), *others]))  # type: ignore[call-arg]  # it is the opening
    assert any("was announced before rounds could be reproduced" in note for note in stream.notes())


def test_the_audit_reports_event_times_that_run_backwards() -> None:
    run = play_busy_league("ladder", 1)
    assert list(list_backward_times(run.facts)) == []
    assert list(list_backward_times([*run.facts, run.facts[0]])) != []


def play_swiss_league() -> BusyLeague:
    return play_busy_league("swiss", 1, held=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "play", [play_swiss_league, rigging.round_robin_cut_short, rigging.worst_of_the_groups_qualify]
)
def test_without_numpy_the_audit_reports_that_pairings_ends_of_stages_and_qualified_bots_were_not_checked(
    play: Callable[[], BusyLeague],
) -> None:
    without = """
import sys
for name in ("numpy", "scipy", "rustworkx"):
    sys.modules[name] = None
from ftk_core.kit.verify.league_event_stream_verification import VerifiedLeagueEventStream
stream = VerifiedLeagueEventStream(sys.stdin.buffer.read())
print([flaw for flaw in stream.flaws() if "signed" not in flaw], *stream.skipped_checks())
"""
    run = play()
    if not run.league.closed:
        run.finish()
    answer = subprocess.run([sys.executable, "-c", without], input=body_of(run.facts), capture_output=True, check=True)
    assert answer.stdout.startswith(
        b"[] rounds were NOT drawn again, and ends of stages, qualified bots and entries after the deadline were"
    )
