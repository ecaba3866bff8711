"""Types of the fields of league events: settings of stages, tables, byes, and counts that show pairing quality."""

from __future__ import annotations

from typing import Literal

import msgspec

from ftk_core.game import Worth

Deals = Literal["same", "fresh"]
"""Deals (random seeds) of the matches at one table: the same with rotated seats, or a fresh one for each match."""
Scored = Literal["matches", "blocks"]
"""Unit of scoring: each match by itself, or all matches of a table together, which count as one match (a block)."""
Carry = Literal["none", "half", "all"]
"""Share of the points from the previous stage that an entry keeps: none, half, or all."""
Granted = Literal["none", "half", "mean"]
"""Points of a late entry for missed rounds: none, half a win for each round, or the mean points of other entries.

The mean is that of the closed rounds, for each missed round; half a win if none is closed.
"""
Why = Literal["odd", "absent", "seeded", "alone"]
"""Reason why an entry has a bye: too few entries to fill a table, absence, a good seed, or no opponent left."""
RestValue = Literal["win", "half", "none"]
"""Points for a bye: as many as for winning all matches of the round, half of these, or none."""
Seeding = Literal["entry", "lot", "rating"]
"""Order of a stage's seeds: as listed in its `StageBegun` event, at random, or by court ratings at its beginning."""
Who = Literal["anybody", "invited"]
"""Authors who may enter their bots in a league: all, or only those whom an organiser invited."""
Release = Literal["at_once", "after_round", "after_league"]
"""Time at which the matches of a round become public: from the start, after the round, or after the league."""
Ruling = Literal["replay", "share", "loss"]
"""Ruling on a match that ended without a result too often: replayed on a new deal (and shared if that fails as often),
first place shared by all seats, or last place for the seat at fault."""


class StageSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Settings of a stage. A stage is a part of a league that is played in one format."""

    format: str
    """Name of the league format, such as "swiss"; `ftk_core.league.formats` lists the names."""
    seats: int
    """Number of bots at a full table."""
    least: int = 2
    """Minimum number of bots at a table."""
    rounds: int = 0
    """Number of rounds; 0 if the format decides it."""
    games: int = 1
    """Number of matches that each table plays in a round, with rotated seats."""
    deals: Deals = "same"
    scored: Scored = "matches"
    worth: Worth = "places"
    """Rule for the points that a match gives for each place."""
    rest: RestValue = "win"
    """Rule for the points of an entry that has a bye because the entries do not fill the tables."""
    absence: RestValue = "none"
    """Rule for the points of an entry that has a bye because an organiser excused it from the round."""
    tiebreaks: tuple[str, ...] = ()
    """Slugs of tie-breaks, in the order in which they are applied; empty in old leagues that announced none."""
    carry: Carry = "none"
    qualify: int = 0
    """Number of entries that qualify from the previous stage, best first; 0 for all."""
    groups: int = 1
    """Number of groups in the format "groups", and of challengers in the format "gauntlet"."""
    seeding: Seeding = "entry"
    """Order of the seeds; "entry" is the order of entry in the first stage, later the previous standings."""


class TableSeating(msgspec.Struct, frozen=True, omit_defaults=True):
    """Table of a league round: its number and the bot in each seat."""

    number: int
    """Number of the table, from 1. In Swiss rounds and on ladders, table 1 is that of the leaders."""
    seating: tuple[int, ...]
    """Entries by seat in the table's first match; each further match rotates the seats by one."""
    group: int = 0
    """Number of the group, from 1, if the stage has groups."""


class EntrantBye(msgspec.Struct, frozen=True):
    """Bot that plays no match in a round (bye)."""

    entry: int
    points: str
    """Points granted for the bye, an exact fraction such as "1/2"."""
    why: Why


class PairingQualityCertificate(msgspec.Struct, frozen=True, kw_only=True):
    """Quality of a round's pairing in numbers, such as the number of repeated meetings."""

    # Anybody can recompute them from the events of the league.

    repeats: int
    """Number of pairs of entries at the round's tables that had met before."""
    fewest: int
    """Proved lower bound on `repeats` for any pairing of these entries at tables of the same sizes."""
    known: Literal["counting", "matching"]
    """Method that proves `fewest`: counting pairs and opponents, or the `witness` (at tables of two)."""
    witness: tuple[int, ...] = ()
    """Entries that prove `fewest`. If they are removed from the graph of pairs that have not met, it has so many
    components of odd size that some entries find no new opponent (Tutte-Berge formula)."""
    siblings: int
    """Number of pairs of entries at the round's tables that have the same author."""
    floaters: int
    """Number of entries that sit at a table with an entry that has more points."""
    seats: int
    """Largest seat gap after the round: how often an entry sat in its most used seat minus in its least used seat."""
    rested: int
    """Of the entries with a bye in this round, the greatest number of earlier byes."""
    seats_least: int | None = None
    """Minimum possible value of `seats` at these tables; None in streams older than this field."""


class QualifiedEntrant(msgspec.Struct, frozen=True):
    """Bot that takes part in a stage of a league, with its points from earlier stages."""

    entry: int
    points: str
    """Points that the entry keeps from earlier stages, an exact fraction such as "3/2"."""
