"""Parts of league facts: stages, tables, rests, and pairing certificates."""

from __future__ import annotations

from typing import Literal

import msgspec

from ftk_core.game import Worth

Deals = Literal["same", "fresh"]
"""Deals of the matches of one table: the same with rotated seats, or a fresh one for each."""
Scored = Literal["matches", "blocks"]
"""Unit of scoring: each match, or the matches of a table on one deal as a block with the value of all of them."""
Carry = Literal["none", "half", "all"]
"""Share of the points of the previous stage that an entry keeps."""
Granted = Literal["none", "half", "mean"]
"""Points for the missed rounds of a late entry: nothing, half a win for each, or the mean of the others."""
Why = Literal["odd", "absent", "seeded", "alone"]
"""Reason for a rest: odd numbers; requested absence; a seed that is spared; an opponent who is gone."""
RestValue = Literal["win", "half", "none"]
Seeding = Literal["entry", "lot", "rating"]
"""Order of seeds: as listed in `StageBegun`, by lot, or by the court ratings when the stage begins."""
Who = Literal["anybody", "invited"]
"""Authors whose bots may enter a league."""
Release = Literal["at_once", "after_round", "after_league"]
"""Time at which matches become public: while played, after their round, or after the league."""
Ruling = Literal["replay", "share", "loss"]
"""Ruling on a match that was void too often: replayed on a new deal, shared, or lost by the seat at fault."""


class Stage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Part of a league that is played in one format."""

    format: str
    """Name of a module in ``formats/``."""
    seats: int
    """Number of bots at a full table."""
    least: int = 2
    """Number of bots at the shortest table that the game allows."""
    rounds: int = 0
    """Number of rounds; 0 if the format decides it."""
    games: int = 1
    """Number of matches of each table, with rotated seats."""
    deals: Deals = "same"
    scored: Scored = "matches"
    worth: Worth = "places"
    """Value of a match for a seat."""
    rest: RestValue = "win"
    """Value of a round for an entry that rests because the numbers do not come out even."""
    absence: RestValue = "none"
    """Value of a round for an entry that asked to be absent."""
    tiebreaks: tuple[str, ...] = ()
    """Slugs of tie-breaks in order; empty for the defaults at tables of this size."""
    carry: Carry = "none"
    qualify: int = 0
    """Number of entries that qualify from the previous stage, from the first; 0 for all."""
    groups: int = 1
    """Number of groups or challengers, in formats that have them."""
    seeding: Seeding = "entry"
    """Order of its seeds; "entry" is the order of entry, or the standings of the stage before."""


class TablePlan(msgspec.Struct, frozen=True, omit_defaults=True):
    """Table of a round."""

    number: int
    """Number of the table, from 1; the leaders' table is first."""
    seating: tuple[int, ...]
    """Entries by seat in the table's first match; each further match rotates the seats by one."""
    group: int = 0
    """Number of the group, from 1, if the stage has groups."""


class Rest(msgspec.Struct, frozen=True):
    """Entry that sits at no table of a round."""

    entry: int
    points: str
    """Points granted for the rest, an exact fraction."""
    why: Why


class Weighed(msgspec.Struct, frozen=True, kw_only=True):
    """Pairing certificate of a round. Anybody can recount it from the stream."""

    repeats: int
    """Number of pairs at its tables that had met before."""
    fewest: int
    """Proved minimum number of repeats with tables of these sizes for the entries that play."""
    known: Literal["counting", "matching"]
    """Proof of the minimum: by counting pairs and opponents, or by the witness."""
    witness: tuple[int, ...] = ()
    """Entries whose removal splits the graph of possible new meetings into too many odd components (Tutte and
    Berge)."""
    siblings: int
    """Number of pairs at its tables with the same author."""
    floaters: int
    """Number of entries at a table where somebody has more points."""
    seats: int
    """Maximum, after the round, of how much more often an entry sat in one seat of its table than in another."""
    rested: int
    """Maximum number of earlier rests of an entry that rests."""
    seats_least: int | None = None
    """Minimum possible value of `seats` at these tables; None in streams older than this field."""


class Qualified(msgspec.Struct, frozen=True):
    """Entry of a stage."""

    entry: int
    points: str
    """Points it keeps, an exact fraction."""
