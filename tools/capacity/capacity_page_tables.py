"""Tables of docs/scale.md, computed from measurements."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass

from tools.capacity import simulation_accuracy
from tools.capacity.arena_measurement import ArenaMeasurement
from tools.capacity.fleet_sizing import (
    CapacityLimit,
    SizingAssumptions,
    add_thinking_time,
    find_limits,
    size_concurrent_matches,
    size_fleet,
    size_web_backend,
)
from tools.capacity.markdown_tables import ms, number, rows_of, size, table
from tools.capacity.page_view_performance import PageViewPerformance
from tools.capacity.resource_usage import DatabaseThroughput, LeagueLockTimes, MatchCost
from tools.capacity.simulation_inputs import SimulatedArenaSettings
from tools.capacity.spectator_server_load import SpectatorCost
from tools.capacity.thousand_worker_simulation import FleetSimulationRun, quantile

A_DAY = (10_000, 1_000_000, 100_000_000)
WATCHERS = (10_000, 100_000, 1_000_000)
LIVE = (100, 1_000, 10_000)
READERS = (100, 10_000, 1_000_000)
"""Numbers of page views per second for which docs/scale.md states the web servers needed, one per table column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacityMeasurements:
    """All measurements and simulations of one run of `make capacity`."""

    matches: Sequence[tuple[MatchCost, ArenaMeasurement]]
    watch: SpectatorCost
    reader: PageViewPerformance
    rest: ArenaMeasurement
    floor: DatabaseThroughput
    locks: LeagueLockTimes
    rules: SimulatedArenaSettings
    thousand: Sequence[FleetSimulationRun]
    real: simulation_accuracy.LeagueTiming
    simulated: simulation_accuracy.LeagueTiming
    kill: float
    on: str
    """Date of the measurements, e.g. 2026-03-01."""
    disturbed: float
    """Largest share of the machine's processor time that other programs used during a measurement of costs."""


def _matches(found: CapacityMeasurements) -> str:
    costs = [cost for cost, _ in found.matches]
    rows = [
        ("matches played", [f"{c.matches}" for c in costs]),
        ("entries of a log", [number(c.entries) for c in costs]),
        ("seconds from opening to closing", [f"{c.seconds:.2f}" for c in costs]),
        ("processor: bots and their sandboxes", [ms(c.processors["bots"]) for c in costs]),
        ("processor: worker", [ms(c.processors["worker"]) for c in costs]),
        ("processor: `ftk-house`", [ms(c.processors["house"]) for c in costs]),
        ("processor: database", [ms(c.processors["database"]) for c in costs]),
        ("SQL statements, `BEGIN` and `COMMIT` included", [number(c.statements) for c in costs]),
        ("commits, also of single statements", [number(c.commits) for c in costs]),
        ("messages of the broker", [number(c.bells) for c in costs]),
        ("notifications to web servers", [number(c.pokes) for c in costs]),
        ("bytes of write-ahead log (WAL)", [size(c.wal) for c in costs]),
        ("stored in tables and indexes", [size(c.stored) for c in costs]),
        ("size of the log", [size(c.body) for c in costs]),
        ("size of the block in the archive", [size(c.archived) for c in costs]),
        ("left in tables and indexes after archiving", [size(c.kept) for c in costs]),
        ("choices", [number(c.choices) for c in costs]),
    ]
    head = ["", *[f"{c.game}, {c.seats} seats" for c in costs]]
    return table(head, rows_of(rows))


def _watchers(found: CapacityMeasurements) -> str:
    watch = found.watch
    return table(
        ["", "one"],
        [
            ["processor of the web server for one watcher and entry", f"{watch.watcher * 1e6:.3g} µs"],
            ["and for an entry, for any number of watchers (reading, folding, framing)", f"{watch.entry * 1e3:.3g} ms"],
            ["bytes sent for one watcher and entry", size(watch.wire)],
            ["bytes sent to one watcher of this match in a second", size(watch.rate)],
            ["memory of the web server for one more watcher", size(watch.memory)],
        ],
    )


def _fleets(found: CapacityMeasurements, assumed: SizingAssumptions) -> str:
    parts = []
    for cost, _ in found.matches:
        plans = [size_fleet(cost, a_day, assumed) for a_day in A_DAY]
        rows = [
            ("matches a second at the peak", [number(p.a_second) for p in plans]),
            ("worker processors", [number(p.workers) for p in plans]),
            ("`ftk-house` processes", [number(p.houses) for p in plans]),
            ("database processors", [number(p.database) for p in plans]),
            ("SQL statements a second", [number(p.statements) for p in plans]),
            ("commits a second", [number(p.commits) for p in plans]),
            ("multiple of what one PostgreSQL did here", [number(p.commits / found.floor.appends) for p in plans]),
            ("messages a second", [number(p.bells) for p in plans]),
            ("bytes of WAL a second", [size(p.wal) for p in plans]),
            (f"database, {assumed.kept_days:g} days kept", [size(p.stored) for p in plans]),
            ("database, growth a year after archiving", [size(p.kept) for p in plans]),
            ("object storage, growth a year", [size(p.objects) for p in plans]),
        ]
        head = [f"{cost.game}, matches a day", *[f"{a_day:,}" for a_day in A_DAY]]
        parts.append(table(head, rows_of(rows)))
    return "\n\n".join(parts)


def _describe_exceeded_limits(every: Sequence[CapacityLimit]) -> str:
    """Return a text that says how many limits each number of matches per day in `A_DAY` exceeds.

    `every` contains the limits, the lowest first.
    """
    counts = [(a_day, sum(limit.a_day < a_day for limit in every)) for a_day in A_DAY]
    said = {0: "none of these", 1: "the first of these", len(every): "all of these"}
    return "; ".join(f"at {a_day:,} a day {said.get(count, f'the first {count} of these')}" for a_day, count in counts)


