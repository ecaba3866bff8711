"""Text of docs/scale.md around its tables."""

from __future__ import annotations

import os
import platform
from dataclasses import asdict
from pathlib import Path
from string import Template

from tools.capacity import (
    capacity_page_tables,
    resource_usage,
    simulation_accuracy,
    spectator_server_load,
    thousand_worker_simulation,
)
from tools.capacity.capacity_page_tables import CapacityMeasurements
from tools.capacity.fleet_sizing import SizingAssumptions, size_web_backend
from tools.capacity.markdown_tables import number, size

TEMPLATE = Path(__file__).with_name("scale.md")


def processor_name() -> str:
    """Return the processor's model name (proc(5): /proc/cpuinfo)."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def memory() -> float:
    """Return the machine's memory in bytes."""
    return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


def _machine(found: CapacityMeasurements) -> str:
    kernel, others = platform.release().partition("-")[0], f"{found.disturbed:.0%}"
    return (
        f"This was on {found.on}: {os.cpu_count()} processors ({processor_name()}), {size(memory())} of memory, "
        f"Linux {kernel}, Python {platform.python_version()}. Other programs had up to {others} of the processors "
        "while costs were taken. If other programs used more than a quarter of the processors during a league, it was "
        "measured a second time."
    )


ASSUMED = """
* The busiest seconds of a day have {peak:g} times the mean: all rates are at that peak.
* {used:.0%} of a processor, of a cable or of what one database can do is planned to be used then.
* A match stays {kept_days:g} days in the database before it goes to the archive (`FTK_ARCHIVE_AFTER`).
* Costs grow in proportion to matches and watchers. Costs that grow with the archive are measured by `make bench` only.
* The largest server one would have has {large_server} processors, and a web host's cable carries {gigabits:g} Gbit/s.
* Watchers watch {live:,} matches at the same time, each at the pace that was measured.
* Simulated workers that die do so {crashes:g} times an hour each, so that one minute shows an effect.
* Replaying a match after a crash takes as long as its stored pages took before: the bots are asked again.
* A bot that thinks keeps one processor busy all that time, and a worker plays one match at a time.
* Reviews, audits and trials are not included. Pages that people read are included under "Readers of pages" only.
"""


def _assumed(assumed: SizingAssumptions) -> str:
    gigabits = assumed.cable * 8 / 1e9
    return ASSUMED.format(
        **asdict(assumed), gigabits=gigabits, crashes=thousand_worker_simulation.CRASHES_AN_HOUR
    ).strip()


def write_page(found: CapacityMeasurements, assumed: SizingAssumptions) -> str:
    """Return the whole page docs/scale.md in Markdown."""
    most = size_web_backend(found.watch, 1_000_000, assumed)
    rest = sum(found.rest.processors.values()) / found.rest.seconds
    said = {
        "machine": _machine(found), "rest": f"{rest:.1%}", "reads": number(found.floor.reads),
        "appends": number(found.floor.appends), "entries": str(found.locks.entries),
        "record": f"{found.locks.record * 1000:.3g}", "more": f"{found.locks.more * 1000:.2g}",
        "turn": f"{found.locks.turn * 1000:.3g}",
        "crowd": str(found.watch.crowd), "few": str(spectator_server_load.CROWDS[0]),
        "entries_shown": f"{found.watch.entries:.2g}", "used": f"{assumed.used:.0%}",
        "foldable": number(most.matches), "live": f"{assumed.live:,}",
        "everywhere": number(most.folding_everywhere), "wire": f"{size(most.wire)} a second",
        "game": found.matches[-1][0].game, "lease": f"{found.rules.lease:g}", "sweep": f"{found.rules.sweep:g}",
        "page": f"{found.rules.page:g}", "attempts": str(found.rules.attempts),
        "busy": f"{thousand_worker_simulation.BUSY:.0%}",
        "seconds": f"{thousand_worker_simulation.SECONDS:g}", "real_bots": str(simulation_accuracy.REAL.bots),
        "real_matches": str(simulation_accuracy.REAL.a_round * simulation_accuracy.REAL.rounds),
        "pace": str(simulation_accuracy.PACE_MS),
        "real_workers": str(simulation_accuracy.WORKERS), "kill": f"{found.kill:.0f}",
        "seeds": str(simulation_accuracy.SEEDS),
        "pages": number(found.reader.pages), "page_ms": f"{found.reader.processor * 1000:.2g}",
        "page_wait": f"{found.reader.slowest * 1000:.0f}", "reading": str(found.reader.readers),
        "think": f"{assumed.think * 1000:.0f}", "rows": str(resource_usage.KEPT_ROUNDS),
        "agree": f"{simulation_accuracy.AGREE:.0%}", "assumed": _assumed(assumed),
    }  # fmt: skip
    return Template(TEMPLATE.read_text()).substitute(said | capacity_page_tables.tables(found, assumed))
