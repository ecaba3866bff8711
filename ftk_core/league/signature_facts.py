"""Events that record the server's signatures over a round or a league."""

from __future__ import annotations

from ftk_core.facts import Fact


class RoundSigned(Fact, frozen=True, kw_only=True):
    """Signature of the server over a round's matches and the league's earlier events."""

    round: int
    matches: int
    root: str
    """Merkle root over the final hashes of the round's match logs, ordered by match id, in hexadecimal."""
    after: str
    """Hash of the league's stream before the page (batch of events) that holds this event, in hexadecimal."""
    key: str
    """Public Ed25519 key, in hexadecimal."""
    signature: str
    """Signature with that key over the bytes of `publication.signed_merkle_roots.statement_of`, in hexadecimal."""


class LeagueSigned(Fact, frozen=True, kw_only=True):
    """Signature of the server over the whole league: the last event of its stream."""

    matches: int
    root: str
    """Merkle root over the final hashes of all match logs, ordered by match id, in hexadecimal."""
    after: str
    key: str
    signature: str
