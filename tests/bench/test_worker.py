"""Memory of a worker."""

from __future__ import annotations

import subprocess
import sys

from tools.bench.workload_speed_comparison import BenchmarkResult

PEAK = "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])"
WORKER = "import django; django.setup(); import deploy.celery, replays.tasks, tournaments.tasks, bots.tasks; "
FLOOR = "import django, celery, psycopg; "


def megabytes(program: str) -> float:
    """Return the peak memory of a program in a process of its own."""
    shown = subprocess.run([sys.executable, "-c", program + PEAK], capture_output=True, text=True, check=True)
    return int(shown.stdout) / 1024


def test_a_worker_uses_little_more_memory_than_its_libraries(figures: list[BenchmarkResult]) -> None:
    ours, floor = megabytes(WORKER), megabytes(FLOOR)
    figures.append(
        BenchmarkResult(
            "a worker with every task loaded, MB", ours, floor, ours / floor, "its libraries alone", "<= 150"
        )
    )
