"""Statements signed by the server: the matches of a round or of the league, and the stream before the signature.

The signed bytes are six lines of ASCII, each ending in a newline::

    ftk roots 1
    league <slug>
    scope round <n>                 (or: scope league)
    matches <how many>
    root <hex>                      the Merkle root over the heads of their logs, ordered by match id
    after <hex>                     the head of the league's stream before the page with the signature
"""

from __future__ import annotations

from collections.abc import Mapping

from ftk_core.league.facts import ResultRecorded
from ftk_core.league.signatures import LeagueSigned, RoundSigned
from ftk_core.league.state import LeagueState
from ftk_core.merkle import root_of

Signed = RoundSigned | LeagueSigned


def root_over(heads: Mapping[str, str]) -> str:
    """Return the Merkle root over the heads of matches (by match id), all in hexadecimal."""
    return root_of([bytes.fromhex(heads[match]) for match in sorted(heads)]).hex()


def statement(slug: str, round_: int | None, matches: int, root: str, after: str) -> bytes:
    """Return the bytes to sign for a round, or for the league if `round_` is None."""
    scope = "league" if round_ is None else f"round {round_}"
    lines = ("ftk roots 1", f"league {slug}", f"scope {scope}", f"matches {matches}", f"root {root}", f"after {after}")
    return "".join(f"{line}\n" for line in lines).encode("ascii")


def round_of(fact: Signed) -> int | None:
    """Return the round of a signature; None for the league."""
    return fact.round if isinstance(fact, RoundSigned) else None


def statement_of(slug: str, fact: Signed) -> bytes:
    """Return the bytes that a signature fact claims to have signed."""
    return statement(slug, round_of(fact), fact.matches, fact.root, fact.after)


def matches_of(league: LeagueState, round_: int | None) -> list[str]:
    """Return the ids of a round's matches, or of all if `round_` is None, in the order of the tree."""
    said = (one for past in league.history.values() for one in past if round_ in (None, one.round))
    return sorted(one.match for one in said if isinstance(one, ResultRecorded))


def unsigned(league: LeagueState) -> list[int | None]:
    """Return the closed but unsigned scopes: rounds, and None for the league itself."""
    done = {round_of(fact) for fact in league.signed}
    closed = [*range(1, league.closed_rounds + 1), *([None] if league.closed else [])]
    return [scope for scope in closed if scope not in done]


def signed(slug: str, round_: int | None, heads: Mapping[str, str], after: str) -> bytes:
    """Return the bytes to sign for these matches."""
    return statement(slug, round_, len(heads), root_over(heads), after)


def signature_fact(round_: int | None, heads: Mapping[str, str], after: str, key: str, signature: str) -> Signed:
    """Build the fact of a signature."""
    root = root_over(heads)
    if round_ is None:
        return LeagueSigned(matches=len(heads), root=root, after=after, key=key, signature=signature)
    return RoundSigned(round=round_, matches=len(heads), root=root, after=after, key=key, signature=signature)
