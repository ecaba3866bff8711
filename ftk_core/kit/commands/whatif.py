"""`ftk whatif`: continue a match from one of its decisions with other choices, and compare the results."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from fractions import Fraction
from gettext import gettext as _
from operator import itemgetter
from typing import Annotated

import typer
from rich.table import Table

from ftk_core.analysis.analysis_build_ids import analysis_build_of
from ftk_core.analysis.playouts import PlayoutPolicy
from ftk_core.analysis.what_if_analysis import AlternativeMovesReport, compare_items
from ftk_core.facts import OMNISCIENT, PUBLIC, Viewer
from ftk_core.games import UnknownGameError
from ftk_core.i18n import N_
from ftk_core.kit.built_in_bots import BotNotFound
from ftk_core.kit.client.http_client import RequestError
from ftk_core.kit.client.token_store import TokenStoreError
from ftk_core.kit.commands.login import LOCAL_SERVER, Shown
from ftk_core.kit.commands.review import MatchSource, PolicyName
from ftk_core.kit.match_loading import read_match
from ftk_core.kit.match_series.local_match_options import Json, print_json, refuse_unused
from ftk_core.kit.match_series.playout_policies import SingleSeatBotPolicy, load_policy, warn_of_slow_playouts
from ftk_core.kit.terminal_output import describe_os_error, err, fail, fail_too_busy, out
from ftk_core.kit.uploads.bot_compilation import CompileError
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from ftk_core.match_fork import (
    ForkWithResampledHiddenState,
    ForkWithSameSeed,
    MatchForkError,
    MatchForkPoint,
    deal_again,
    fork_with_new_deal,
    fork_with_same_luck,
)
from ftk_core.players import HostOverloadError
from ftk_core.random_streams import MatchRandomness, seed_of

whatif = typer.Typer()
ForkMode = ForkWithSameSeed | ForkWithResampledHiddenState
MENU_CHECKS = 64
"""Number of states, dealt for the viewer, in which the seat's menu must be that of the match."""

INPUT_ERRORS = (
    UnknownGameError,
    BotNotFound,
    CompileError,
    InvalidUploadError,
    RequestError,
    TokenStoreError,
    ValueError,
)
"""Errors caused by the command's arguments; the command prints their message as one line and exits."""


@whatif.command("whatif")
@refuse_unused("eyes", when=itemgetter("same"), message=N_("{option} has no effect with --as-it-was"))
def what_if(
    source: MatchSource,
    at: Annotated[int, typer.Option(help="Number of the choice's entry in the log.")],
    choose: Annotated[list[int] | None, typer.Option(help="Number of a menu item to try; can be repeated.")] = None,
    bot: Annotated[
        str, typer.Option(help="Bot that plays on for the seat: a path, or the name of a built-in bot.")
    ] = "",
    playouts: Annotated[int, typer.Option("-n", min=1, help="Number of playouts of each item.")] = 200,
    width: Annotated[
        float,
        typer.Option(min=0, max=1, help="Stop earlier once the margins after the chosen item are at most this wide."),
    ] = 0,
    policy: PolicyName = "",
    same: Annotated[
        bool, typer.Option("--as-it-was", help="Keep the match's own cards and dice; deal nothing anew.")
    ] = False,
    eyes: Annotated[
        str, typer.Option(help="Deal anew the information hidden from this viewer: own, a seat, public or all.")
    ] = "own",
    number: Annotated[int, typer.Option("--match", help="Number of the match, if the log has several.")] = 1,
    json: Json = False,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER")] = LOCAL_SERVER,
    token: Shown = "",
) -> None:
    """Play on from a choice many times, with the choice made and with others, and compare the places reached."""
    try:
        lines = read_match(source, number, server, token)
        way = fork_with_same_luck(lines, at) if same else _fork_with_new_deal(lines, at, eyes)
        warn_of_slow_playouts(way.fork.game)
        comparison = _compare(way, choose or [], _playout_policy(way.fork, bot, policy), playouts, width)
    except INPUT_ERRORS as error:
        fail(error)
    except HostOverloadError as error:
        fail_too_busy(error)
    except OSError as error:
        fail(describe_os_error(error, source))
    if json:
        print_json(comparison)
    else:
        _print(comparison)


