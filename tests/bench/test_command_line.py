"""Processor time of `ftk --help`, beside that of an import of its command-line parser alone."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from statistics import median

from tools.bench.workload_speed_comparison import BenchmarkResult

RUNS = 15


def cpu_milliseconds(*command: str) -> float:
    """Run a command and return the processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def test_the_processor_time_of_ftk_help_is_compared_with_that_of_importing_typer(
    figures: list[BenchmarkResult],
) -> None:
    ftk, parser = (str(Path(sys.executable).with_name("ftk")), "--help"), (sys.executable, "-c", "import typer")
    pairs = [(cpu_milliseconds(*ftk), cpu_milliseconds(*parser)) for _ in range(RUNS)]
    ratios = [ours / floor for ours, floor in pairs]
    ours, floor = median(ours for ours, _ in pairs), median(floor for _, floor in pairs)
    figures.append(
        BenchmarkResult(
            "ftk --help, ms of a processor",
            ours,
            floor,
            median(ratios),
            "import typer",
            "<= 120 ms, <= 1.4",
            min(ratios),
            max(ratios),
        )
    )
