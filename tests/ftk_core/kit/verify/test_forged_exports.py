"""Exports with real match logs that an organiser with the server's key forged: the verifier names each forgery."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from ftk_core.facts import encode
from ftk_core.games.pig.rules import TurnBanked
from ftk_core.kit.verify.league_event_stream_verification import VerifiedLeagueEventStream
from ftk_core.kit.verify.league_export_verification import verify_export
from ftk_core.kit.verify.match_log_verification import InvalidLogError, verify_lines
from ftk_core.kit.verify.public_keys import public_pem
from ftk_core.league import organiser_command_handlers
from ftk_core.league.league_command_handlers import record
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_facts import LeagueFact, LeagueOpened, ResultRecorded
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.league_state_from_events import encode_fact
from ftk_core.league.match_result_command_handlers import overrule_result
from ftk_core.league.match_seating_and_random_seeds import derive_match_id
from ftk_core.league.signature_facts import RoundSigned
from ftk_core.league.voided_match_rules import replay_match, rule_on_match
from ftk_core.log_entries import (
    ChoiceMade,
    GameFactRecorded,
    MatchAbandoned,
    MatchOpened,
    is_choice_line,
    read,
    write,
)
from ftk_core.match_log_file import dump_pages
from ftk_core.random_streams import seal_of
from tests.support.auditing.exports import PUBLIC, body_of
from tests.support.auditing.real_leagues import Lines, RealLeague, log_with_lines

"""Id of the match that is played again and given up."""


def change_choices(lines: Lines, change: Callable[[ChoiceMade], ChoiceMade]) -> Lines:
    """Return the lines of a log with changed choices."""
    entries = (read(line) if is_choice_line(line) else None for line in lines)
    return [
        write(change(one)) if isinstance(one, ChoiceMade) else line for one, line in zip(entries, lines, strict=True)
    ]


def given_up(blamed: int, cut: Callable[[Lines], Lines] = lambda lines: lines) -> RealLeague:
    """Return a league whose first match was given up twice, so that the blamed seat loses it by rule."""
    run = RealLeague(ruling="loss", tries=1)
    run.pair()
    first, *others = run.results()
    key = (first.round, first.table, first.game)
    match = derive_match_id(run.league, key, 1)
    again = replay_match(run.league, key, first.match, match, LeagueActor(by="", at=run.at, why="a worker died"))
    run.append(again)
    run.play_match(1, first.table - 1, first.game, match, again.deal)
    lines, whole = [], run.logs.pop(match)
    for line in whole:  # keep the log up to the first choice of seat 1, which must answer next
        if is_choice_line(line) and getattr(read(line), "seat", 0) == 1:
            break
        lines.append(line)
    lines = cut(lines)
    run.logs[match] = [*lines, write(MatchAbandoned(len(lines), "a worker died", blamed))]
    del run.logs[first.match]
    run.append(*record(run.league, rule_on_match(run.league, key, match, blamed), *others))
    run.finish()
    return run


def played(**terms: object) -> RealLeague:
    """Return an honest league, played to its end."""
    run = RealLeague(**terms)  # type: ignore[arg-type]  # terms of many types
    run.finish()
    return run


def test_the_verification_of_an_unmanipulated_export_with_real_logs_reports_nothing(tmp_path: Path) -> None:
    report = played().verify(tmp_path)
    assert (report.flaws, report.notes, report.acts, report.skipped) == ((), (), (), ())


def test_the_verification_accepts_and_lists_an_unmanipulated_match_that_was_given_up_twice(tmp_path: Path) -> None:
    report = given_up(blamed=1).verify(tmp_path)
    assert (report.flaws, report.notes) == ((), ())
    assert "was given up too often" in " ".join(report.acts)


def test_verification_reports_a_result_whose_path_names_the_log_of_another_match(tmp_path: Path) -> None:
    run = played()
    at, last = max((seq, fact) for seq, fact in enumerate(run.facts) if isinstance(fact, ResultRecorded))
    donor = next(fact for fact in run.facts if isinstance(fact, ResultRecorded) and fact.match != last.match)
    forged = replace(last, match=f"x/{donor.match}", places=last.places[::-1], scores=(7777, 1234))
    run.logs = {match: lines for match, lines in run.logs.items() if match != last.match}
    run.logs[forged.match] = run.logs[donor.match]
    flaws = str(run.verify(tmp_path, [*run.facts[:at], forged, *run.facts[at + 1 :]]).flaws)
    assert f"its match is match/{donor.match}" in flaws
    assert "(7777, 1234)" in flaws


def test_the_given_key_may_have_the_line_ends_of_windows(tmp_path: Path) -> None:
    played().verify(tmp_path)
    same, other = (public_pem(key).replace(b"\n", b"\r\n") for key in (PUBLIC, "11" * 32))
    assert verify_export(tmp_path, same).flaws == ()
    assert "not by the one given" in str(verify_export(tmp_path, other).flaws)


def open_with_another_seed(lines: Lines) -> Lines:
    opened = read(lines[0])
    assert isinstance(opened, MatchOpened)
    return [write(replace(opened, seal=seal_of(b"another seed")))]


def win_at_once(lines: Lines) -> Lines:
    return [lines[0], write(GameFactRecorded(1, msgspec.Raw(encode(TurnBanked(0, 100)))))]


@pytest.mark.parametrize(
    ("blamed", "cut", "flaw"),
    [
        (0, lambda lines: lines, "a seat whose answer was due"),
        (1, lambda lines: [lines[0], *lines[2:]], "the number 1"),
        (0, open_with_another_seed, "it does not follow from the seed of its table"),
        (
            1,
            lambda lines: [*open_with_another_seed(lines), *lines[1:]],
            "it does not follow from the seed of its table",
        ),
        (0, win_at_once, "it does not follow from the seed of its table"),
        (1, lambda lines: change_choices(lines, lambda one: replace(one, bank_ms=one.bank_ms + 1)), "ms left"),
    ],
)
def test_verification_reports_a_wrong_seat_log_entry_seed_event_or_remaining_time_in_an_abandoned_match(
    tmp_path: Path, blamed: int, cut: Callable[[Lines], Lines], flaw: str
) -> None:
    assert flaw in str(given_up(blamed, cut).verify(tmp_path).flaws)


@pytest.mark.parametrize(
    ("change", "flaw"),
    [
        (lambda one: replace(one, excuse="timeout"), "the first action of the menu"),
        (lambda one: replace(one, bank_ms=one.bank_ms + 1), "ms left"),
        (lambda one: replace(one, charged_us=3_600_000_000), "ms left"),
    ],
)
@pytest.mark.parametrize("thorough", [False, True])
def test_verification_refuses_a_log_with_invented_timeouts_or_wrong_remaining_times(
    change: Callable[[ChoiceMade], ChoiceMade], flaw: str, thorough: bool
) -> None:
    run = RealLeague()
    run.pair()
    run.results()
    log = log_with_lines(change_choices(next(iter(run.logs.values())), change))
    with pytest.raises(InvalidLogError, match=flaw):
        verify_lines(b"".join(dump_pages(log.pages())).splitlines(keepends=True), thorough=thorough)


def change_line(facts: Sequence[LeagueFact], old: bytes, new: bytes) -> str:
    """Return the flaws of a league's stream in which some bytes are replaced."""
    log = log_with_lines([encode_fact(fact).replace(old, new, 1) for fact in facts])
    return str(list(VerifiedLeagueEventStream(b"".join(dump_pages(log.pages()))).flaws()))