def _fork_with_new_deal(lines: Sequence[bytes], entry: int, eyes: str) -> ForkWithResampledHiddenState:
    """Fork a match at the choice in log entry `entry`. Draw anew everything that a viewer does not know.

    `eyes` names the viewer: a seat number, "own" (the seat that chose), "public" (knows no secret) or "all" (knows
    every secret, so only later random draws are new). Raises MatchForkError.
    """
    fork = fork_with_new_deal(lines, entry, OMNISCIENT).fork
    seats = range(len(fork.opened.players))
    known: dict[str, Viewer] = {"own": fork.seat, "public": PUBLIC, "all": OMNISCIENT, **{str(s): s for s in seats}}
    if eyes not in known:
        raise MatchForkError(
            _("--eyes {eyes}: choose own, {seats}, public or all").format(eyes=eyes, seats=", ".join(map(str, seats)))
        )
    way = fork_with_new_deal(lines, entry, known[eyes])
    for number in range(MENU_CHECKS if way.viewer not in {fork.seat, OMNISCIENT} else 0):
        chance = MatchRandomness(seed_of("menu", fork.opened.seal, entry, number))
        world = deal_again(fork.game, fork.state, way.viewer, chance)
        if tuple(fork.game.legal(world, fork.seat)) != tuple(fork.menu):
            raise MatchForkError(
                _(
                    "--eyes {eyes}: what seat {seat} may choose there depends on what these eyes do not see; choose own"
                    " or all"
                ).format(eyes=eyes, seat=fork.seat)
            )
    return way


def _playout_policy(fork: MatchForkPoint, bot: str, policy: str) -> PlayoutPolicy | SingleSeatBotPolicy:
    clock = fork.opened.clock
    others = load_policy(fork.game, policy, len(fork.opened.players), os.cpu_count() or 1, clock)
    return SingleSeatBotPolicy(fork.game, bot, fork.seat, others, clock) if bot else others


def _compare(
    way: ForkMode, items: Sequence[int], player: PlayoutPolicy | SingleSeatBotPolicy, playouts: int, width: float
) -> AlternativeMovesReport:
    fork = way.fork
    for item in items:
        if not 0 <= item < len(fork.menu):
            raise MatchForkError(
                _("--choose {item}: the menu of entry {entry} has the items 0 to {menu}").format(
                    item=item, entry=fork.entry, menu=len(fork.menu) - 1
                )
            )
    narrow = Fraction(str(width)) if width else None
    with ExitStack() as stack:
        if isinstance(player, SingleSeatBotPolicy):
            stack.enter_context(player)
        status = stack.enter_context(err.status(_("playing on ...")))
        tried = []
        for item, result in compare_items(way, items or range(len(fork.menu)), player, playouts, narrow):
            status.update(_("playouts of item {item} finished").format(item=item))
            tried.append(result)
    return AlternativeMovesReport(
        match=fork.opened.match, game=fork.opened.game, build=analysis_build_of(fork.opened.game), entry=fork.entry,
        seat=fork.seat, chosen=fork.chosen,
        luck=N_("as it was") if isinstance(way, ForkWithSameSeed) else N_("as it could have been"),
        eyes=_eyes(way), policy=player.name, tried=tuple(tried),
    )  # fmt: skip


def _eyes(way: ForkMode) -> str:
    if isinstance(way, ForkWithSameSeed) or way.viewer == OMNISCIENT:
        return "all"
    return "public" if way.viewer == PUBLIC else str(way.viewer)


def _print(comparison: AlternativeMovesReport) -> None:
    places = [str(1 + place) for place in range(len(comparison.tried[0].places))]
    grid = Table(
        _("item"),
        _("action"),
        *places,
        _("share"),
        _("gain"),
        title=_("entry {entry}, seat {seat}, {luck}").format(
            entry=comparison.entry, seat=comparison.seat, luck=_(comparison.luck)
        ),
    )
    for result in comparison.tried:
        is_chosen = result.item == comparison.chosen
        item = _("{item} (chosen)").format(item=result.item) if is_chosen else str(result.item)
        gain = f"{_short_fraction(result.gain)} +- {_short_fraction(result.gain_margin)}"
        shown = bytes(result.action).decode()
        share = _short_fraction(result.share)
        grid.add_row(item, shown, *map(str, result.places), share, "" if is_chosen else gain)
    out.print(grid)
    out.print(
        _("{playouts} playouts of each by {policy}, eyes {eyes}").format(
            playouts=comparison.tried[0].playouts, policy=comparison.policy, eyes=comparison.eyes
        ),
    )


def _short_fraction(exact: str) -> str:
    return f"{float(Fraction(exact)):.2f}"
