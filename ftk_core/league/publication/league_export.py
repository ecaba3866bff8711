"""Export files of a league that can be rebuilt byte for byte from its events and match logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ftk_core.league.league_facts import ResultRecorded
from ftk_core.league.league_state import LeagueState
from ftk_core.league.publication.signed_merkle_roots import SignatureFact, matches_of, round_of, statement_of
from ftk_core.league.scoring.tiebreaks import tiebreaks_of
from ftk_core.league.standings import EntrantStanding, standings

STREAM, RESULTS, ROOTS, KEY, README = "tournament.jsonl", "results.json", "roots.json", "key.pem", "README.txt"
DERIVED_FILES = (README, KEY, STREAM, RESULTS, ROOTS)
"""Files that precede the match logs in an export, in this order."""
README_TEXT = b"""\
A league: its stream in tournament.jsonl, its matches in matches/, what follows in results.json and roots.json.
Check all of it with `ftk verify` (ftk-arena, its extra `verify`) on this folder or on the tar; no server is asked.
key.pem must be what the server publishes at /.well-known/ftk-signing-key: `ftk verify --key` compares them.
"""
FORMAT = 2
"""Version of the file format. Old exports must verify for ever.

Version 2 adds to each line of the standings `decided`, the criterion that separates it from the previous line. Leagues
that announced no tie-breaks are still exported in version 1.
"""

StandingLine = Mapping[str, int | str]
"""Line of the standings: place, entry, name, points, tie-breaks by slug, matches and byes; fractions as text."""


class ExportedMatch(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a match in ``results.json``."""

    match: str
    round: int
    table: int
    game: int
    players: tuple[str, ...]
    """Names of the players by seat."""
    places: tuple[int, ...]
    scores: tuple[int, ...]


class LeagueResultsDocument(msgspec.Struct, frozen=True, kw_only=True):
    """Contents of ``results.json``: standings and match results of a league."""

    format: int
    league: str
    name: str
    game: str
    standings: tuple[StandingLine, ...]
    """Lines of the standings from first to last."""
    matches: tuple[ExportedMatch, ...]


class SignedMerkleRoot(msgspec.Struct, frozen=True, kw_only=True):
    """Signed Merkle root over the match logs of a round or league, in ``roots.json``."""

    scope: str
    """``round <n>`` or ``league``."""
    root: str
    key: str
    signature: str
    signed: str
    """Signed bytes, which are ASCII."""
    matches: Mapping[str, str]
    """Leaves of the Merkle tree, in order: match id -> hash at the end of the match's log."""


class MerkleRootsDocument(msgspec.Struct, frozen=True):
    """Contents of ``roots.json``: all signed Merkle roots of a league."""

    format: int
    league: str
    roots: tuple[SignedMerkleRoot, ...]


def match_file_name(match_id: str) -> str:
    """Return the path of a match's log file inside an export."""
    return f"matches/{match_id}.jsonl"


def format_of(league: LeagueState) -> int:
    """Return the version of a league's export format: 1 for leagues without tie-breaks, else 2."""
    # The export of an old league must stay the same byte for byte, so that a published copy can still be verified.
    return FORMAT if any(stage.tiebreaks for stage in league.header.stages) else 1


def build_results_file(league: LeagueState) -> bytes:
    """Build ``results.json``: the standings and the match results of a league."""
    header = league.header
    lines = tuple(_standing(league, standing) for standing in standings(league))
    matches = sorted(league.results, key=lambda r: (r.round, r.table, r.game))
    played = tuple(_exported_match(league, result) for result in matches)
    return _encode_readably(
        LeagueResultsDocument(
            format=format_of(league),
            league=header.slug,
            name=header.name,
            game=header.game,
            standings=lines,
            matches=played,
        )
    )


def _standing(league: LeagueState, standing: EntrantStanding) -> StandingLine:
    values = {
        tiebreak.slug: value if isinstance(value, int) else str(value)
        for tiebreak, value in zip(tiebreaks_of(league.stages[standing.stage - 1]), standing.tiebreaks, strict=True)
    }
    identity: StandingLine = {
        "place": standing.place,
        "entry": standing.entry,
        "name": league.entrant(standing.entry).name,
    }
    line: StandingLine = {
        **identity,
        "points": str(standing.points),
        **values,
        "played": standing.played,
        "byes": standing.byes,
    }
    return line if format_of(league) == 1 else {**line, "decided": standing.decided}


def _exported_match(league: LeagueState, result: ResultRecorded) -> ExportedMatch:
    players = players_of(league, result.seating)
    return ExportedMatch(
        match=result.match,
        round=result.round,
        table=result.table,
        game=result.game,
        players=players,
        places=result.places,
        scores=result.scores,
    )


def players_of(league: LeagueState, seating: Sequence[int]) -> tuple[str, ...]:
    """Return the names of a match's bots by seat."""
    return tuple(league.entrant(entry).name for entry in seating)


def build_roots_file(league: LeagueState, heads: Mapping[str, str]) -> bytes:
    """Build ``roots.json``, the signed Merkle roots of a league.

    `heads` maps match ids to the final hashes of their logs, in hexadecimal.
    """
    slug = league.header.slug
    return _encode_readably(
        MerkleRootsDocument(format_of(league), slug, tuple(_root(league, fact, heads) for fact in league.signed))
    )


def _root(league: LeagueState, fact: SignatureFact, heads: Mapping[str, str]) -> SignedMerkleRoot:
    round_ = round_of(fact)
    scope = "league" if round_ is None else f"round {round_}"
    leaves = {match: heads[match] for match in matches_of(league, round_)}
    signed = statement_of(league.header.slug, fact).decode("ascii")
    return SignedMerkleRoot(
        scope=scope, root=fact.root, key=fact.key, signature=fact.signature, signed=signed, matches=leaves
    )


def _encode_readably(value: msgspec.Struct) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
