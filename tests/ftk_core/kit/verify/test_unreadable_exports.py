"""Exports with sizes or facts that no check can read: the verifier names them, instead of ending with an error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError
from typing import Any

import pytest
from msgspec.structs import replace

from ftk_core.kit.verify.league_event_stream_verification import VerifiedLeagueEventStream
from ftk_core.kit.verify.league_export_verification import ExportVerificationReport, LeagueExportVerifier
from ftk_core.kit.verify.match_log_verification import InvalidLogError
from ftk_core.league.event_audit import league_intervention_report
from ftk_core.league.event_fields import EntrantBye, QualifiedEntrant, TableSeating
from ftk_core.league.intervention_facts import LeagueExtended, ResultOverruled
from ftk_core.league.league_facts import (
    BotEntered,
    LeagueFact,
    LeagueOpened,
    ResultRecorded,
    RoundClosed,
    RoundDrafted,
    RoundPaired,
    StageBegun,
)
from ftk_core.league.publication import league_export
from ftk_core.league.signature_facts import RoundSigned
from tests.support.auditing.exports import body_of
from tests.support.auditing.real_leagues import RealLeague
from tests.support.stages import play_league, stage


def play_real_league(**terms: int) -> RealLeague:
    """Return an honest league, played to its end."""
    run = RealLeague(**terms)
    run.finish()
    return run


def test_verification_refuses_a_league_of_impossibly_many_matches_at_a_table_at_once() -> None:
    opened, *facts = play_real_league(entries=2).facts
    assert isinstance(opened, LeagueOpened)
    stages = tuple(replace(stage, games=10**12) for stage in opened.stages)
    with pytest.raises(InvalidLogError, match="1000000000000 matches of 2 bots at a table cannot be"):
        VerifiedLeagueEventStream(body_of([replace(opened, games=10**12, stages=stages), *facts]))


MATCH: dict[str, Any] = {"round": 1, "table": 1, "game": 0, "match": "1"}
CROWD = tuple(range(20_000))
TOO_LARGE: list[tuple[LeagueFact, str]] = [
    (RoundPaired(round=1, tables=(TableSeating(1, CROWD),)), "a table of 20000 bots"),
    (RoundDrafted(round=1, tables=(TableSeating(1, CROWD),), rests=(), link=""), "a table of 20000 bots"),
    (ResultRecorded(**MATCH, seating=CROWD, places=(1, 2), scores=(0, 0)), "a table of 20000 bots"),
    (ResultRecorded(**MATCH, seating=(1, 2), places=CROWD, scores=(0, 0)), "a table of 20000 bots"),
    (ResultOverruled(**MATCH, places=CROWD), "a table of 20000 bots"),
    (RoundPaired(round=1, tables=(), rests=(EntrantBye(1, "1e9999999999", "odd"),)), "'1e9999999999' points"),
    (BotEntered(entry=1, version=1, name="late", points="1E9999999999"), "'1E9999999999' points"),
    (StageBegun(stage=1, entries=(QualifiedEntrant(1, "1e9999999999"),)), "'1e9999999999' points"),
    (LeagueExtended(rounds=10**12), "1000000000000 rounds"),
    (RoundClosed(10**12), "1000000000000 rounds"),
]


@pytest.mark.parametrize(("forged", "said"), TOO_LARGE)
def test_verification_refuses_an_event_so_large_that_its_check_would_take_all_memory_or_never_end(
    forged: LeagueFact, said: str
) -> None:
    opened = play_real_league(entries=2).facts[0]
    with pytest.raises(InvalidLogError, match=f"entry 1: {said} cannot be"):
        VerifiedLeagueEventStream(body_of([opened, forged]))


def test_verification_refuses_a_league_that_is_opened_twice() -> None:
    facts = play_real_league(entries=2).facts
    with pytest.raises(InvalidLogError, match="entry 1 opens the league again"):
        VerifiedLeagueEventStream(body_of([facts[0], *facts]))


def verify_stream(facts: Sequence[LeagueFact]) -> ExportVerificationReport:
    """Return the report on a league's events alone."""
    check = LeagueExportVerifier()
    check.take(league_export.STREAM, body_of(facts))
    return check.report(is_complete=False)


def without_tables(fact: LeagueFact) -> LeagueFact:
    return replace(fact, tables=()) if isinstance(fact, RoundPaired) else fact


def with_unknown_ratings(fact: LeagueFact) -> LeagueFact:
    return replace(fact, ratings=((99, 1500),)) if isinstance(fact, StageBegun) else fact


def with_foreign_letters(fact: LeagueFact) -> LeagueFact:
    return replace(fact, root="é") if isinstance(fact, RoundSigned) else fact


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (without_tables, "tables that nobody sits at"),
        (with_unknown_ratings, "nothing more can be checked: IndexError"),
        (with_foreign_letters, "nothing more can be checked: UnicodeEncodeError"),
    ],
)
def test_verification_reports_facts_that_cannot_be_checked_as_flaws(
    change: Callable[[LeagueFact], LeagueFact], said: str
) -> None:
    assert said in str(verify_stream(list(map(change, play_real_league().facts))).flaws)


def test_verification_without_numpy_reports_a_pairing_that_was_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(league_intervention_report, "version", missing)
    facts = play_league(stage("ladder", rounds=1), entries=4).facts
    report = verify_stream([replace(f, tables=f.tables[::-1]) if isinstance(f, RoundPaired) else f for f in facts])
    assert "round_paired" in str(report.flaws)
    assert "no numpy, no scipy, no rustworkx" in str(report.notes)
