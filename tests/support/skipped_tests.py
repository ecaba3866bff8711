"""A list of tests that this machine cannot run, collected from all test processes and printed at the end."""

from __future__ import annotations

import os
from pathlib import Path

_here: list[str] = []


def _record_file() -> Path | None:
    """Return the file to which workers of pytest-xdist write; None before a session."""
    return Path(os.environ["FTK_VAR"]) / "left-out" if "FTK_TEST_SESSION" in os.environ else None


def record_skipped(what: str, why: str) -> None:
    """Record that something is not tested."""
    line = f"{what} is left out: {why}"
    _here.append(line)
    if told := _record_file():
        with told.open("a") as file:
            file.write(f"{line}\n")


def list_skipped() -> list[str]:
    """Return all records, without duplicates."""
    told = _record_file()
    return sorted({*_here, *(told.read_text().splitlines() if told and told.exists() else ())})
