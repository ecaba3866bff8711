"""Options shared by all commands that play matches on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from ftk_core.games import UnknownGame
from ftk_core.kit.archive import BadUpload
from ftk_core.kit.door import err, fail, out
from ftk_core.kit.house import NoSuchBot
from ftk_core.kit.record import NotThisSeries

Seed = Annotated[str, typer.Option(help="The same seed plays the same matches.")]
Log = Annotated[Path | None, typer.Option(help="Write the logs of all matches here, one behind the other.")]
Resume = Annotated[
    Path | None, typer.Option(help="Keep what is played in this file, and go on behind what it holds already.")
]
Jobs = Annotated[int, typer.Option(min=1, help="Matches side by side.")]
MoveMs = Annotated[int, typer.Option(min=1, help="Free computing time for each decision.")]
BankMs = Annotated[int, typer.Option(min=0, help="Extra computing time for the whole match.")]
Options = Annotated[str, typer.Option(help="The game's options as JSON, e.g. '{\"fake\": true}'.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of a table.")]
Against = Annotated[
    list[str], typer.Option(help="An opponent, by house name or path; several times for several; house is all of them.")
]
Seats = Annotated[int, typer.Option(min=0, help="At tables of this many; 0 is the smallest.")]
CPUS = os.cpu_count() or 1


@contextmanager
def wrong_input_told(resume: Path | None) -> Iterator[None]:
    """Report wrong input as one line and exit; print how to resume a series that is interrupted."""
    try:
        yield
    except (UnknownGame, NoSuchBot, NotThisSeries, BadUpload, ValueError, OSError) as error:
        fail(error)
    except KeyboardInterrupt:
        if resume:
            err.print(f"stopped; the same command goes on behind what {resume} holds", markup=False)
        raise


def print_json(report: msgspec.Struct) -> None:
    """Print a report as one JSON document."""
    typer.echo(msgspec.json.format(msgspec.json.encode(report)).decode())


def say_written(log: Path | None) -> None:
    """Print the commands that read the log."""
    if log is not None:
        out.print(f"written: {log}; ftk verify {log} checks it, ftk story {log} tells it", markup=False)
