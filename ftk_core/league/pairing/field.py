"""Who is to be paired, and what came out: plain values that know no stream, no database and no format."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ftk_core.league.plans import Weighed

BUDGET = 60_000_000
"""Work on one round at tables of three and more, beyond the first optimum; `grouping` says how it is counted."""


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """One entry that wants to play the next round, with what pairing asks of its past."""

    entry: int
    points: int
    """In any unit that all share; `Field.win` says what a win is in it."""
    author: str = ""
    """Entries of one author are kept apart; empty where none is known."""
    met: Mapping[int, int] = {}
    """How often it has met whom."""
    seats: Mapping[int, int] = {}
    """How often it sat where."""
    roles: Mapping[int, int] = {}
    """How often it played which role, in games whose seats have roles."""
    left: Mapping[int, int] = {}
    """How often who sat to its left, in the next seat."""
    short: int = 0
    """How often it sat at a table that was not full."""
    rests: int = 0


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is to be paired."""

    candidates: tuple[Candidate, ...]
    """The better seeded first, where points and luck leave them equal."""
    full: int
    """Bots at a full table."""
    least: int
    """Bots at the shortest table that may be."""
    games: int = 1
    """Matches of each table; each further one turns the seats by one."""
    win: int = 1
    """What winning everything of a round is worth, in the unit of the points."""
    forbidden: frozenset[frozenset[int]] = frozenset()
    """Pairs of entries that must not meet."""
    roles: Mapping[int, tuple[int, ...]] = {}
    """By table size: the role of each seat; sizes that are not there have none."""
    apart: bool = True
    """Keep the entries of one author apart where that costs no repeat."""
    budget: int = BUDGET


class Drawn(msgspec.Struct, frozen=True):
    """A paired round."""

    tables: tuple[tuple[int, ...], ...]
    """The entries by seat, the leaders' table first."""
    rests: tuple[int, ...]
    weighed: Weighed


class NoTables(ValueError):
    """Raised when a round cannot be paired; the message says whom or what to change."""
