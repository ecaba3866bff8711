"""What came of a league on a fleet, beside what would have on one machine."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.support.fleet.ledger import compared
from tests.support.fleet.long import HAPPENINGS, Course
from tests.support.fleet.watching import story_of
from tests.support.prepared import asked, streams

RECORDED = re.compile(rb'"kind":"result_recorded","round":(\d+),"table":(\d+),"game":(\d+)')
TABLES = "SELECT count(*)::int, count(DISTINCT match_id)::int FROM tournaments_tablematch"
BUILDS = "SELECT DISTINCT build FROM replays_match ORDER BY 1"
RETAKEN = "SELECT coalesce(sum(attempts - 1), 0)::int FROM replays_match"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One row of the table."""

    broker: str
    matches: int
    """That ended."""
    taken_up: int
    """How often one was taken up by another worker after its own had fallen silent."""
    lost: int
    """Without an end or without a result."""
    twice: int
    """With more than one result, or at more than one table."""
    builds: int
    stories: int
    """Matches that watchers followed from the first frame to the end, each watcher counted."""
    redialled: int
    missed: int
    """Frames that a watcher was not told, and stories that are not the log's."""
    differs: Sequence[str]
    """What did not end as on one machine."""

    @property
    def good(self) -> bool:
        """Whether all is as it should be."""
        wrong = self.lost or self.twice or self.missed or self.differs
        return not wrong and self.builds == 2 and self.stories > 0

    @property
    def cells(self) -> tuple[str, ...]:
        same = "yes" if not self.differs else f"NO: {', '.join(self.differs)}"
        numbers = (self.matches, len(HAPPENINGS), self.taken_up, self.lost, self.twice)
        told = (self.stories, self.redialled, self.missed)
        return (self.broker, *map(str, numbers), *map(str, told), same)


HEADS = ("broker", "matches", "mishaps", "taken up", "lost", "twice", "stories", "redials", "frames missed", "same")


def judged(broker: str, course: Course, expected: dict[str, Any], builds: tuple[str, str], matches: int) -> Verdict:
    """Compare what a fleet made of a league with what one machine did; raises BrokenChain for a log with a gap."""
    arena = course.arena
    found = compared(arena, build=builds)
    recorded = Counter(RECORDED.findall(b"\n".join(found["logs"]["tournament/1"])))
    ((rows, names),) = asked(arena, TABLES)
    ((retaken,),) = asked(arena, RETAKEN)
    told = course.watched()
    logs = {stream: b"".join(page.body for page in pages).splitlines() for stream, pages in streams(arena).items()}
    wrong = sum(
        count
        for match, digests in told["digests"].items()
        for digest, count in digests.items()
        if digest != story_of(logs[f"match/{match}"])
    )
    return Verdict(
        broker=broker,
        matches=sum(row[3] == "closed" for row in found["tables"]) // 2,
        taken_up=retaken,
        lost=matches - len(recorded),
        twice=sum(count - 1 for count in recorded.values()) + rows - names,
        builds=len(asked(arena, BUILDS)),
        stories=told["counts"]["stories"],
        redialled=told["counts"].get("redialled", 0),
        missed=told["counts"]["missed"] + wrong,
        differs=[part for part, value in expected.items() if found[part] != value],
    )


def table(verdicts: Sequence[Verdict]) -> str:
    """Return the verdicts as a table in Markdown."""
    rows = [HEADS, ["---"] * len(HEADS), *(verdict.cells for verdict in verdicts)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)
