"""Noninterference: worlds that differ only in secrets look the same to viewers who may not know them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import settings
from msgspec.structs import replace as changed

from ftk_core.facts import PUBLIC, Action, Viewer
from ftk_core.game import Game
from ftk_core.games import game, list_games
from ftk_core.log_entries import ChoiceMade, read
from ftk_core.match_replay_frames import MatchFrames
from ftk_core.referee import Referee
from ftk_core.views.replay_frame_messages import SpectatorFrame
from tests.support.laws.by_game import options_for, other_world
from tests.support.laws.diary import Leak
from tests.support.laws.rigged import WorldImpossible
from tests.support.laws.worlds import compare_worlds, play_world
from tests.support.live import play_log_lines

THOROUGH = 1000
FEW, MANY = 24, 2000
WORLDS = int(os.environ.get("FTK_LAWS_WORLDS", "0")) or (MANY if settings().max_examples >= THOROUGH else FEW)
"""Number of other worlds of each game; `make laws` tries many."""
TWINS = 16
"""Number of other worlds compared with one match."""
PARTS = 4
"""Number of tests among which the worlds of a game are divided."""


def worlds_tried(
    row: Game[Any, Any, Any, Any],
    worlds: int,
    part: int = 0,
    *,
    referee: type[Referee] = Referee,
    reel: type[MatchFrames] = MatchFrames,
    viewers: Sequence[Viewer] | None = None,
) -> int:
    """Compare this many pairs of worlds; return the number of their common facts; raises Leak."""
    tried = common = 0
    number = part
    while tried < worlds:
        seats = row.seats[number % len(row.seats)]
        draw = Random(f"{row.name} {number}")
        viewer = draw.choice(viewers if viewers is not None else (PUBLIC, *range(seats)))
        world, diary = play_world(row, seats, options_for(row.name, seats, number), number, viewer, referee, reel)
        for _ in range(min(TWINS, worlds)):
            try:
                common += compare_worlds(world, diary, other_world(row.name)(world, viewer, draw), referee, reel)[1]
                tried += 1
            except WorldImpossible:
                continue
        number += PARTS
    return common


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", list_games())
def test_two_games_that_differ_only_in_secrets_look_identical_to_a_viewer_who_must_not_know_them(
    name: str, part: int
) -> None:
    worlds = WORLDS // PARTS
    assert worlds_tried(game(name), worlds, part) > 5 * worlds, "the worlds have hardly anything in common"


class CountsForAll(Referee):
    """Faulty referee that counts the questions of all seats together."""

    def _ask(self, seat: int, menu: Sequence[Action]) -> Any:
        most = max(self._asked)
        self._asked = [most] * len(self._asked)
        return super()._ask(seat, menu)


class NumbersEntries(MatchFrames):
    """Faulty frames that contain the numbers of their log entries."""

    def _frame(self, index: int, *, whole: bool) -> bytes:
        return super()._frame(index, whole=whole) + str(self.entries).encode()


def _seen_box(state: Any, viewer: Viewer) -> Any:
    """Return a view that shows no choice where a box is empty."""
    sight = list_games()["kings_court"].view(state, viewer)
    if sight.step == "help" and state.box.empty:
        return changed(sight, step="none", to_act=())
    return sight


def _hasty(_state: Any) -> bool:
    return False


PLANTED = {
    "questions that are counted for all seats together, at an auction": (
        "for_the_king",
        {},
        CountsForAll,
        MatchFrames,
        None,
    ),
    "questions that are counted for all seats together, at a theft": (
        "kings_court",
        {},
        CountsForAll,
        MatchFrames,
        (0,),
    ),
    "which of its equals a coin is": ("for_the_king", {"version": 1}, Referee, MatchFrames, None),
    "a step that differs where the box is empty": ("kings_court", {"view": _seen_box}, Referee, MatchFrames, None),
    "frames that are numbered as entries": ("kings_court", {}, Referee, NumbersEntries, (PUBLIC,)),
    "an empty box that takes no time": ("kings_court", {"veiled": _hasty}, Referee, MatchFrames, (PUBLIC,)),
    "a payment without a choice that takes no time": (
        "for_the_king",
        {"veiled": _hasty},
        Referee,
        MatchFrames,
        (PUBLIC,),
    ),
}


@pytest.mark.nightly
@pytest.mark.parametrize("leak", PLANTED)
def test_the_non_interference_check_detects_each_planted_leak(leak: str) -> None:
    name, columns, referee, reel, viewers = PLANTED[leak]
    version = columns.get("version")
    row = game(name, version) if version else replace(game(name), **columns)
    with pytest.raises(Leak):
        worlds_tried(row, MANY, referee=referee, reel=reel, viewers=viewers)


def test_frame_numbers_do_not_reveal_log_entries_that_are_hidden_from_the_viewer() -> None:
    lines, reel = play_log_lines("kings_court", 6), MatchFrames(PUBLIC)
    assert any(isinstance(read(line), ChoiceMade) for line in lines[:FEW])
    reel.extend(lines)
    frames = [msgspec.json.decode(line) for line in reel.frames(reel.span(-1, FEW), whole=False)]
    assert [frame["at"] for frame in frames] == list(range(FEW))
    assert "entry" not in SpectatorFrame.__struct_fields__
