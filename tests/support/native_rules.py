"""Comparison of the native rules with the Python rules, byte for byte, through whole matches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from ftk_core.facts import OMNISCIENT, PUBLIC, Action, Fact, encode
from ftk_core.game import Game
from ftk_core.games import list_games
from ftk_core.native.native_match import NativeHiddenStateSampler, NativeMatch
from ftk_core.native.shared_rules_library import SOURCES
from ftk_core.random_streams import MatchRandomness, seed_of
from ftk_core.unlogged_play import follow_of

_GAME_NAME = re.compile(r'string_view name = "(\w+)"')
NATIVE_GAMES = [
    name
    for name in list_games()
    if name in {found for path in SOURCES.rglob("*.hpp") for found in _GAME_NAME.findall(path.read_text())}
]
"""Games that have native rules. A new game may do without them."""
LOW_ITEMS = (3, 1000, 2, 4)
"""Numbers of items at the top of a menu among which the players of a match choose.

Players who choose among all bids would bid too much, and the matches would seldom test payments.
"""


def play_by_questions(game: Game[Any, Any, Any, Any], seats: int, number: int, options: Any) -> bytes:
    """Play a match by `next_question` and `choose`, always with the same item; return the state at its end."""
    table = NativeMatch(game.name, seats, encode(options))
    table.seed(seed_of("questions", game.name, seats, number))
    table.deal()
    question = table.next_question()
    while question:
        question = table.choose(number % (question & 0xFFFFFFFF))
    return table.state()


def keep_one_game(sources: Path, name: str) -> None:
    """Remove the other games from a copy of the native sources; with them a build takes four times as long."""
    interface = sources / "api.cpp"
    text = interface.read_text()
    namespaces = re.findall(r"[a-z_]+(?=::Game)", text[text.index("using Games") :].partition(";")[0])
    kept = max((each for each in namespaces if each in name), key=len)
    interface.write_text(re.sub("using Games = .*?;", f"using Games = std::tuple<{kept}::Game>;", text))


class EngineComparison:
    """One match, played by both engines with the same choices. Every difference is an AssertionError."""

    def __init__(self, game: Game[Any, Any, Any, Any], seats: int, number: int, options: Any) -> None:
        self.game, self.seats, self.random = game, seats, Random(f"{game.name}/{seats}/{number}")
        self.low_items = LOW_ITEMS[number % len(LOW_ITEMS)]
        self.seed = seed_of("compare", game.name, seats, number)
        self.chance = MatchRandomness(self.seed)
        self.state = game.setup(seats, options)
        self.native = NativeMatch(game.name, seats, encode(options))
        self.native.seed(self.seed)
        self.folded = self.native.copy()
        """A native table that gets the facts of the Python rules one by one."""
        self.decisions = 0

    def play(self, *, samples: float = 0.0) -> int:
        """Play the match; return the number of decisions.

        `samples` is the share of the states in which views, playout choices and resampled states are compared, too.
        """
        game = self.game
        self._take_facts(game.deal(self.state, self.chance), self.native.deal())
        while due := game.turn(self.state):
            assert self.native.seats_due() == due
            menus = [(seat, self._compare_menu(seat)) for seat in due]
            if self.random.random() < samples:
                self._compare_knowledge(menus)
            choices = [(seat, menu, self.random.randrange(min(len(menu), self.low_items))) for seat, menu in menus]
            for seat, menu, item in choices:
                facts, _ = follow_of(game)(self.state, seat, menu[item], self.chance)
                self._take_facts(facts, self.native.follow_action(seat, encode(menu[item])))
        assert self.native.seats_due() == ()
        result = game.result(self.state)
        assert self.native.result() == encode([result.places, result.scores, result.roles])
        return self.decisions

    def _take_facts(self, facts: Sequence[Fact], native_facts: bytes) -> None:
        assert native_facts == encode(list(facts))
        for fact in facts:
            self.state = self.game.apply(self.state, fact)
            self.folded.apply(encode(fact))
        state = encode(self.state)
        assert self.native.state() == state
        assert self.folded.state() == state

    def _compare_menu(self, seat: int) -> Sequence[Action]:
        menu: Sequence[Action] = self.game.legal(self.state, seat)
        assert self.native.menu(seat) == encode(list(menu))
        self.decisions += 1
        return menu

    def _compare_knowledge(self, menus: Sequence[tuple[int, Sequence[Action]]]) -> None:
        for seat, menu in menus:
            if self.game.quick and len(menu) > 1:
                seed = seed_of("quick", self.decisions)
                item = self.game.quick(self.state, seat, menu, MatchRandomness(seed).at("policy"))
                assert self.native.quick(seat, seed) == item
        for viewer in (OMNISCIENT, PUBLIC, *range(self.seats)):
            assert self.native.view(viewer) == encode(self.game.view(self.state, viewer))
        viewer, seed = self.random.randrange(PUBLIC, self.seats), seed_of("resample", self.decisions)
        if self.game.resample:
            sample = self.native.copy()
            sample.seed(seed)
            sample.resample(viewer)
            state = encode(self.game.resample(self.state, viewer, MatchRandomness(seed)))
            assert state == sample.state() == NativeHiddenStateSampler(self.native, viewer).deal(seed)
