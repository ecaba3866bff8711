"""Facts with the signatures of the server over a round or a league."""

from __future__ import annotations

from ftk_core.facts import Fact


class RoundSigned(Fact, frozen=True, kw_only=True):
    """The server signed a round: its matches, and the stream before the signature."""

    round: int
    matches: int
    root: str
    """Merkle root over the heads of the round's matches, ordered by match id, in hexadecimal."""
    after: str
    """Head of the stream before this page, in hexadecimal."""
    key: str
    """Public Ed25519 key, in hexadecimal."""
    signature: str
    """Signature with that key over `roots.statement`, in hexadecimal."""


class LeagueSigned(Fact, frozen=True, kw_only=True):
    """The server signed the whole league, as `RoundSigned` signs a round. It is the last entry of the stream."""

    matches: int
    root: str
    """Merkle root over the heads of all matches."""
    after: str
    key: str
    signature: str
