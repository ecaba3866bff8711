"""Random seeds of a league's rounds: a hash chain that nobody can predict and everybody can verify.

Source: Lamport, Password authentication with insecure communication, 1981.
"""
# Each link is the SHA-256 of the one that follows. The league's secret gives the last link. An opened league publishes
# the anchor, the value before the first link; each round reveals the next link, its seed. A round that is paired again
# takes the next link, and the number of the draft changes its seed, too.

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import sha256

from ftk_core.league.league_state import CommandRejected, LeagueState
from ftk_core.random_streams import MatchRandomness, seed_of

MAX_LINKS = 1000
"""Maximum number of drafts in a league, and rounds without a draft; see `repeated_drafts_keep_link`."""


@lru_cache(maxsize=64)
def _chain(secret: bytes) -> tuple[bytes, ...]:
    """Return the hash chain of a league's secret, the published value first."""
    chain = [seed_of("luck", secret.hex())]
    while len(chain) <= MAX_LINKS:
        chain.append(sha256(chain[-1]).digest())
    return tuple(reversed(chain))


def anchor_of(secret: bytes) -> str:
    """Return the anchor of the hash chain, which the league publishes when it opens, in hexadecimal."""
    return _chain(secret)[0].hex()


def repeated_drafts_keep_link(rules: int) -> bool:
    """Return True if a round that is drafted again keeps its link under this version of the league rules."""
    # The link of a draft is public. In versions 1 and 2 anybody could therefore compute which pairings a repeated draft
    # would give, and an author could choose among them by entering or withdrawing a bot.
    return 0 < rules < 3


def next_link(secret: bytes, league: LeagueState) -> str:
    """Return the hash-chain value for the next round, in hexadecimal.

    It is "" for an old league without a hash chain, and if the chain is used up.
    """
    if not league.header.luck or len(league.links) >= MAX_LINKS:
        return ""
    return _chain(secret)[len(league.links) + 1].hex()


def check_link(league: LeagueState, link: str) -> None:
    """Raise CommandRejected if a round must be drawn, but the hash chain of the league is used up."""
    # A step that draws no round, such as the end of the league, needs no link.
    if league.header.luck and not link and len(league.links) >= MAX_LINKS:
        raise CommandRejected(
            "%(league)s has used all %(most)s links of its hash chain; close the league",
            league=league.header.name,
            most=MAX_LINKS,
        )


def is_next_link(link: str, before: str) -> bool:
    """Return True if `link` comes directly after `before` in the hash chain.

    Both are hexadecimal, in lower case. For the first round, `before` is the published anchor.
    """
    # Only one spelling counts: the text of the link is part of the seed of a repeated draft.
    return bool(re.fullmatch(r"[0-9a-f]{64}", link)) and sha256(bytes.fromhex(link)).hexdigest() == before


def chance_of(league: LeagueState, link: str, draft: int = 0) -> MatchRandomness:
    """Return the random number generator for the draw of a round, seeded with the round's link of the hash chain."""
    # The seed is the round's link of the hash chain, hashed with the number of earlier drafts if there are any. Leagues
    # without a chain use the hash of the league's secret in place of the link.
    luck = link or league.header.secret_seal
    return MatchRandomness(seed_of("draft", luck, draft) if draft else bytes.fromhex(luck))
