"""Statements that the server signs after each round and league, to make match logs tamper-evident.

The signed bytes are six lines of ASCII, each ending in a newline::

    ftk roots 1
    league <slug>
    scope round <n>                 (or: scope league)
    matches <how many>
    root <hex>                      the Merkle root over the last hashes of the match logs, ordered by match id
    after <hex>                     the last hash of the league's event stream before the page (batch of events) that
                                    records the signature
"""

from __future__ import annotations

from collections.abc import Mapping

from ftk_core.league.league_facts import ResultRecorded
from ftk_core.league.league_state import LeagueState
from ftk_core.league.signature_facts import LeagueSigned, RoundSigned
from ftk_core.merkle import root_of

SignatureFact = RoundSigned | LeagueSigned


def root_over(heads: Mapping[str, str]) -> str:
    """Return the Merkle root of match logs, in hexadecimal.

    `heads` maps match ids to the final hashes of their logs, in hexadecimal.
    """
    return root_of([bytes.fromhex(heads[match]) for match in sorted(heads)]).hex()


def statement_to_sign(slug: str, round_: int | None, matches: int, root: str, after: str) -> bytes:
    """Return the six lines to sign for a round, or for the league if `round_` is None."""
    scope = "league" if round_ is None else f"round {round_}"
    lines = ("ftk roots 1", f"league {slug}", f"scope {scope}", f"matches {matches}", f"root {root}", f"after {after}")
    return "".join(f"{line}\n" for line in lines).encode("ascii")


def round_of(fact: SignatureFact) -> int | None:
    """Return the number of the round that a signature covers; None if it covers the league."""
    return fact.round if isinstance(fact, RoundSigned) else None


def statement_of(slug: str, fact: SignatureFact) -> bytes:
    """Return the bytes that the signature recorded in an event must cover."""
    return statement_to_sign(slug, round_of(fact), fact.matches, fact.root, fact.after)


def matches_of(league: LeagueState, round_: int | None) -> list[str]:
    """Return the sorted ids of the matches with a recorded result in a round, or in all rounds if `round_` is None."""
    # A match counts even if its result was voided later. The order is that of the Merkle tree.
    facts = (one for past in league.history.values() for one in past if round_ in (None, one.round))
    return sorted(one.match for one in facts if isinstance(one, ResultRecorded))


def list_unsigned_scopes(league: LeagueState) -> list[int | None]:
    """List the closed rounds that are not signed; the element None means the closed league as a whole."""
    done = {round_of(fact) for fact in league.signed}
    closed = [*range(1, league.closed_rounds + 1), *([None] if league.closed else [])]
    return [scope for scope in closed if scope not in done]


def statement_over_matches(slug: str, round_: int | None, heads: Mapping[str, str], after: str) -> bytes:
    """Return the bytes to sign for a round, or for the league if `round_` is None.

    `heads` maps match ids to the final hashes of their logs, in hexadecimal.
    """
    return statement_to_sign(slug, round_, len(heads), root_over(heads), after)


def signature_fact(round_: int | None, heads: Mapping[str, str], after: str, key: str, signature: str) -> SignatureFact:
    """Return the event for a signature over a round, or over the league if `round_` is None."""
    root = root_over(heads)
    if round_ is None:
        return LeagueSigned(matches=len(heads), root=root, after=after, key=key, signature=signature)
    return RoundSigned(round=round_, matches=len(heads), root=root, after=after, key=key, signature=signature)
