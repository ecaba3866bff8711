"""Logs of matches that were given up, with invented facts."""

from __future__ import annotations

import msgspec

from ftk_core.facts import Fact, encode
from ftk_core.log_entries import GameFactRecorded, MatchAbandoned, write
from ftk_core.match_log_file import dump_pages
from ftk_core.match_state_from_log import AnyGame
from ftk_core.referee import build_opening
from tests.support.auditing.real_leagues import log_with_lines


def abandoned_log(rules: AnyGame, seats: int, *facts: Fact) -> list[bytes]:
    """Return the lines of a log file in which these facts follow the opening, and then the match is given up."""
    opened = build_opening(rules, "match/1", [f"bot{seat}" for seat in range(seats)], bytes(32))
    invented = [GameFactRecorded(seq, msgspec.Raw(encode(fact))) for seq, fact in enumerate(facts, 1)]
    entries = (opened, *invented, MatchAbandoned(1 + len(facts), "a worker died", 0))
    log = log_with_lines([write(entry) for entry in entries])
    return b"".join(dump_pages(log.pages())).splitlines(keepends=True)
