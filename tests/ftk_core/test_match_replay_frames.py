"""Frames of a match while its log grows: errors in the middle, and spectators who draw at the same time."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ftk_core.facts import PUBLIC
from ftk_core.games import UnknownGameError
from ftk_core.match_replay_frames import MatchFrames
from tests.support.live import play_log_lines


class DrawnFrames(list[Any]):
    """The list of a reel's frames, with a spectator who draws each frame as soon as it is appended."""

    def __init__(self, reel: MatchFrames) -> None:
        super().__init__()
        self.reel, self.ended = reel, list[bool]()

    def append(self, shot: Any) -> None:
        super().append(shot)
        self.reel.frames(range(len(self) - 1, len(self)), whole=False)
        self.ended.append(self.reel.ended)


def test_a_log_entry_that_cannot_be_applied_leaves_the_entry_count_and_fails_again_when_retried() -> None:
    opened = play_log_lines("pig", 2)[0].replace(b'"game":"pig"', b'"game":"gone"')
    reel = MatchFrames(PUBLIC)
    for _ in range(2):
        with pytest.raises(UnknownGameError, match="gone"):
            reel.extend([opened])
        assert reel.entries == 0


def test_the_last_frame_has_the_result_although_it_is_drawn_while_the_log_is_being_added() -> None:
    reel = MatchFrames(PUBLIC)
    reel._shots = drawn = DrawnFrames(reel)
    reel.extend(play_log_lines("pig", 2))
    (last,) = reel.frames(range(reel.length - 1, reel.length), whole=False)
    assert len(json.loads(last)["result"]) == 2
    assert reel.ended
    assert not any(drawn.ended), "nobody is told of the end before its frame is there"
