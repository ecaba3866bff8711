"""What is not tried on this machine: whoever collects the tests decides, whoever began the session says so."""

from __future__ import annotations

import os
from pathlib import Path

_here: list[str] = []


def _told() -> Path | None:
    """Return where workers of pytest-xdist write it down; None before there is a session."""
    return Path(os.environ["FTK_VAR"]) / "left-out" if "FTK_TEST_SESSION" in os.environ else None


def leave_out(what: str, why: str) -> None:
    """Note that something is left out."""
    line = f"{what} is left out: {why}"
    _here.append(line)
    if told := _told():
        with told.open("a") as file:
            file.write(f"{line}\n")


def left_out() -> list[str]:
    """Return all that was left out, each line once."""
    told = _told()
    return sorted({*_here, *(told.read_text().splitlines() if told and told.exists() else ())})
