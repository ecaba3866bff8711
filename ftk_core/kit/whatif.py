"""`ftk whatif`: plays a match on from other choices and compares the results."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from fractions import Fraction
from typing import Annotated

import typer
from rich.table import Table

from ftk_core.estimate import Policy
from ftk_core.facts import OMNISCIENT, PUBLIC, Viewer
from ftk_core.fork import AsItCouldHaveBeen, AsItWas, Fork, NoFork, as_it_could_have_been, as_it_was
from ftk_core.games import UnknownGame, build_of
from ftk_core.kit.archive import BadUpload
from ftk_core.kit.calls import Refused
from ftk_core.kit.compiling import NotCompiled
from ftk_core.kit.door import UNSOUND, err, fail, out
from ftk_core.kit.house import NoSuchBot
from ftk_core.kit.keeping import NotKept
from ftk_core.kit.login import NEARBY, Shown
from ftk_core.kit.policies import BotAtSeat, policy_of
from ftk_core.kit.reviewing import MatchSource, PolicyName
from ftk_core.kit.series_options import Json, print_json
from ftk_core.kit.sources import read_match
from ftk_core.players import HostFault
from ftk_core.whatif import WhatIf, tries

whatif = typer.Typer()
Way = AsItWas | AsItCouldHaveBeen


@whatif.command("whatif")
def what_if(
    source: MatchSource,
    at: Annotated[int, typer.Option(help="The number of a choice's entry in the log.")],
    choose: Annotated[list[int] | None, typer.Option(help="An item of its menu; several times for several.")] = None,
    bot: Annotated[str, typer.Option(help="Plays on for the seat: a path, or a house bot's name.")] = "",
    playouts: Annotated[int, typer.Option("-n", min=1, help="How often each item is played on from.")] = 200,
    width: Annotated[float, typer.Option(min=0, max=1, help="Stop before where all margins are no wider.")] = 0,
    policy: PolicyName = "",
    same: Annotated[
        bool, typer.Option("--as-it-was", help="With the match's own luck; nothing is dealt again.")
    ] = False,
    eyes: Annotated[
        str, typer.Option(help="What these do not know is dealt again: own, a seat, public or all.")
    ] = "own",
    number: Annotated[int, typer.Option("--match", help="Which match of a log of several.")] = 1,
    json: Json = False,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER")] = NEARBY,
    token: Shown = "",
) -> None:
    """Play a match on from a choice, as it was made and otherwise, and show the places that would have come of it."""
    try:
        lines = read_match(source, number, server, token)
        way = as_it_was(lines, at) if same else _again(lines, at, eyes)
        found = _found(way, choose or [], _player(way.fork, bot, policy), playouts, width)
    except (UnknownGame, NoSuchBot, NotCompiled, BadUpload, Refused, NotKept, ValueError) as error:
        fail(error)
    except HostFault as error:
        fail(f"this machine is too busy to judge a bot, try again: {error}", UNSOUND)
    except OSError as error:
        fail(f"{error.filename or source}: {error.strerror or error}")
    if json:
        print_json(found)
    else:
        _print(found)


def _again(lines: Sequence[bytes], entry: int, eyes: str) -> AsItCouldHaveBeen:
    """Return a fork in which everything the viewer does not know is dealt again; raises NoFork."""
    fork = as_it_could_have_been(lines, entry, OMNISCIENT).fork
    seats = range(len(fork.opened.players))
    known: dict[str, Viewer] = {"own": fork.seat, "public": PUBLIC, "all": OMNISCIENT, **{str(s): s for s in seats}}
    if eyes not in known:
        raise NoFork(f"--eyes {eyes}: there are own, {', '.join(map(str, seats))}, public and all")
    return as_it_could_have_been(lines, entry, known[eyes])


def _player(fork: Fork, bot: str, policy: str) -> Policy | BotAtSeat:
    others = policy_of(fork.game, policy, len(fork.opened.players))
    return BotAtSeat(fork.game, bot, fork.seat, others) if bot else others


def _found(way: Way, items: Sequence[int], player: Policy | BotAtSeat, playouts: int, width: float) -> WhatIf:
    fork = way.fork
    for item in items:
        if not 0 <= item < len(fork.menu):
            raise NoFork(f"--choose {item}: the menu of entry {fork.entry} has the items 0 to {len(fork.menu) - 1}")
    narrow = Fraction(str(width)) if width else None
    with ExitStack() as stack:
        if isinstance(player, BotAtSeat):
            stack.enter_context(player)
        status = stack.enter_context(err.status("playing on ..."))
        tried = []
        for item, found in tries(way, items or range(len(fork.menu)), player, playouts, narrow):
            status.update(f"item {item} was played on from")
            tried.append(found)
    return WhatIf(
        match=fork.opened.match, game=fork.opened.game, build=build_of(fork.opened.game), entry=fork.entry,
        seat=fork.seat, chosen=fork.chosen, luck="as it was" if isinstance(way, AsItWas) else "as it could have been",
        eyes=_eyes(way), policy=player.name, tried=tuple(tried),
    )  # fmt: skip


def _eyes(way: Way) -> str:
    if isinstance(way, AsItWas) or way.viewer == OMNISCIENT:
        return "all"
    return "public" if way.viewer == PUBLIC else str(way.viewer)


def _print(found: WhatIf) -> None:
    places = [str(1 + place) for place in range(len(found.tried[0].places))]
    grid = Table(
        "item", "action", *places, "share", "gain", title=f"entry {found.entry}, seat {found.seat}, {found.luck}"
    )
    for row in found.tried:
        mark = " (chosen)" if row.item == found.chosen else ""
        gain = f"{_short(row.gain)} +- {_short(row.gain_margin)}"
        shown = bytes(row.action).decode()
        grid.add_row(f"{row.item}{mark}", shown, *map(str, row.places), _short(row.share), "" if mark else gain)
    out.print(grid, markup=False)
    out.print(f"{found.tried[0].playouts} playouts of each by {found.policy}, eyes {found.eyes}", markup=False)


def _short(exact: str) -> str:
    return f"{float(Fraction(exact)):.2f}"
