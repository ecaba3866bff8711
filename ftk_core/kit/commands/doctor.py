"""`ftk doctor`: check whether bots can run on this machine and reach a server, and suggest remedies."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from gettext import gettext as _
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Literal

import msgspec
import typer
from rich.table import Table

from ftk_core.games import list_games
from ftk_core.kit.bot_sandboxing import ARENA, BotStartError, load_arena_sandbox
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.kit.client.http_client import RequestError, check_server, request_json
from ftk_core.kit.client.token_store import TokenStoreError, load_token
from ftk_core.kit.commands.login import LOCAL_SERVER
from ftk_core.kit.i18n.locale import translate_line
from ftk_core.kit.match_series.local_match_options import Json, print_json
from ftk_core.kit.match_series.local_matches import MatchSeries, ScheduledMatch, play_one
from ftk_core.kit.terminal_output import EXIT_NEGATIVE, describe_os_error, out
from ftk_core.native.native_game_rules import has_native_rules
from ftk_core.native.shared_rules_library import load_library

doctoring = typer.Typer()


class LocalMachineCheckResult(msgspec.Struct, frozen=True, kw_only=True):
    """Result of one check of this machine, with a remedy if the check found a problem."""

    what: str
    """Subject of the check, such as "native rules"."""
    state: Literal["ok", "less", "wrong"]
    """``ok``; ``less`` if everything works except an optional part; ``wrong`` if the check failed."""
    said: str
    """Result of the check in words."""
    remedy: str = ""
    """Advice to the user; empty if the state is ``ok``."""


class DoctorReport(msgspec.Struct, frozen=True, kw_only=True):
    """Results of all checks of this machine."""

    schema: str = "ftk.doctor/1"
    findings: tuple[LocalMachineCheckResult, ...]


@doctoring.command()
def doctor(
    json: Json = False,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER", help="Address of the arena to check.")] = LOCAL_SERVER,
) -> None:
    """Check whether this machine can play, sandbox and upload bots; name a remedy for each problem."""
    report = DoctorReport(findings=tuple(run_checks(server)))
    if json:
        print_json(report)
    else:
        grid = Table("", _("what"), _("found"), _("what to do"))
        for finding in report.findings:
            grid.add_row(
                translate_line(finding.state),
                translate_line(finding.what),
                translate_line(finding.said),
                translate_line(finding.remedy),
            )
        out.print(grid)
    if any(finding.state == "wrong" for finding in report.findings):
        raise typer.Exit(EXIT_NEGATIVE)


def run_checks(server: str) -> Iterator[LocalMachineCheckResult]:
    """Run all checks of this machine in order and yield their results."""
    yield LocalMachineCheckResult(
        what=_("kit"),
        state="ok",
        said=_("ftk-arena {version}, Python {python_version}").format(
            version=version("ftk-arena"), python_version=platform.python_version()
        ),
    )
    yield _check_match()
    yield _check_sandbox()
    yield _check_native_rules()
    yield _check_ratings()
    yield _check_cache()
    yield _check_arena(server)


def _check_match() -> LocalMachineCheckResult:
    """Check that bots can play here: play a match between built-in bots."""
    name = min(list_games(), key=lambda name: len(list_built_in_bots(name)))
    bots = (list(list_built_in_bots(name)) * 9)[: list_games()[name].seats.start]
    try:
        played = play_one(
            MatchSeries(game=name, bots=tuple(bots), seed="doctor"), ScheduledMatch(tuple(range(len(bots))), 0, "0")
        )
    except (OSError, ValueError) as error:
        return LocalMachineCheckResult(
            what=_("a match"),
            state="wrong",
            said=str(error),
            remedy=_("bots run as processes: check that your user may start more of them"),
        )
    if any(played.faults):
        said = _("{faults} answers of built-in bots were missed").format(faults=sum(played.faults))
        return LocalMachineCheckResult(
            what=_("a match"), state="wrong", said=said, remedy=_("is the machine out of memory, or very busy?")
        )
    return LocalMachineCheckResult(
        what=_("a match"), state="ok", said=_("{name} was played by {bots} processes").format(name=name, bots=len(bots))
    )


def _check_sandbox() -> LocalMachineCheckResult:
    try:
        hold = load_arena_sandbox()
    except BotStartError as error:
        return LocalMachineCheckResult(
            what=_("sandbox"), state="wrong", said=str(error), remedy=_("repair the installation of the arena")
        )
    if hold is None:
        said = _("none: `ftk check` imitates it")
        return LocalMachineCheckResult(
            what=_("sandbox"),
            state="less",
            said=said,
            remedy=_("if you check what others wrote: {arena}").format(arena=_(ARENA)),
        )
    return LocalMachineCheckResult(what=_("sandbox"), state="ok", said=_("`ftk check` sandboxes bots as a server does"))


def _check_native_rules() -> LocalMachineCheckResult:
    if load_library() is None:
        said = _("not built: reviews and verification are slower")
        remedy = _("install a C++ compiler and run {command}").format(command="python -m ftk_core.native.build")
        return LocalMachineCheckResult(what=_("native rules"), state="less", said=said, remedy=remedy)
    without = [name for name, rules in list_games().items() if not has_native_rules(rules)]
    said = _("built; {games} have none").format(games=", ".join(without)) if without else _("built for all games")
    return LocalMachineCheckResult(what=_("native rules"), state="ok", said=said)


def _check_ratings() -> LocalMachineCheckResult:
    if missing := [name for name in ("numpy", "scipy") if find_spec(name) is None]:
        said = _("without {missing} `ftk play` prints no ratings").format(missing=" and ".join(missing))
        return LocalMachineCheckResult(what=_("ratings"), state="less", said=said, remedy=_("pip install numpy scipy"))
    return LocalMachineCheckResult(what=_("ratings"), state="ok", said=_("numpy and scipy are there"))


def _check_cache() -> LocalMachineCheckResult:
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ftk"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with TemporaryDirectory(dir=folder):
            free = shutil.disk_usage(folder).free >> 20
    except OSError as error:
        said = describe_os_error(error, folder)
        return LocalMachineCheckResult(
            what=_("cache"), state="wrong", said=said, remedy=_("set XDG_CACHE_HOME to another folder")
        )
    return LocalMachineCheckResult(
        what=_("cache"), state="ok", said=_("{folder}, {free} MiB free").format(folder=folder, free=free)
    )


def _check_arena(server: str) -> LocalMachineCheckResult:
    try:
        where = check_server(server)
        token = os.environ.get("FTK_TOKEN") or load_token(where)
        if not token:
            said = _("no token is kept for {where}").format(where=where)
            return LocalMachineCheckResult(
                what=_("arena"), state="less", said=said, remedy=_("ftk login {where}").format(where=where)
            )
        owner = request_json(f"{where}/api/v1/token/", token)
    except (RequestError, TokenStoreError) as error:
        return LocalMachineCheckResult(
            what=_("arena"), state="less", said=str(error), remedy=_("name the arena by --server or FTK_SERVER")
        )
    may = ", ".join(map(str, owner.get("scopes", ())))
    return LocalMachineCheckResult(
        what=_("arena"),
        state="ok",
        said=_("you are {get} at {where}, and may {may}").format(get=owner.get("person", "?"), where=where, may=may),
    )
