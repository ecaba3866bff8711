"""A match played by older rules, which differ in everything that may change without changing a log."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ftk_core import games
from ftk_core.games import game, versions
from ftk_core.hash_chained_log import InMemoryLog
from ftk_core.players import RandomPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import play

OLD_SENTENCE = "as it was said before"
SEED = seed_of("older")


def register_older_rules(monkeypatch: pytest.MonkeyPatch, stream: str = "match/older") -> InMemoryLog:
    """Register rules as version 0 of Pig, and return the log of a match by them."""
    newest, known = game("pig"), versions("pig")
    past = replace(
        newest,
        version=0,
        say=lambda _fact, _names, _language: OLD_SENTENCE,
        marks={"turn_banked": "turn"},
        legal=lambda state, seat: newest.legal(state, seat)[::-1],
    )
    monkeypatch.setattr(games, "versions", lambda name: {0: past, **known} if name == "pig" else versions(name))
    log = InMemoryLog()
    players = [RandomPlayer(seed_of("older", seat), f"p{seat}") for seat in range(2)]
    play(past, players, SEED, match=stream, log=log)
    return log
