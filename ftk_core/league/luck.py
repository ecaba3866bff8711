"""Luck that nobody foresees: a chain of hashes, of which only the anchor is known before the first round.

The league's secret makes the last link, and each link is the SHA-256 of the one after it. The anchor stands in the
fact that opens the league; every round reveals the next link, and is drawn with it. So nobody can say
before a round is paired how it will be drawn, and everybody can say afterwards that nothing else could be revealed
(Lamport, Password authentication with insecure communication, 1981). A round that is drafted again keeps its link; the
number of the draft gives it other luck. By league rules 0 it took the next link.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

from ftk_core.league.state import LeagueState, NotNow
from ftk_core.rng import Chance, seed_of

LINKS = 1000
"""So many rounds, drafted again or not, a league can have at most."""


@lru_cache(maxsize=64)
def _chain(secret: bytes) -> tuple[bytes, ...]:
    """Return the chain, the anchor first."""
    chain = [seed_of("luck", secret.hex())]
    while len(chain) <= LINKS:
        chain.append(sha256(chain[-1]).digest())
    return tuple(reversed(chain))


def anchor(secret: bytes) -> str:
    """Return what is published before there is any luck, in hexadecimal."""
    return _chain(secret)[0].hex()


def next_link(secret: bytes, league: LeagueState) -> str:
    """Return the link that the next round is to be drawn with, in hexadecimal; empty for a league without a chain.

    Raises NotNow when the chain has come to its end.
    """
    if not league.header.luck:
        return ""
    if len(league.links) >= LINKS:
        raise NotNow(f"{league.header.name} has used up its luck: {LINKS} rounds were drafted")
    return _chain(secret)[len(league.links) + 1].hex()


def follows(link: str, before: str) -> bool:
    """Tell whether a link is the one after another, or after the anchor."""
    try:
        return sha256(bytes.fromhex(link)).hexdigest() == before
    except ValueError:
        return False


def chance_of(league: LeagueState, link: str, draft: int = 0) -> Chance:
    """Return the luck that a link gives to a draft; without a chain it all comes from the league's published seal."""
    luck = link or league.header.secret_seal
    return Chance(seed_of("draft", luck, draft) if draft else bytes.fromhex(luck))
