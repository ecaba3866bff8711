"""Runner of ``make chaos`` and ``make long``: runs the lines of ``chaos-steps`` or ``long-steps``, and prints a table.

A failed step does not stop the others; the command then exits with 1. After Ctrl-C the table has the steps that ended.
Properties that tests record, such as the seconds until pages were back after a disaster, are printed below the table.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree as ET

from rich.console import Console
from rich.table import Table

COUNTS = ("tests", "failures", "errors", "skipped")


@dataclass(frozen=True, slots=True)
class Step:
    """A finished line of the make target."""

    name: str
    exit_code: int
    seconds: float
    counts: dict[str, int] = field(default_factory=dict[str, int])
    """Tests, failures, errors and skipped; empty where pytest wrote no report."""
    properties: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    """(test, property, value)"""

    @property
    def failed(self) -> bool:
        return self.exit_code != 0 or not self.counts.get("tests")


def steps_of_make(target: str, *arguments: str) -> list[str]:
    """Return the commands of the make target `TARGET-steps` that run pytest, as the shell gets them."""
    printed = subprocess.run(
        ["make", "-n", f"{target}-steps", *arguments], capture_output=True, text=True, check=True
    ).stdout
    return [line for line in printed.splitlines() if " -m pytest " in line]


def run_step(line: str, report: Path) -> Step:
    started = time.monotonic()
    options = f"{os.environ.get('PYTEST_ADDOPTS', '')} --junitxml={report} -o junit_family=xunit1"
    done = subprocess.run(["/bin/sh", "-c", line], env={**os.environ, "PYTEST_ADDOPTS": options}, check=False)
    name = " ".join(re.findall(r"\bFTK_\w+=\S+|tests/\S+", line))
    counts, properties = read_report(report) if report.exists() else ({}, [])
    return Step(name, done.returncode, time.monotonic() - started, counts, properties)


def read_report(report: Path) -> tuple[dict[str, int], list[tuple[str, str, str]]]:
    """Return the counts of a JUnit report, and the properties that its tests recorded."""
    root = ET.parse(report).getroot()
    counts = {name: sum(int(suite.get(name, 0)) for suite in root.iter("testsuite")) for name in COUNTS}
    properties = [
        (str(case.get("name")), str(one.get("name")), str(one.get("value")))
        for case in root.iter("testcase")
        for one in case.iter("property")
    ]
    return counts, properties


def print_table(target: str, steps: list[Step], console: Console) -> None:
    grid = Table(title=f"make {target}", title_justify="left")
    for column in ("step", "verdict", *COUNTS, "seconds"):
        grid.add_column(column, justify="left" if column in ("step", "verdict") else "right")
    for step in steps:
        counts = [str(step.counts.get(name, "-")) for name in COUNTS]
        grid.add_row(step.name, "FAILED" if step.failed else "passed", *counts, f"{step.seconds:.0f}")
    console.print(grid)
    for step in steps:
        for test, name, value in step.properties:
            console.print(f"{test}: {name}: {value}", markup=False, highlight=False)


def main(arguments: list[str]) -> int:
    """Run all steps of a make target; return 1 if any of them failed, ran no test, or was interrupted.

    `arguments` are the name of the target and arguments for make, such as ``ARGS=--lf``.
    """
    lines, steps = steps_of_make(*arguments), list[Step]()
    with TemporaryDirectory() as folder, suppress(KeyboardInterrupt):
        for number, line in enumerate(lines):
            steps.append(run_step(line, Path(folder) / f"{number}.xml"))
    print_table(arguments[0], steps, Console(width=180))
    return int(len(steps) < max(1, len(lines)) or any(step.failed for step in steps))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
