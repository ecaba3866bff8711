"""Exports of leagues whose matches nobody played, as a rigging organiser makes them who has the server's key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from ftk_core.entries import Clock, stream_of
from ftk_core.filelog import dump
from ftk_core.kit.keys import public_pem
from ftk_core.kit.verify import Verdict
from ftk_core.kit.verify_league import LeagueCheck, Report
from ftk_core.kit.verify_stream import LeagueStream
from ftk_core.league import export
from ftk_core.league.deals import table_seed
from ftk_core.league.facts import LeagueFact, ResultRecorded
from ftk_core.league.folding import apply, fold, write
from ftk_core.league.roots import Signed, matches_of, round_of, signature_fact, signed, statement_of
from ftk_core.league.signatures import LeagueSigned, RoundSigned
from ftk_core.league.state import NOTHING, LeagueState
from ftk_core.log import GENESIS, MemoryLog

KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
PUBLIC = KEY.public_key().public_bytes_raw().hex()
Logs = Mapping[str, Verdict]
"""By match: what its log says."""
UNMAKEABLE = (LookupError, ValueError, ArithmeticError, TypeError)


def head_of(match: str) -> str:
    """Return the head of the log of a match."""
    return sha256(match.encode()).hexdigest()


def logs_of(facts: Sequence[LeagueFact], secret: bytes) -> Logs:
    """Return the logs of the matches of a league, each played as the stream says."""
    league, stream = fold(facts), LeagueStream(body_of(facts))
    results = (fact for fact in facts if isinstance(fact, ResultRecorded))
    return {result.match: log_of(league, stream, result, secret) for result in results}


def log_of(league: LeagueState, stream: LeagueStream, result: ResultRecorded, secret: bytes) -> Verdict:
    """Return the log of a match as a stream tells of it."""
    plan = stream.plan(result.round, result.table)
    assert plan
    return Verdict(
        game=league.header.game,
        players=export.players_of(league, result.seating),
        entries=2,
        pages=1,
        head=head_of(result.match),
        same_build=True,
        match=stream_of(result.match),
        clock=Clock(league.header.move_ms, league.header.bank_ms),
        options=league.header.options,
        places=() if result.ruled else result.places,
        scores=() if result.ruled else result.scores,
        excuses=() if result.ruled else result.excuses,
        seed="" if result.ruled else table_seed(secret, result.round, plan, **stream.dealt(result)).hex(),
        void="a worker died" if result.ruled else "",
        blamed=result.places.index(max(result.places)) if result.ruled == "loss" else None,
    )


def body_of(facts: Iterable[LeagueFact]) -> bytes:
    """Return the stream of a league, an entry a page."""
    log = MemoryLog()
    for fact in facts:
        log.append([write(fact)], log.length)
    return b"".join(dump(log.pages()))


def sign_again(facts: Iterable[LeagueFact]) -> list[LeagueFact]:
    """Return the facts with each signature made anew, over the stream before it and the matches that it names."""
    league, log, head, done = NOTHING, MemoryLog(), GENESIS, list[LeagueFact]()
    for fact in facts:
        one = _signature(league, fact, head.hex()) if is_signature(fact) else fact
        head = log.append([write(one)], log.length).head
        league = apply(league, one)
        done.append(one)
    return done


def is_signature(fact: LeagueFact) -> bool:
    """Tell whether a fact is a signature."""
    return isinstance(fact, RoundSigned | LeagueSigned)


def _signature(league: LeagueState, fact: LeagueFact, after: str) -> Signed:
    assert isinstance(fact, RoundSigned | LeagueSigned)
    scope = round_of(fact)
    heads = {match: head_of(match) for match in matches_of(league, scope)}
    signature = KEY.sign(signed(league.header.slug, scope, heads, after)).hex()
    return signature_fact(scope, heads, after, PUBLIC, signature)


def sign_words(league: LeagueState, fact: Signed) -> Signed:
    """Return a signature over whatever the fact says."""
    return replace(fact, signature=KEY.sign(statement_of(league.header.slug, fact)).hex())


def report_on(facts: Sequence[LeagueFact], logs: Logs) -> Report:
    """Return the report on a league's export, all small files of which follow from the stream and the logs."""
    check = LeagueCheck()
    body = body_of(facts)
    for name, content in _small(facts, body).items():
        check.take(name, content)
    for match in sorted(logs):
        if any(isinstance(fact, ResultRecorded) and fact.match == match for fact in facts):
            check.take_verdict(export.match_file(match), logs[match])
    return check.report()


def _small(facts: Sequence[LeagueFact], body: bytes) -> dict[str, bytes]:
    files = {export.README: export.README_TEXT, export.KEY: public_pem(PUBLIC), export.STREAM: body}
    try:
        league = fold(facts)
        heads = {match: head_of(match) for match in matches_of(league, None)}
        files |= {export.RESULTS: export.results_file(league), export.ROOTS: export.roots_file(league, heads)}
    except UNMAKEABLE:
        files |= {export.RESULTS: b"", export.ROOTS: b""}  # no server could write them
    return files