@pytest.mark.parametrize(
    ("old", "new", "flaw"),
    [
        (b'"places":', b'"note":"by eve","places":', "it has the unknown field note"),
        (b'"places":', b'"places":[2,1],"places":', "its bytes are not canonical JSON"),
        (b'"scores":', b'"scores": ', "its bytes are not canonical JSON"),
        (b'"tables":[{', b'"tables":[{"by":"eve",', "it has the unknown field tables.0.by"),
    ],
)
def test_verification_reports_league_events_with_unknown_fields_or_non_canonical_json(
    old: bytes, new: bytes, flaw: str
) -> None:
    facts = played(entries=2).facts
    assert "canonical" not in change_line(facts, b"nothing", b"")
    assert flaw in change_line(facts, old, new)


def test_verification_reports_a_missing_hash_chain_of_seeds_and_a_negative_retry_limit_of_a_league() -> None:
    opened, *facts = played(entries=2).facts
    assert isinstance(opened, LeagueOpened)
    for change, flaw in (({"luck": ""}, "announces no hash chain"), ({"tries": -1}, "announces tries -1")):
        body = body_of([replace(opened, **change), *facts])
        assert flaw in str(list(VerifiedLeagueEventStream(body).flaws()))


def test_verification_notes_that_a_round_was_signed_only_at_the_end_of_the_league(tmp_path: Path) -> None:
    run = played()
    signed = [fact for fact in run.facts if isinstance(fact, RoundSigned)]
    others = [fact for fact in run.facts if not isinstance(fact, RoundSigned)]
    assert "round 1 was signed only" in str(run.verify(tmp_path, [*others[:-1], *signed, others[-1]]).notes)


def test_verification_reports_that_an_author_overruled_the_result_of_a_match_of_their_own_bot(tmp_path: Path) -> None:
    run = RealLeague()
    run.pair()
    run.append(*record(run.league, *run.results()))
    match = next(fact for fact in run.facts if isinstance(fact, ResultRecorded))
    author = run.league.entrant(match.seating[0]).author
    actor = LeagueActor(by=author, at=run.at, why="it is right")
    key = (match.round, match.table, match.game)
    run.append(overrule_result(run.league, key, (1, 1), actor))
    run.finish()
    assert "an author of bot" in " ".join(run.verify(tmp_path).acts)


def test_an_entry_is_updated_only_to_a_newer_version_of_the_same_bot() -> None:
    run = RealLeague(entries=2)
    run.append(replace(run.facts[-1], entry=3, version=30, name="late-3", author="eve", newest=True))  # type: ignore[call-arg]  # it is an entry
    for name in ("other-4", "late-2"):
        with pytest.raises(CommandRejected, match=f"{name} is no newer version of late-3"):
            organiser_command_handlers.renew_version(run.league, 3, 31, name, run.at)
    assert organiser_command_handlers.renew_version(run.league, 3, 31, "late-10", run.at).name == "late-10"
