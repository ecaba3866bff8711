"""What can happen in a league: the facts of its stream."""

from __future__ import annotations

from typing import Literal

import msgspec

from ftk_core.facts import Fact
from ftk_core.game import Worth


class LeagueOpened(Fact, frozen=True, kw_only=True):
    """A league was announced."""

    slug: str
    name: str
    game: str
    format: str
    """The name of a module in ``formats/``."""
    seats: int
    """Bots at a full table."""
    least: int
    """Bots at the shortest table the game allows."""
    rounds: int
    games: int
    """Matches of each pairing, with rotated seats."""
    move_ms: int
    bank_ms: int
    secret_seal: str
    """SHA-256 of the secret that all deals follow from."""
    worth: Worth = "places"
    """What a match is worth to a seat."""
    options: str = ""
    """The game's options as JSON; empty as the rule book has it."""
    pace_ms: int = 0
    """The least time between two choices of a match, for those who watch."""
    season: str = ""
    """What it is rated in beside all time; empty in streams from before there were seasons."""
    entries_until: int = 0
    """When it begins by itself, in seconds since 1970 (UTC); 0 where its organiser begins it."""


class BotEntered(Fact, frozen=True):
    """A bot version entered."""

    entry: int
    """Counts from 1 in the order of entering: the seeding."""
    version: int
    """The bot version's key."""
    name: str


class BotWithdrew(Fact, frozen=True):
    """An entry is not paired any more."""

    entry: int
    reason: str


class TablePlan(msgspec.Struct, frozen=True):
    """One table of a round."""

    number: int
    """From 1; the table of the leaders first."""
    seating: tuple[int, ...]
    """The entries by seat in the table's first match; each further match turns the seats by one."""


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


class RoundPaired(Fact, frozen=True, omit_defaults=True):
    """A round's tables were drawn."""

    round: int
    tables: tuple[TablePlan, ...]
    byes: tuple[int, ...]
    """Entries that rest this round and are given the points of a win."""
    weighed: Weighed | None = None
    """Its certificate; None in streams from before there were certificates."""


class ResultRecorded(Fact, frozen=True, kw_only=True):
    """A match of a table ended."""

    round: int
    table: int
    game: int
    """From 0: which of the pairing's matches."""
    match: str
    seating: tuple[int, ...]
    """Entries by seat."""
    places: tuple[int, ...]
    """By seat."""
    scores: tuple[int, ...]
    """By seat."""


class RoundClosed(Fact, frozen=True):
    """Every match of a round has a result."""

    round: int


class LeagueClosed(Fact, frozen=True):
    """The last round is closed; the secret behind the deals is revealed."""

    secret: str


class RoundSigned(Fact, frozen=True, kw_only=True):
    """The server signed a round: what its matches were, and all that the stream said before."""

    round: int
    matches: int
    root: str
    """The Merkle root over the heads of the round's matches, ordered by match id, in hexadecimal."""
    after: str
    """The stream's head before this page, in hexadecimal."""
    key: str
    """The public Ed25519 key, in hexadecimal."""
    signature: str
    """By that key, over `roots.statement`, in hexadecimal."""


class LeagueSigned(Fact, frozen=True, kw_only=True):
    """The server signed the whole league, as `RoundSigned` a round; it is the last entry of the stream."""

    matches: int
    root: str
    """Over the heads of all matches."""
    after: str
    key: str
    signature: str


LeagueFact = (
    LeagueOpened
    | BotEntered
    | BotWithdrew
    | RoundPaired
    | ResultRecorded
    | RoundClosed
    | RoundSigned
    | LeagueClosed
    | LeagueSigned
)
