"""Check that a round's random seed is the next link of the announced hash chain."""
# The league announced the chain before its first round, so that nobody could choose a seed later.

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256

from ftk_core.league.league_facts import RoundDrafted, RoundPaired
from ftk_core.league.pairing_checks.league_history import LeagueHistory


def flaws_of_hash_chain(past: LeagueHistory, drawn: RoundDrafted | RoundPaired) -> Iterator[str]:
    """Yield a sentence if a round's random seed is not the next link of the hash chain."""
    # A drafted round must keep its link when it begins. A repeated draft takes the next link; under versions 1 and 2 of
    # the league rules it kept its link. Old leagues, which announced no hash chain, are not checked.
    if not past.opened.luck:
        return
    if isinstance(drawn, RoundPaired) and past.draft is not None:
        if drawn.link != past.draft.link:
            yield "it was begun with another link than it was drafted with"
        return
    if isinstance(drawn, RoundDrafted) and past.draft is not None and past.opened.rules:
        keeps_link = past.opened.rules in (1, 2)
        if drawn.draft != past.draft.draft + 1 or (keeps_link and drawn.link != past.draft.link):
            yield "it was drafted again with another link, or another number of the draft, than its rules give"
        if keeps_link:
            return
    # only lower case: the text of the link is part of the seed of a repeated draft
    before = sha256(bytes.fromhex(drawn.link)).hexdigest() if re.fullmatch(r"[0-9a-f]{64}", drawn.link) else ""
    if before != (past.link or past.opened.luck):
        yield f"its link {drawn.link!r} is not the next one of the hash chain"
