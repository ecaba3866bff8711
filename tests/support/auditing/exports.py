"""Exports of leagues whose matches were never played, as an organiser with the server's key could forge them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from ftk_core.hash_chained_log import GENESIS, InMemoryLog
from ftk_core.kit.verify.league_event_stream_verification import VerifiedLeagueEventStream
from ftk_core.kit.verify.league_export_verification import ExportVerificationReport, LeagueExportVerifier
from ftk_core.kit.verify.match_log_verification import VerifiedMatchLog
from ftk_core.kit.verify.public_keys import public_pem
from ftk_core.league.league_facts import LeagueFact, ResultRecorded
from ftk_core.league.league_state import EMPTY_LEAGUE, LeagueState
from ftk_core.league.league_state_from_events import apply_fact, encode_fact, fold_facts
from ftk_core.league.match_seating_and_random_seeds import table_seed
from ftk_core.league.publication import league_export
from ftk_core.league.publication.signed_merkle_roots import (
    SignatureFact,
    matches_of,
    round_of,
    signature_fact,
    statement_of,
    statement_over_matches,
)
from ftk_core.league.signature_facts import LeagueSigned, RoundSigned
from ftk_core.log_entries import TimeControl, stream_of
from ftk_core.match_log_file import dump_pages

KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
PUBLIC = KEY.public_key().public_bytes_raw().hex()
Logs = Mapping[str, VerifiedMatchLog]
"""Contents of the matches' logs after their verification, by match id."""
UNMAKEABLE = (LookupError, ValueError, ArithmeticError, TypeError)
"""Exceptions that show that facts cannot be folded, so that no server could write an export of them."""


def head_of(match: str) -> str:
    """Return an invented head of a match's log: a hash of the match's id."""
    return sha256(match.encode()).hexdigest()


def logs_of(facts: Sequence[LeagueFact], secret: bytes) -> Logs:
    """Return logs of a league's matches that agree with the facts."""
    league, stream = fold_facts(facts), VerifiedLeagueEventStream(body_of(facts))
    results = (fact for fact in facts if isinstance(fact, ResultRecorded))
    return {result.match: log_of(league, stream, result, secret) for result in results}


def log_of(
    league: LeagueState, stream: VerifiedLeagueEventStream, result: ResultRecorded, secret: bytes
) -> VerifiedMatchLog:
    """Return a log of a match that agrees with its result and with the league's stream."""
    plan = stream.plan(result.round, result.table)
    assert plan
    return VerifiedMatchLog(
        game=league.header.game,
        players=league_export.players_of(league, result.seating),
        entries=2,
        pages=1,
        head=head_of(result.match),
        same_build=True,
        match=stream_of(result.match),
        clock=TimeControl(league.header.move_ms, league.header.bank_ms),
        options=league.header.options,
        places=() if result.ruled else result.places,
        scores=() if result.ruled else result.scores,
        excuses=() if result.ruled else result.excuses,
        seed="" if result.ruled else table_seed(secret, result.round, plan, **stream.seed_arguments(result)).hex(),
        void="a worker died" if result.ruled else "",
        blamed=result.places.index(max(result.places)) if result.ruled == "loss" else None,
    )


def body_of(facts: Iterable[LeagueFact]) -> bytes:
    """Return the file of a league's stream, with one page for each fact."""
    log = InMemoryLog()
    for fact in facts:
        log.append([encode_fact(fact)], log.length)
    return b"".join(dump_pages(log.pages()))


def sign_again(facts: Iterable[LeagueFact], heads: Mapping[str, str] | None = None) -> list[LeagueFact]:
    """Return the facts with each signature renewed, over the stream before it and the matches that it names.

    `heads` has the head of each match's log by match id; by default they are invented.
    """
    league, log, head, done = EMPTY_LEAGUE, InMemoryLog(), GENESIS, list[LeagueFact]()
    for fact in facts:
        one = _signature(league, fact, head.hex(), heads) if is_signature(fact) else fact
        head = log.append([encode_fact(one)], log.length).head
        league = apply_fact(league, one)
        done.append(one)
    return done


def is_signature(fact: LeagueFact) -> bool:
    """Return True if a fact is a signature."""
    return isinstance(fact, RoundSigned | LeagueSigned)


def _signature(league: LeagueState, fact: LeagueFact, after: str, known: Mapping[str, str] | None) -> SignatureFact:
    assert isinstance(fact, RoundSigned | LeagueSigned)
    scope = round_of(fact)
    heads = {match: known[match] if known else head_of(match) for match in matches_of(league, scope)}
    signature = KEY.sign(statement_over_matches(league.header.slug, scope, heads, after)).hex()
    return signature_fact(scope, heads, after, PUBLIC, signature)


def sign_words(league: LeagueState, fact: SignatureFact) -> SignatureFact:
    """Return the fact with a valid signature over its present contents."""
    return replace(fact, signature=KEY.sign(statement_of(league.header.slug, fact)).hex())


def report_on(facts: Sequence[LeagueFact], logs: Logs) -> ExportVerificationReport:
    """Return the verifier's report on the export of a league; its other files are derived from the facts and logs."""
    check = LeagueExportVerifier()
    body = body_of(facts)
    for name, content in _small(facts, body).items():
        check.take(name, content)
    for match in sorted(logs):
        if any(isinstance(fact, ResultRecorded) and fact.match == match for fact in facts):
            check.check_match_log(league_export.match_file_name(match), logs[match])
    return check.report()


def _small(facts: Sequence[LeagueFact], body: bytes) -> dict[str, bytes]:
    files = {
        league_export.README: league_export.README_TEXT,
        league_export.KEY: public_pem(PUBLIC),
        league_export.STREAM: body,
    }
    try:
        league = fold_facts(facts)
        heads = {match: head_of(match) for match in matches_of(league, None)}
        files |= {
            league_export.RESULTS: league_export.build_results_file(league),
            league_export.ROOTS: league_export.build_roots_file(league, heads),
        }
    except UNMAKEABLE:
        files |= {league_export.RESULTS: b"", league_export.ROOTS: b""}  # no server could write them
    return files
