"""Derived files of an exported league: each follows from the logs, byte for byte."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ftk_core.league.facts import ResultRecorded
from ftk_core.league.roots import Signed, matches_of, round_of, statement_of
from ftk_core.league.standings import Row, standings
from ftk_core.league.state import LeagueState
from ftk_core.league.tiebreaks import tiebreaks_of

STREAM, RESULTS, ROOTS, KEY, README = "tournament.jsonl", "results.json", "roots.json", "key.pem", "README.txt"
SMALL = (README, KEY, STREAM, RESULTS, ROOTS)
"""Files before the matches, in this order."""
README_TEXT = b"""\
A league: its stream in tournament.jsonl, its matches in matches/, what follows in results.json and roots.json.
Check all of it with `ftk verify` (ftk-arena, its extra `verify`) on this folder or on the tar; no server is asked.
key.pem must be what the server publishes at /.well-known/ftk-signing-key: `ftk verify --key` compares them.
"""
FORMAT = 2
"""Version of the file format. Old exports must verify for ever.

2: a line of the standings states the tie-break that puts it behind the previous one (`decided`), in leagues that
announced tie-breaks.
"""

Standing = Mapping[str, int | str]
"""Line of the standings: name, points, each tie-break by its slug, matches and rests; fractions as text."""


class PlayedMatch(msgspec.Struct, frozen=True, kw_only=True):
    """Result of one match."""

    match: str
    round: int
    table: int
    game: int
    players: tuple[str, ...]
    """Names of the players by seat."""
    places: tuple[int, ...]
    scores: tuple[int, ...]


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """Contents of ``results.json``."""

    format: int
    league: str
    name: str
    game: str
    standings: tuple[Standing, ...]
    """Lines from first to last."""
    matches: tuple[PlayedMatch, ...]


class Root(msgspec.Struct, frozen=True, kw_only=True):
    """Root hash as it was signed."""

    scope: str
    """``round <n>`` or ``league``."""
    root: str
    key: str
    signature: str
    signed: str
    """Signed bytes, which are ASCII."""
    matches: Mapping[str, str]
    """Leaves: head of each match's log, in the order of the tree."""


class Roots(msgspec.Struct, frozen=True):
    """Contents of ``roots.json``."""

    format: int
    league: str
    roots: tuple[Root, ...]


def match_file(match_id: str) -> str:
    """Return the name of the log file of a match."""
    return f"matches/{match_id}.jsonl"


def names(league: LeagueState) -> list[str]:
    """Return the names of all files of a league's export, in order."""
    return [*SMALL, *(match_file(match_id) for match_id in matches_of(league, None))]


def format_of(league: LeagueState) -> int:
    """Return the format of a league's files, fixed when it was announced."""
    return FORMAT if any(stage.tiebreaks for stage in league.header.stages) else 1


def results_file(league: LeagueState) -> bytes:
    """Build ``results.json``."""
    header = league.header
    lines = tuple(_standing(league, row) for row in standings(league))
    matches = sorted(league.results, key=lambda r: (r.round, r.table, r.game))
    played = tuple(_played(league, result) for result in matches)
    return _pretty(
        Results(
            format=format_of(league),
            league=header.slug,
            name=header.name,
            game=header.game,
            standings=lines,
            matches=played,
        )
    )


def _standing(league: LeagueState, row: Row) -> Standing:
    values = {
        tiebreak.slug: value if isinstance(value, int) else str(value)
        for tiebreak, value in zip(tiebreaks_of(league.stages[row.stage - 1]), row.tiebreaks, strict=True)
    }
    who: Standing = {"place": row.place, "entry": row.entry, "name": league.entrant(row.entry).name}
    line: Standing = {**who, "points": str(row.points), **values, "played": row.played, "byes": row.byes}
    return line if format_of(league) == 1 else {**line, "decided": row.decided}


def _played(league: LeagueState, result: ResultRecorded) -> PlayedMatch:
    players = players_of(league, result.seating)
    return PlayedMatch(
        match=result.match,
        round=result.round,
        table=result.table,
        game=result.game,
        players=players,
        places=result.places,
        scores=result.scores,
    )


def players_of(league: LeagueState, seating: Sequence[int]) -> tuple[str, ...]:
    """Return the names of entries, by seat."""
    return tuple(league.entrant(entry).name for entry in seating)


def roots_file(league: LeagueState, heads: Mapping[str, str]) -> bytes:
    """Build ``roots.json`` from the heads of all matches, in hexadecimal."""
    slug = league.header.slug
    return _pretty(Roots(format_of(league), slug, tuple(_root(league, fact, heads) for fact in league.signed)))


def _root(league: LeagueState, fact: Signed, heads: Mapping[str, str]) -> Root:
    round_ = round_of(fact)
    scope = "league" if round_ is None else f"round {round_}"
    leaves = {match: heads[match] for match in matches_of(league, round_)}
    signed = statement_of(league.header.slug, fact).decode("ascii")
    return Root(scope=scope, root=fact.root, key=fact.key, signature=fact.signature, signed=signed, matches=leaves)


def _pretty(value: msgspec.Struct) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
