"""What the facts of a league are made of: stages, tables, rests, and what a pairing weighed."""

from __future__ import annotations

from typing import Literal

import msgspec

from ftk_core.game import Worth

Deals = Literal["same", "fresh"]
"""Whether the matches of one table share their deal while the seats turn, or each has its own."""
Scored = Literal["matches", "blocks"]
"""What counts: each match by itself, or those of a table on one deal together, as one that is worth as much as all."""
Carry = Literal["none", "half", "all"]
"""How many of the points of the stage before an entry takes along."""
Granted = Literal["none", "half", "mean"]
"""What a late entry is given for the rounds it missed: nothing, half a win for each, or what others have on average."""
Why = Literal["odd", "absent", "seeded", "alone"]
"""The numbers do not come out even; it asked to be left out; its seed spares it; whom it was to meet is gone."""
RestValue = Literal["win", "half", "none"]
Seeding = Literal["entry", "lot", "rating"]
"""The order of seeds: as listed in `StageBegun`, by lot, or by the court ratings when the stage begins."""
Who = Literal["anybody", "invited"]
"""Whose bots may enter a league."""
Release = Literal["at_once", "after_round", "after_league"]
"""When everybody may see what happens within the matches: as they are played, or once their round or all is over."""
Ruling = Literal["replay", "share", "loss"]
"""What becomes of a match that was void too often: played on a new deal, shared, or lost by whoever caused it."""


class Stage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A part of a league that is played in one format."""

    format: str
    """The name of a module in ``formats/``."""
    seats: int
    """Bots at a full table."""
    least: int = 2
    """Bots at the shortest table the game allows."""
    rounds: int = 0
    """0 where the format knows by itself when it is through."""
    games: int = 1
    """Matches of each table, with rotated seats."""
    deals: Deals = "same"
    scored: Scored = "matches"
    worth: Worth = "places"
    """What a match is worth to a seat."""
    rest: RestValue = "win"
    """What a round is worth to whoever rests because the numbers do not come out even."""
    absence: RestValue = "none"
    """What it is worth to whoever asked to be left out."""
    tiebreaks: tuple[str, ...] = ()
    """Slugs, in the order in which they are applied; empty for what is usual at tables of this size."""
    carry: Carry = "none"
    qualify: int = 0
    """So many of the stage before play it, from the first; 0 for all."""
    groups: int = 1
    """Groups or challengers, in formats that have them."""
    seeding: Seeding = "entry"
    """The order of its seeds; "entry" is the order of entry, or the standings of the stage before."""


class TablePlan(msgspec.Struct, frozen=True, omit_defaults=True):
    """One table of a round."""

    number: int
    """From 1; the table of the leaders first."""
    seating: tuple[int, ...]
    """The entries by seat in the table's first match; each further match turns the seats by one."""
    group: int = 0
    """From 1 where the stage has groups."""


class Rest(msgspec.Struct, frozen=True):
    """An entry that sits at no table of a round."""

    entry: int
    points: str
    """What it is given for that, an exact fraction."""
    why: Why


class Weighed(msgspec.Struct, frozen=True, kw_only=True):
    """What the pairing of a round weighed: its certificate, to be counted again by whoever has the stream."""

    repeats: int
    """Pairs at its tables that had met before."""
    fewest: int
    """No tables of these sizes for those who play could have had fewer repeats."""
    known: Literal["counting", "matching"]
    """How that is known: by counting pairs and opponents, or by the witness."""
    witness: tuple[int, ...] = ()
    """Entries without which those who may meet anew fall into too many parts of odd size (Tutte and Berge)."""
    siblings: int
    """Pairs at its tables that have one author."""
    floaters: int
    """Entries at a table where somebody has more points."""
    seats: int
    """After it, how much more often somebody who plays sat in one seat of its table than in another, at most."""
    rested: int
    """How often somebody who rests had rested before, at most."""
    seats_least: int | None = None
    """No seats at these tables could leave less than this of `seats`; None in streams from before it was counted."""


class Qualified(msgspec.Struct, frozen=True):
    """An entry of a stage."""

    entry: int
    points: str
    """What it takes along, an exact fraction."""
