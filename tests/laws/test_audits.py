"""Audits of many stored matches, rerun by the native and by the Python rules, find no difference."""

from __future__ import annotations

import os

import msgspec
import pytest

from ftk_core.analysis.stored_match_audit import MatchAuditInput, audit
from ftk_core.facts import encode
from ftk_core.games import game
from ftk_core.hash_chained_log import InMemoryLog
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.log_entries import stream_of
from ftk_core.players import Player, RandomPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import play
from tests.support.laws.by_game import options_for
from tests.support.laws.crashing_bots import CrashingBot
from tests.support.native_rules import NATIVE_GAMES

pytestmark = pytest.mark.usefixtures("native_library")

MATCHES = int(os.environ.get("FTK_AUDITED_MATCHES", "20"))
"""Matches of each game. They have all table sizes and options in turn."""
PARTS = 20
"""Number of tests among which the matches of a game are divided."""
QUICK_PARTS = 10
"""Number of parts that are quick for a game without options: they have all table sizes twice, and two bots' matches."""
BUILT_IN_BOTS_EVERY = 9
"""Every ninth match is played by built-in bots, all in turn, and the others at random, which takes less time."""


def play_and_store(name: str, number: int) -> MatchAuditInput:
    """Play match `number` of a game; return the data that a server stores of it."""
    rules, bots = game(name), list(list_built_in_bots(name))
    seats = rules.seats[number % len(rules.seats)]
    by_bots, turn = number % BUILT_IN_BOTS_EVERY == 0, number // BUILT_IN_BOTS_EVERY
    players: list[Player] = [
        CrashingBot(name, bots[(turn + seat) % len(bots)]) if by_bots else RandomPlayer(seed_of(name, number, seat))
        for seat in range(seats)
    ]
    log, seed, options = InMemoryLog(), seed_of("audit", name, number), options_for(name, seats, number)
    match = f"{name}-{number}"
    result = play(rules, players, seed, match=stream_of(match), log=log, options=options)
    pages = tuple(log.pages())
    return MatchAuditInput(
        match=match, game=name, void=False, pages=pages, length=log.length, head=pages[-1].head, seed=seed.hex(),
        places=result.places, scores=result.scores, roles=result.roles or ("",) * seats,
        options=encode(options).decode(),
    )  # fmt: skip


def has_options(name: str) -> bool:
    smallest = game(name).seats.start
    return len({encode(options_for(name, smallest, number)) for number in range(MATCHES)}) > 1


@pytest.mark.parametrize(
    ("name", "part"),
    [
        pytest.param(name, part, marks=() if part < QUICK_PARTS or has_options(name) else pytest.mark.slow)
        for name in NATIVE_GAMES
        for part in range(PARTS)
    ],
)
def test_audits_of_stored_matches_by_native_and_python_rules_find_no_difference(name: str, part: int) -> None:
    for number in range(part, MATCHES, PARTS):
        finding = audit(play_and_store(name, number))
        assert (finding.differences, finding.skipped) == ((), ""), f"match {number}"


@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_a_match_audit_reports_stored_places_that_differ_from_those_of_the_replayed_match(name: str) -> None:
    stored = play_and_store(name, 0)
    changed = msgspec.structs.replace(stored, places=tuple(place + 1 for place in stored.places if place))
    assert not audit(stored).differences
    assert len(audit(changed).differences) == len(stored.places)
