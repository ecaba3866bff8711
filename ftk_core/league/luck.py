"""Unpredictable randomness: a hash chain of which only the anchor is known before the first round.

The league's secret gives the last link, and each link is the SHA-256 of the one after it. The fact that opens the
league contains the anchor; every round reveals the next link and is drawn with it. So nobody can predict a round before
it is paired, and everybody can verify afterwards that no other link could have been revealed (Lamport, Password
authentication with insecure communication, 1981). A round that is drafted again keeps its link; the number of the draft
changes its luck. Under league rules 0 it took the next link.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

from ftk_core.league.state import LeagueState, NotNow
from ftk_core.rng import Chance, seed_of

LINKS = 1000
"""Maximum number of rounds in a league, including repeated drafts."""


@lru_cache(maxsize=64)
def _chain(secret: bytes) -> tuple[bytes, ...]:
    """Return the chain, the anchor first."""
    chain = [seed_of("luck", secret.hex())]
    while len(chain) <= LINKS:
        chain.append(sha256(chain[-1]).digest())
    return tuple(reversed(chain))


def anchor(secret: bytes) -> str:
    """Return the anchor to publish, in hexadecimal."""
    return _chain(secret)[0].hex()


def next_link(secret: bytes, league: LeagueState) -> str:
    """Return the link for the next round, in hexadecimal; empty for a league without a chain.

    Raise NotNow if the chain is used up.
    """
    if not league.header.luck:
        return ""
    if len(league.links) >= LINKS:
        raise NotNow(f"{league.header.name} has used up its luck: {LINKS} rounds were drafted")
    return _chain(secret)[len(league.links) + 1].hex()


def follows(link: str, before: str) -> bool:
    """Return whether a link follows another link or the anchor."""
    try:
        return sha256(bytes.fromhex(link)).hexdigest() == before
    except ValueError:
        return False


def chance_of(league: LeagueState, link: str, draft: int = 0) -> Chance:
    """Return the luck of a draft with this link; without a chain, the luck of the league's published seal."""
    luck = link or league.header.secret_seal
    return Chance(seed_of("draft", luck, draft) if draft else bytes.fromhex(luck))
