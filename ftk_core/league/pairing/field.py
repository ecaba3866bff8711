"""Input and output of pairing: plain values, independent of streams, database and formats."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ftk_core.league.plans import Weighed

BUDGET = 60_000_000
"""Work budget for one round at tables of three and more, after the first optimum; `grouping` defines the unit."""


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """Entry available for the next round, with the parts of its past that pairing needs."""

    entry: int
    points: int
    """Points in any common unit; `Field.win` gives the value of a win in it."""
    author: str = ""
    """Author, to keep entries of one author apart; empty if unknown."""
    met: Mapping[int, int] = {}
    """Number of meetings by opponent."""
    seats: Mapping[int, int] = {}
    """Number of times it sat in each seat."""
    roles: Mapping[int, int] = {}
    """Number of times it played each role, in games whose seats have roles."""
    left: Mapping[int, int] = {}
    """Number of times each opponent sat to its left, in the next seat."""
    short: int = 0
    """Number of times it sat at a table that was not full."""
    rests: int = 0


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """Round to be paired."""

    candidates: tuple[Candidate, ...]
    """Entries, ordered by points; the better seed first among equals."""
    full: int
    """Number of bots at a full table."""
    least: int
    """Minimum number of bots at a table."""
    games: int = 1
    """Number of matches of each table; each further one rotates the seats by one."""
    win: int = 1
    """Points of winning everything in a round, in the unit of the points."""
    forbidden: frozenset[frozenset[int]] = frozenset()
    """Pairs of entries that must not meet."""
    roles: Mapping[int, tuple[int, ...]] = {}
    """By table size: role of each seat; sizes not listed have no roles."""
    apart: bool = True
    """True to keep the entries of one author apart if that costs no repeat."""
    budget: int = BUDGET


class Drawn(msgspec.Struct, frozen=True):
    """Paired round."""

    tables: tuple[tuple[int, ...], ...]
    """Entries by seat, the leaders' table first."""
    rests: tuple[int, ...]
    weighed: Weighed


class NoTables(ValueError):
    """Raised if a round cannot be paired. The message says what to change."""
