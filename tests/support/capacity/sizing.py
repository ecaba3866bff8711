"""How large a fleet must be: what was measured times how much there is; whatever is assumed is in `Assumed`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.support.capacity.costs import Floor, MatchCost
from tests.support.capacity.watching import WatchCost

DAY = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """What nobody has measured."""

    peak: float = 3.0
    """So many times the mean of the day come in its busiest seconds."""
    used: float = 0.7
    """So much of a processor, or of what one database can do, is planned to be used then."""
    kept_days: float = 30.0
    """So long a match stays in the database before it is archived (FTK_ARCHIVE_AFTER)."""
    large_server: int = 64
    """Processors of the largest single server that one would have."""
    cable: float = 10e9 / 8
    """Bytes a second that one web host can send."""
    live: int = 1000
    """Matches that a million people watch at the same time."""
    think: float = 0.1
    """Seconds of a processor that a bot which thinks takes for a choice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """A fleet for so many matches a day; each figure at the peak, with room."""

    a_day: float
    a_second: float
    """Matches at the peak."""
    workers: int
    """Processors that play."""
    houses: int
    """Processes that record results."""
    database: int
    """Processors of PostgreSQL."""
    statements: float
    commits: float
    bells: float
    """Messages of the broker a second."""
    wal: float
    """Bytes a second that the database writes ahead."""
    stored: float
    """Bytes that the database holds, without what is archived."""
    kept: float
    """Bytes that the database grows by in a year, of what stays behind the archive."""
    objects: float
    """Bytes that object storage grows by in a year."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """Something that gives way."""

    name: str
    a_day: float
    """At so many matches a day."""
    then: str
    """What is done."""


def sizes(cost: MatchCost, a_day: float, assumed: Assumed) -> Sizes:
    """Return the fleet for so many matches of a game a day."""
    rate = a_day / DAY * assumed.peak

    def whole(seconds: float) -> int:
        return max(1, math.ceil(rate * seconds / assumed.used))

    return Sizes(
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


def thinking(cost: MatchCost, assumed: Assumed) -> MatchCost:
    """Return what a match costs whose bots think: as much more processor, and as much longer, as their choices take."""
    more = cost.choices * assumed.think
    processors = {**cost.processors, "bots": cost.processors["bots"] + more}
    return replace(cost, seconds=cost.seconds + more, processors=processors)


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """What so many matches take that are played at the same time, each at the pace that was measured."""

    matches: int
    workers: int
    """Processors that play."""
    database: int
    """Processors of PostgreSQL."""
    commits: float
    """A second."""


def live(cost: WatchCost, matches: int, assumed: Assumed) -> Live:
    """Return it; a worker's slot is one match's from its opening to its closing."""
    return Live(
        matches=matches,
        workers=math.ceil(matches * cost.playing / assumed.used),
        database=math.ceil(matches * cost.database / assumed.used),
        commits=matches * cost.commits,
    )


def limits(cost: MatchCost, floor: Floor, processors: int, assumed: Assumed) -> Sequence[Limit]:
    """Return what gives way as matches grow more, the first of all first."""
    all_of_it = cost.processor + cost.processors["house"] + cost.processors["database"]

    def a_day(a_second: float) -> float:
        return a_second * assumed.used / assumed.peak * DAY

    found = [
        Limit(
            name=f"this machine: {processors} processors for everything",
            a_day=a_day(processors / all_of_it),
            then="more worker hosts: `ftk-worker` on each, three URLs the same; the database has a host of its own",
        ),
        Limit(
            name="one house process, which records every result",
            a_day=a_day(1 / cost.processors["house"]),
            then="more of them, on any host: a league's lock keeps its results in order, whoever records them",
        ),
        Limit(
            name=f"PostgreSQL on {processors} processors",
            a_day=a_day(processors / cost.processors["database"]),
            then="a server with more processors; a broker of its own (RabbitMQ, Redis) for bells and pokes",
        ),
        Limit(
            name="durable commits of one PostgreSQL on this disk",
            a_day=a_day(floor.appends / cost.commits),
            then="a faster disk; then fewer commits a match, which must be built: most are of single statements",
        ),
        Limit(
            name=f"PostgreSQL on {assumed.large_server} processors, if it uses them all as well as these",
            a_day=a_day(assumed.large_server / cost.processors["database"]),
            then="several arenas, each with a database of its own, by game or by season. Nothing joins them yet: "
            "ratings are by game and season, but people, bots and pages would need a common front, which is not built",
        ),
    ]
    return sorted(found, key=lambda limit: limit.a_day)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """A web tier for so many watchers."""

    watchers: int
    sending: int
    """Processors that send."""
    folding: int
    """Processors that fold, where each match is folded on one host alone."""
    folding_everywhere: float
    """Processors that *each* web process would need if its watchers watched all matches."""
    matches: float
    """How many live matches one web process can fold."""
    hosts: int
    """Web hosts that the bytes need."""
    wire: float
    """Bytes a second, to all."""
    memory: float
    """Bytes, for all."""


def stand(cost: WatchCost, watchers: int, assumed: Assumed) -> Stand:
    """Return what so many watchers need, each of a match of the pace that was measured."""
    fold = cost.entries * cost.entry
    return Stand(
        watchers=watchers,
        sending=math.ceil(watchers * cost.entries * cost.watcher / assumed.used),
        folding=math.ceil(assumed.live * fold / assumed.used),
        folding_everywhere=assumed.live * fold,
        matches=assumed.used / fold,
        hosts=math.ceil(watchers * cost.rate / (assumed.cable * assumed.used)),
        wire=watchers * cost.rate,
        memory=watchers * cost.memory,
    )
