"""Checks of the contests in a scene."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ftk_core.views.scene import TableScene


def check_contests(scene: TableScene, seats: int) -> None:
    """Check that bars, leaders and names of a picture's contests can be drawn, and that their keys are unique."""
    keys = Counter([*(contest.key for contest in scene.contests), *(zone.key for zone in scene.zones)])
    assert max(keys.values()) == 1
    assert [contest.key for contest in scene.contests[:1]] in ([], ["lead"])
    for contest in scene.contests:
        assert contest.title
        assert contest.verdict
        lead = min((entry.share for entry in contest.entries if entry.leads), default=100)
        for entry in contest.entries:
            assert 0 <= entry.share <= 100
            assert (entry.seat is None) == bool(entry.label)
            assert entry.seat is None or entry.seat in range(seats)
            assert entry.share <= lead or entry.note, "a longer bar than the leader's needs an explanation"
        named = re.findall(r"@(\d+)", " ".join(list_contest_texts(scene)))
        assert {int(seat) for seat in named} <= {*range(seats)}


def list_contest_texts(scene: TableScene) -> Iterator[str]:
    for contest in scene.contests:
        yield from (contest.title, contest.about, contest.verdict)
        for entry in contest.entries:
            yield from (entry.label, entry.value, entry.note)
