"""What one viewer observed of a match."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ftk_core.facts import Viewer


class Leak(AssertionError):
    """Raised where a viewer can tell the worlds apart; says by what."""


@dataclass
class Diary:
    """What one viewer observed, each with the time and the number of facts by then; times are counted in answers."""

    viewer: Viewer
    now: int = 0
    facts: int = 0
    seen: list[tuple[int, int, bytes]] = field(default_factory=list)

    def note(self, what: bytes) -> None:
        """Write something down."""
        self.seen.append((self.facts, self.now, what))


Seen = Iterable[tuple[int, int, bytes]]


def alike(there: Seen, here: Seen, facts: int) -> None:
    """Raise Leak unless both observed the same, at the same times, before the worlds parted."""
    one, two = ([entry for entry in seen if entry[0] < facts] for seen in (there, here))
    for was, is_now in zip(one, two, strict=False):
        if was != is_now:
            raise Leak(f"observed (facts, time, what)\n{was}\n{is_now}")
    if len(one) != len(two):
        raise Leak(f"{len(one)} observations and {len(two)}: {(one + two)[min(len(one), len(two))]}")
