"""Input and output types of the pairing algorithm, independent of event streams, database and league formats."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ftk_core.league.event_fields import PairingQualityCertificate

DEFAULT_BUDGET = 60_000_000
"""Default limit on the work of pairing a round at tables of three and more: number of pairs of bots examined."""


class PairingCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """Bot that can play in the next round, with its past opponents, seats and byes."""

    entry: int
    points: int
    """Points in a unit common to all candidates; `PairingInput.win` is the value of a win in this unit."""
    author: str = ""
    """Name of the author, to keep bots of one author apart; empty if unknown."""
    met: Mapping[int, int] = {}
    """Opponent -> number of meetings."""
    seats: Mapping[int, int] = {}
    """Seat (from 0) -> number of times the bot sat there."""
    roles: Mapping[int, int] = {}
    """Role -> number of times the bot played it, in games whose seats have roles."""
    left: Mapping[int, int] = {}
    """Opponent -> number of times it sat to the left of this bot, in the next seat."""
    short: int = 0
    """Number of times the bot sat at a table that was not full."""
    rests: int = 0


class PairingInput(msgspec.Struct, frozen=True, kw_only=True):
    """Input of the pairing of one round: the candidates, the table sizes and the restrictions."""

    candidates: tuple[PairingCandidate, ...]
    """Bots in a fixed order, such as that of the seeds: the draw shuffles this order, then sorts it by points."""
    full: int
    """Number of bots at a full table."""
    least: int
    """Minimum number of bots at a table."""
    games: int = 1
    """Number of matches at each table; each further match rotates the seats by one."""
    win: int = 1
    """Points for winning every match of a round, in the unit of `PairingCandidate.points`."""
    forbidden: frozenset[frozenset[int]] = frozenset()
    """Pairs of bots that must not meet."""
    can_rest_early: bool = True
    """True to give a bot of a forbidden pair a bye before its turn if the pair would meet otherwise."""
    roles: Mapping[int, tuple[int, ...]] = {}
    """By table size: role of each seat; sizes not listed have no roles."""
    apart: bool = True
    """True to keep the bots of one author apart unless that would cause a repeated meeting."""
    budget: int = DEFAULT_BUDGET
    """Limit on the work at tables of three and more, in pairs of bots examined."""


class PairingOutput(msgspec.Struct, frozen=True):
    """Pairing of one round: its tables, byes, and counts that show its quality."""

    tables: tuple[tuple[int, ...], ...]
    """Tables, each as its bots by seat; the leaders' table is first."""
    rests: tuple[int, ...]
    weighed: PairingQualityCertificate


class ImpossiblePairingError(ValueError):
    """Raised if a round cannot be paired. The message says what to change."""
