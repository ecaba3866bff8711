"""Check of a round's random seed: it must be the next link of the hash chain that the league announced.

The league announced the chain before its first round, so that nobody could choose the seed of a round later.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from ftk_core.league.league_facts import RoundDrafted, RoundPaired
from ftk_core.league.pairing_checks.league_history import LeagueHistory


def flaws_of_hash_chain(past: LeagueHistory, drawn: RoundDrafted | RoundPaired) -> Iterator[str]:
    """Yield a sentence if the random seed of a round is not the next link of the league's hash chain.

    A round that was drafted (paired, but not begun) must keep its link when it begins, and also when it is drafted
    again. Under version 0 of the league rules, a repeated draft takes the next link. Old leagues, which announced no
    hash chain, are not checked.
    """
    if not past.opened.luck:
        return
    if isinstance(drawn, RoundPaired) and past.draft is not None:
        if drawn.link != past.draft.link:
            yield "it was begun with other luck than it was drafted with"
        return
    if past.draft is not None and past.opened.rules:
        if (drawn.link, drawn.draft) != (past.draft.link, past.draft.draft + 1):
            yield "it was drafted again with other luck than its link and the number of the draft give"
        return
    try:
        before = sha256(bytes.fromhex(drawn.link)).hexdigest()
    except ValueError:
        before = ""
    if before != (past.link or past.opened.luck):
        yield f"its link {drawn.link!r} is not the next one of the chain of luck"
