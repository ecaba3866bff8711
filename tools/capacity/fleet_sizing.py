"""Computation of the hosts that a site needs for its matches and spectators."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tools.capacity.resource_usage import DatabaseThroughput, MatchCost
from tools.capacity.spectator_server_load import SpectatorCost

DAY = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SizingAssumptions:
    """Values that the computation assumes, because they were not measured."""

    peak: float = 3.0
    """Load in the busiest seconds of a day, as a multiple of the day's mean."""
    used: float = 0.7
    """Planned utilisation of processors, network and database at the peak (0 to 1)."""
    kept_days: float = 30.0
    """Days that a match stays in the database before it is archived (FTK_ARCHIVE_AFTER)."""
    large_server: int = 64
    """Number of processors of the largest single server considered."""
    cable: float = 10e9 / 8
    """Bytes per second that one web host can send."""
    live: int = 1000
    """Number of live matches that are watched at the same time."""
    think: float = 0.1
    """Processor seconds per decision of a bot that thinks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetSize:
    """Resources that a site needs for a number of matches per day.

    Rates per second are those of the busiest time of the day. Processors and processes include a reserve.
    """

    a_day: float
    a_second: float
    """Matches per second at the peak."""
    workers: int
    """Processors for match workers and bots."""
    houses: int
    """Number of `ftk-house` processes, which record results."""
    database: int
    """Processors for PostgreSQL."""
    statements: float
    commits: float
    bells: float
    """Broker messages and notifications per second."""
    wal: float
    """Bytes of PostgreSQL's write-ahead log per second."""
    stored: float
    """Bytes in the database for matches that are not yet archived."""
    kept: float
    """Bytes per year by which the database grows for archived matches."""
    objects: float
    """Bytes per year by which the archive's object storage grows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacityLimit:
    """Number of matches per day at which one resource is used up, and the remedy."""

    name: str
    a_day: float
    """Number of matches per day at which the limit is reached."""
    then: str
    """Remedy: the change that raises the limit."""


def size_fleet(cost: MatchCost, a_day: float, assumed: SizingAssumptions) -> FleetSize:
    """Return the resources needed for a number of matches of one game per day."""
    rate = a_day / DAY * assumed.peak

    def whole(seconds: float) -> int:
        return max(1, math.ceil(rate * seconds / assumed.used))

    return FleetSize(
        a_day=a_day,
        a_second=rate,
        workers=whole(cost.processor),
        houses=whole(cost.processors["house"]),
        database=whole(cost.processors["database"]),
        statements=rate * cost.statements,
        commits=rate * cost.commits,
        bells=rate * (cost.bells + cost.pokes),
        wal=rate * cost.wal,
        stored=a_day * assumed.kept_days * cost.stored,
        kept=a_day * 365 * cost.kept,
        objects=a_day * 365 * cost.archived,
    )


def add_thinking_time(cost: MatchCost, assumed: SizingAssumptions) -> MatchCost:
    """Return a match's cost for bots that think `assumed.think` seconds longer about each decision."""
    more = cost.choices * assumed.think
    processors = {**cost.processors, "bots": cost.processors["bots"] + more}
    return replace(cost, seconds=cost.seconds + more, processors=processors)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConcurrentMatchResources:
    """Resources needed to play `matches` matches at the same time."""

    # Each match has the pace and cost of the measured match.

    matches: int
    workers: int
    """Processors for match workers and bots."""
    database: int
    """Processors for PostgreSQL."""
    commits: float
    """Commits per second."""


def size_concurrent_matches(cost: SpectatorCost, matches: int, assumed: SizingAssumptions) -> ConcurrentMatchResources:
    """Return the resources needed to play `matches` matches at the same time.

    Each match has the pace and the cost of the measured match, `cost`.
    """
    return ConcurrentMatchResources(
        matches=matches,
        workers=math.ceil(matches * cost.playing / assumed.used),
        database=math.ceil(matches * cost.database / assumed.used),
        commits=matches * cost.commits,
    )


def find_limits(
    cost: MatchCost, floor: DatabaseThroughput, processors: int, assumed: SizingAssumptions
) -> Sequence[CapacityLimit]:
    """Return the capacity limits for matches of one game, the lowest first."""
    all_of_it = cost.processor + cost.processors["house"] + cost.processors["database"]

    def a_day(a_second: float) -> float:
        return a_second * assumed.used / assumed.peak * DAY

    found = [
        CapacityLimit(
            name=f"this machine: {processors} processors for everything",
            a_day=a_day(processors / all_of_it),
            then="more worker hosts: `ftk-worker` on each, three URLs the same; the database has a host of its own",
        ),
        CapacityLimit(
            name="one `ftk-house` process, which records every result",
            a_day=a_day(1 / cost.processors["house"]),
            then="more such processes, on any host: the lock of a league keeps its results in order",
        ),
        CapacityLimit(
            name=f"PostgreSQL on {processors} processors",
            a_day=a_day(processors / cost.processors["database"]),
            then="a server with more processors; a broker of its own (RabbitMQ, Redis) for messages and notifications",
        ),
        CapacityLimit(
            name="durable commits of one PostgreSQL on this disk",
            a_day=a_day(floor.appends / cost.commits),
            then="a faster disk; then fewer commits a match, which must be built: most are of single statements",
        ),
        CapacityLimit(
            name=f"PostgreSQL on {assumed.large_server} processors, if it uses them all as well as these",
            a_day=a_day(assumed.large_server / cost.processors["database"]),
            then="several arenas, each with a database of its own, by game or by season. Nothing joins them yet: "
            "ratings are by game and season, but people, bots and pages would need a common front, which is not built",
        ),
    ]
    return sorted(found, key=lambda limit: limit.a_day)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebServerResources:
    """Resources of the web servers for a number of people who watch live matches."""

    watchers: int
    sending: int
    """Processors for sending to watchers."""
    folding: int
    """Processors for folding (computing the display of a match from its log), if one host folds each match."""
    folding_everywhere: float
    """Processors for folding in each web process, if its watchers together watch all live matches."""
    matches: float
    """Number of live matches that one web process can fold."""
    hosts: int
    """Number of web hosts needed for the bytes to send."""
    wire: float
    """Bytes per second sent to all watchers together."""
    memory: float
    """Bytes of memory for all watchers together."""


def size_web_backend(cost: SpectatorCost, watchers: int, assumed: SizingAssumptions) -> WebServerResources:
    """Return the resources that web servers need for a number of watchers of live matches."""
    # The live matches are assumed to be as fast as the match whose cost was measured.
    fold = cost.entries * cost.entry
    return WebServerResources(
        watchers=watchers,
        sending=math.ceil(watchers * cost.entries * cost.watcher / assumed.used),
        folding=math.ceil(assumed.live * fold / assumed.used),
        folding_everywhere=assumed.live * fold,
        matches=assumed.used / fold,
        hosts=math.ceil(watchers * cost.rate / (assumed.cable * assumed.used)),
        wire=watchers * cost.rate,
        memory=watchers * cost.memory,
    )
