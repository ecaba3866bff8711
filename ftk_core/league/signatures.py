"""Facts with the signatures of the server over a round or a league."""

from __future__ import annotations

from ftk_core.facts import Fact


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