def _limits(found: CapacityMeasurements, assumed: SizingAssumptions) -> str:
    parts = []
    for cost, _ in found.matches:
        every = find_limits(cost, found.floor, os.cpu_count() or 1, assumed)
        rows = [[limit.name, number(limit.a_day), limit.then] for limit in every]
        parts += [
            table([cost.game, "matches a day", "remedy"], rows, words=1),
            f"Limits that are exceeded: {_describe_exceeded_limits(every)}.",
        ]
    return "\n\n".join(parts)


def _web_servers(found: CapacityMeasurements, assumed: SizingAssumptions) -> str:
    plans = [size_web_backend(found.watch, count, assumed) for count in WATCHERS]
    rows = [
        ("processors that send", [number(p.sending) for p in plans]),
        ("processors that fold, each match on one host", [number(p.folding) for p in plans]),
        ("bytes a second", [size(p.wire) for p in plans]),
        ("web hosts for these bytes", [number(p.hosts) for p in plans]),
        ("memory", [size(p.memory) for p in plans]),
    ]
    return table([f"watchers of {assumed.live:,} live matches", *[f"{count:,}" for count in WATCHERS]], rows_of(rows))


def _thinking(found: CapacityMeasurements, assumed: SizingAssumptions) -> str:
    parts = []
    for cost, _ in found.matches:
        slow = add_thinking_time(cost, assumed)
        plans = [size_fleet(slow, a_day, assumed) for a_day in A_DAY]
        rows = [
            ("seconds from opening to closing", [f"{slow.seconds:.1f}"] * len(plans)),
            ("worker processors", [number(p.workers) for p in plans]),
            ("matches in progress at the peak", [number(p.a_second * slow.seconds) for p in plans]),
        ]
        head = [f"{cost.game}, {assumed.think * 1000:.0f} ms a choice, matches a day", *[f"{day:,}" for day in A_DAY]]
        parts.append(table(head, rows_of(rows)))
    return "\n\n".join(parts)


def _live(found: CapacityMeasurements, assumed: SizingAssumptions) -> str:
    plans = [size_concurrent_matches(found.watch, count, assumed) for count in LIVE]
    rows = [
        ("worker processors", [number(p.workers) for p in plans]),
        ("database processors", [number(p.database) for p in plans]),
        ("commits a second", [number(p.commits) for p in plans]),
        ("multiple of what one PostgreSQL did here", [number(p.commits / found.floor.appends) for p in plans]),
    ]
    return table(["matches that are played at the same time", *[f"{count:,}" for count in LIVE]], rows_of(rows))


def _readers(found: CapacityMeasurements, assumed: SizingAssumptions) -> str:
    reader = found.reader
    each = reader.pages * assumed.used
    rows = [
        ("web processes", [number(max(1.0, math.ceil(pages / each))) for pages in READERS]),
        ("their processors", [f"{pages * reader.processor / assumed.used:.3g}" for pages in READERS]),
        ("bytes a second, not compressed", [size(pages * reader.size) for pages in READERS]),
    ]
    return table(["requests for the home page a second", *[f"{pages:,}" for pages in READERS]], rows_of(rows))


def _thousand(found: CapacityMeasurements) -> str:
    head = ["", "matches", "`ftk-house` processes", "playing", "queue age, mean", "p99", "deaths", "silent, mean"]
    head += ["lost, processor", "void", "lock wait, p99", "`ftk-house` wait, p99"]
    rows = []
    for each in found.thousand:
        out = each.outcome
        silent = sum(out.leases) / len(out.leases) if out.leases else 0.0
        rows.append(
            [
                each.name, f"{len(out.closed) + len(out.void):,}", f"{each.houses}", f"{each.busy:.0%}",
                ms(sum(out.waits) / len(out.waits)), ms(quantile(out.waits, 0.99)), f"{out.crashes}", ms(silent),
                ms(out.lost), f"{len(out.void)}", ms(quantile(out.locks, 0.99)), ms(quantile(out.houses, 0.99)),
            ]
        )  # fmt: skip
    return table(head, rows)


def _real(found: CapacityMeasurements) -> str:
    apart = simulation_accuracy.compare_timings(found.simulated, found.real)
    real, ours = found.real, found.simulated
    rows = [
        ["matches that ended", f"{real.ended}", f"{ours.ended}", f"{abs(real.ended - ours.ended)}"],
        ["seconds from first to last", f"{real.makespan:.1f}", f"{ours.makespan:.1f}", f"{apart['makespan']:.1%}"],
        ["matches a second", f"{real.throughput:.3f}", f"{ours.throughput:.3f}", f"{apart['throughput']:.1%}"],
        ["mean age of a match when it was opened, s", f"{real.wait:.2f}", f"{ours.wait:.2f}", f"{apart['wait']:.1%}"],
    ]  # fmt: skip
    return table(["", "real", "simulated", "difference"], rows)


def tables(found: CapacityMeasurements, assumed: SizingAssumptions) -> dict[str, str]:
    """Return all tables in Markdown, by their names in the page's template."""
    return {
        "matches": _matches(found),
        "watchers": _watchers(found),
        "fleets": _fleets(found, assumed),
        "limits": _limits(found, assumed),
        "stands": _web_servers(found, assumed),
        "live_matches": _live(found, assumed),
        "readers": _readers(found, assumed),
        "thinking": _thinking(found, assumed),
        "thousand": _thousand(found),
        "real": _real(found),
    }
