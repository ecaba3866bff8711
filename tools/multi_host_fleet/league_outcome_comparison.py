"""Comparison of a league on several simulated hosts with the same league on one machine."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.support.prepared_leagues import query_database, read_streams
from tools.multi_host_fleet.fleet_database_queries import comparable_outcome
from tools.multi_host_fleet.fleet_failure_test import HAPPENINGS, FleetFailureRun
from tools.multi_host_fleet.spectator_messages import digest_of_log

RECORDED = re.compile(rb'"kind":"result_recorded","round":(\d+),"table":(\d+),"game":(\d+)')
TABLES = "SELECT count(*)::int, count(DISTINCT match_id)::int FROM tournaments_tablematch"
BUILDS = "SELECT DISTINCT build FROM replays_match ORDER BY 1"
RETAKEN = "SELECT coalesce(sum(attempts - 1), 0)::int FROM replays_match"


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerLeagueResult:
    """Result of a league that was played on simulated hosts with one message broker.

    A frame is the display of one entry of a match's log.
    """

    broker: str
    matches: int
    """Number of matches that ended."""
    taken_up: int
    """Number of times that a worker resumed a match after the lease of another worker had expired."""
    lost: int
    """Number of matches without a recorded result."""
    twice: int
    """Number of surplus results, plus surplus rows of `tournaments_tablematch`; a match has one result and one row."""
    builds: int
    stories: int
    """Number of times that a subscriber followed a match from its first frame to its end."""
    redialled: int
    missed: int
    """Number of frames that a subscriber did not receive, plus matches whose received frames differ from the log."""
    differs: Sequence[str]
    """Names of the parts of the outcome that differ from the outcome on one machine."""

    @property
    def passed(self) -> bool:
        """True if no result or frame was lost, no result stored twice, and the outcome equals that on one machine."""
        # The later and the earlier build must both have played matches, and a subscriber must have seen a whole match.
        wrong = self.lost or self.twice or self.missed or self.differs
        return not wrong and self.builds == 2 and self.stories > 0

    @property
    def cells(self) -> tuple[str, ...]:
        same = "yes" if not self.differs else f"NO: {', '.join(self.differs)}"
        numbers = (self.matches, len(HAPPENINGS), self.taken_up, self.lost, self.twice)
        told = (self.stories, self.redialled, self.missed)
        return (self.broker, *map(str, numbers), *map(str, told), same)


HEADS = ("broker", "matches", "mishaps", "taken up", "lost", "twice", "stories", "redials", "frames missed", "same")


def compare_league(
    broker: str, run: FleetFailureRun, expected: dict[str, Any], builds: tuple[str, str], matches: int
) -> BrokerLeagueResult:
    """Compare a league on simulated hosts with `expected`, the outcome on one machine.

    `builds` are the build identifiers after and before the upgrade. Raises BrokenHashChainError for a broken log.
    """
    arena = run.arena
    found = comparable_outcome(arena, build=builds)
    recorded = Counter(RECORDED.findall(b"\n".join(found["logs"]["tournament/1"])))
    ((rows, names),) = query_database(arena, TABLES)
    ((retaken,),) = query_database(arena, RETAKEN)
    told = run.read_subscriber_report()
    logs = {stream: b"".join(page.body for page in pages).splitlines() for stream, pages in read_streams(arena).items()}
    wrong = sum(
        count
        for match, digests in told["digests"].items()
        for digest, count in digests.items()
        if digest != digest_of_log(logs[f"match/{match}"])
    )
    return BrokerLeagueResult(
        broker=broker,
        matches=sum(row[3] == "closed" for row in found["tables"]) // 2,
        taken_up=retaken,
        lost=matches - len(recorded),
        twice=sum(count - 1 for count in recorded.values()) + rows - names,
        builds=len(query_database(arena, BUILDS)),
        stories=told["counts"]["stories"],
        redialled=told["counts"].get("redialled", 0),
        missed=told["counts"]["missed"] + wrong,
        differs=[part for part, value in expected.items() if found[part] != value],
    )


def table(verdicts: Sequence[BrokerLeagueResult]) -> str:
    """Return the results for all brokers as a Markdown table."""
    rows = [HEADS, ["---"] * len(HEADS), *(verdict.cells for verdict in verdicts)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)
