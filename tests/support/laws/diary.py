"""A viewer's observations of a match."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ftk_core.facts import Viewer


class Leak(AssertionError):
    """Raised if a viewer can tell two worlds apart; the message says by which observation."""


@dataclass
class Diary:
    """Record of a viewer's observations.

    `now` is the simulated time, counted in answers of seats; `facts` is the number of facts so far.
    """

    viewer: Viewer
    now: int = 0
    facts: int = 0
    seen: list[tuple[int, int, bytes]] = field(default_factory=list)
    """(number of facts, time, content) of each observation."""

    def note(self, what: bytes) -> None:
        """Add an observation at the present time."""
        self.seen.append((self.facts, self.now, what))


Seen = Iterable[tuple[int, int, bytes]]


def check_same_observations(there: Seen, here: Seen, facts: int) -> None:
    """Raise Leak unless the viewer observed the same in both worlds, at the same times, before fact number `facts`."""
    one, two = ([entry for entry in seen if entry[0] < facts] for seen in (there, here))
    for was, is_now in zip(one, two, strict=False):
        if was != is_now:
            raise Leak(f"observed (facts, time, what)\n{was}\n{is_now}")
    if len(one) != len(two):
        raise Leak(f"{len(one)} observations and {len(two)}: {(one + two)[min(len(one), len(two))]}")
