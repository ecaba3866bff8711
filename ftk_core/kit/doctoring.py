"""`ftk doctor`: checks of this machine and its connection to an arena, with remedies."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Literal

import msgspec
import typer
from rich.table import Table

from ftk_core.games import shelf
from ftk_core.kit.arena import Fixture, Series, play_one
from ftk_core.kit.calls import Refused, call, check_server
from ftk_core.kit.door import UNSOUND, out
from ftk_core.kit.holding import ARENA, NotStarted, arena
from ftk_core.kit.house import house_bots
from ftk_core.kit.keeping import NotKept, kept_for
from ftk_core.kit.login import NEARBY
from ftk_core.kit.series_options import Json, print_json
from ftk_core.kit.tongue import headed, spoken

doctoring = typer.Typer()


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Result of one check."""

    what: str
    state: Literal["ok", "less", "wrong"]
    """``less``: everything works except an optional part."""
    said: str
    remedy: str = ""
    """Remedy; empty if the check passed."""


class DoctorReport(msgspec.Struct, frozen=True, kw_only=True):
    """Results of all checks."""

    schema: str = "ftk.doctor/1"
    findings: tuple[Finding, ...]


@doctoring.command()
def doctor(
    json: Json = False,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER", help="The arena to ask.")] = NEARBY,
) -> None:
    """Look whether bots can be played, held and sent from here, and say what to do where they cannot."""
    report = DoctorReport(findings=tuple(findings(server)))
    if json:
        print_json(report)
    else:
        grid = Table("", "what", "found", "what to do")
        for row in report.findings:
            grid.add_row(headed(row.state), headed(row.what), spoken(row.said), spoken(row.remedy))
        out.print(grid)
    if any(row.state == "wrong" for row in report.findings):
        raise typer.Exit(UNSOUND)


def findings(server: str) -> Iterator[Finding]:
    """Run the checks in order and yield their results."""
    yield Finding(what="kit", state="ok", said=f"ftk-arena {version('ftk-arena')}, Python {platform.python_version()}")
    yield _match()
    yield _cage()
    yield _ratings()
    yield _cache()
    yield _arena(server)


def _match() -> Finding:
    """Play a match of the game with the fewest built-in bots, with real processes."""
    name = min(shelf(), key=lambda name: len(house_bots(name)))
    bots = (list(house_bots(name)) * 9)[: shelf()[name].seats.start]
    try:
        played = play_one(Series(game=name, bots=tuple(bots), seed="doctor"), Fixture(tuple(range(len(bots))), 0, "0"))
    except (OSError, ValueError) as error:
        return Finding(what="a match", state="wrong", said=str(error), remedy="bots are processes: may you start some?")
    if any(played.faults):
        said = f"{sum(played.faults)} answers of the house's own bots were missed"
        return Finding(what="a match", state="wrong", said=said, remedy="is the machine out of memory, or very busy?")
    return Finding(what="a match", state="ok", said=f"{name} was played by {len(bots)} processes")


def _cage() -> Finding:
    try:
        hold = arena()
    except NotStarted as error:
        return Finding(what="cage", state="wrong", said=str(error), remedy="repair the installation of the arena")
    if hold is None:
        said = "none: `ftk check` runs bots with your rights"
        return Finding(what="cage", state="less", said=said, remedy=f"if you check what others wrote: {ARENA}")
    return Finding(what="cage", state="ok", said="`ftk check` holds bots as a server does")


def _ratings() -> Finding:
    if missing := [name for name in ("numpy", "scipy") if find_spec(name) is None]:
        said = f"without {' and '.join(missing)} `ftk play` prints no ratings"
        return Finding(what="ratings", state="less", said=said, remedy="pip install numpy scipy")
    return Finding(what="ratings", state="ok", said="numpy and scipy are there")


def _cache() -> Finding:
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ftk"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with TemporaryDirectory(dir=folder):
            free = shutil.disk_usage(folder).free >> 20
    except OSError as error:
        said = f"{folder}: {error.strerror or error}"
        return Finding(what="cache", state="wrong", said=said, remedy="let XDG_CACHE_HOME name another folder")
    return Finding(what="cache", state="ok", said=f"{folder}, {free} MiB free")


def _arena(server: str) -> Finding:
    try:
        where = check_server(server)
        token = os.environ.get("FTK_TOKEN") or kept_for(where)
        if not token:
            said = f"no token is kept for {where}"
            return Finding(what="arena", state="less", said=said, remedy=f"ftk login {where}")
        who = call(f"{where}/api/v1/token/", token)
    except (Refused, NotKept) as error:
        return Finding(what="arena", state="less", said=str(error), remedy="--server or FTK_SERVER says which one")
    may = ", ".join(map(str, who.get("scopes", ())))
    return Finding(what="arena", state="ok", said=f"you are {who.get('person', '?')} at {where}, and may {may}")
