"""`ftk review`: print the turning points of a match, its costliest choices, and the share of luck."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fractions import Fraction
from gettext import gettext as _
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress
from rich.table import Table

from ftk_core.analysis.analysis_build_ids import analysis_build_of
from ftk_core.analysis.bot_play_summary import combine_summaries, summarize_seat
from ftk_core.analysis.match_review import EYES, check_review_eyes, review
from ftk_core.analysis.match_review_document import MatchReviewDocument, build_review_document
from ftk_core.analysis.match_review_facts import GamePositionEvaluated, ReviewFact
from ftk_core.games import UnknownGameError
from ftk_core.i18n import N_, pick_text
from ftk_core.kit.built_in_bots import BotNotFound
from ftk_core.kit.client.http_client import RequestError
from ftk_core.kit.client.token_store import TokenStoreError
from ftk_core.kit.commands.html_match_export import check_writable, write_page
from ftk_core.kit.commands.login import LOCAL_SERVER, Shown
from ftk_core.kit.commands.watch import ViewerFilesMissing
from ftk_core.kit.i18n.locale import choose_language
from ftk_core.kit.match_loading import find_seats, list_matches, read_match
from ftk_core.kit.match_series.bot_play_summary_output import mark_unsure, print_coaching
from ftk_core.kit.match_series.local_match_options import Json, print_json, refuse_unused
from ftk_core.kit.match_series.playout_policies import load_policy, warn_of_slow_playouts
from ftk_core.kit.terminal_output import describe_os_error, err, fail, out
from ftk_core.logged_decisions import opening_of
from ftk_core.match_moves import MoveHistory, moves_of

COSTLIEST_CHOICES = 5
"""Maximum number of costly choices, and also of turning points, that are printed."""
MatchSource = Annotated[str, typer.Argument(metavar="MATCH", help="Log file, or the id of a match on the server.")]
ReviewSource = Annotated[
    str,
    typer.Argument(metavar="MATCH", help="Log file, id of a match on the server, or, with --bot, a folder of logs."),
]
Playouts = Annotated[
    int,
    typer.Option(
        min=2,
        help="Playouts for each choice: half for the position; its options take as many or more.",
    ),
]
PolicyName = Annotated[
    str,
    typer.Option(
        "--policy", help="Policy of the playouts: quick, anything (random), or a built-in bot; the fastest by default."
    ),
]
reviewing = typer.Typer()


@reviewing.command("review")
@refuse_unused(
    "seat", when=lambda given: given["eyes"] == "public", message=N_("{option} has no effect with --eyes public")
)
def review_match(
    source: ReviewSource,
    seat: Annotated[
        int | None, typer.Option(help="Seat whose costliest choices are listed; all seats by default.")
    ] = None,
    playouts: Playouts = 200,
    policy: PolicyName = "",
    eyes: Annotated[str, typer.Option(help="Knowledge: own (what the seat knew), all (everything) or public.")] = "own",
    number: Annotated[int, typer.Option("--match", help="Number of the match, if the log has several.")] = 1,
    bot: Annotated[str, typer.Option(help="With a folder of logs: name of the bot to sum up.")] = "",
    json: Json = False,
    page: Annotated[
        Path | None, typer.Option("--html", help="Write a page with the viewer that opens without a server.")
    ] = None,
    force: Annotated[bool, typer.Option(help="Overwrite an existing page.")] = False,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER")] = LOCAL_SERVER,
    token: Shown = "",
) -> None:
    """Review a finished match: costliest choices, turning points, and the share of luck for each seat."""
    try:
        _check_options(source, bot, page, seat, number, force=force)
        if bot:
            _review_folder(Path(source), bot, policy, playouts, eyes, json=json)
            return
        lines = read_match(source, number, server, token)
        moves = moves_of(lines)
        _check(moves, eyes, seat)
        document = _review(moves, policy, playouts, eyes)
        size = write_page(page, lines, document) if page else 0
    except (UnknownGameError, BotNotFound, ViewerFilesMissing, RequestError, TokenStoreError, ValueError) as error:
        fail(error)
    except OSError as error:
        fail(describe_os_error(error, source))
    if page:
        _say_written(page, size)
    if json:
        print_json(document)
    else:
        _print(document, seat)


def _check_options(source: str, bot: str, page: Path | None, seat: int | None, number: int, *, force: bool) -> None:
    """Raise ValueError for options of `ftk review` that contradict each other."""
    if not Path(source).is_dir():
        if bot:
            raise ValueError(_("--bot {bot}: {source} is not a folder of logs").format(bot=bot, source=source))
    elif not bot:
        raise ValueError(_("{folder} is a folder: say by --bot whose play is summed up").format(folder=source))
    elif page or seat is not None or number != 1:
        raise ValueError(_("{folder} is a folder: --html, --match and --seat are for one match").format(folder=source))
    if page:
        check_writable(page, force=force)


def _say_written(page: Path, size: int) -> None:
    err.print(
        _("written: {page}, {size} bytes; open it in any browser").format(page=page, size=format(size, ",")),
    )


def _review(moves: MoveHistory, policy: str, playouts: int, eyes: str) -> MatchReviewDocument:
    opened = moves.opened
    chosen = load_policy(moves.game, policy, len(opened.players), os.cpu_count() or 1, opened.clock)
    facts = review(moves, chosen, playouts, eyes, analysis_build_of(opened.game))
    return build_review_document(_with_progress(facts, moves))


def _review_folder(folder: Path, bot: str, policy: str, playouts: int, eyes: str, *, json: bool) -> None:
    """Review all matches of a bot in a folder of logs, and print summaries."""
    _check_eyes(eyes)
    summaries = []
    for path, number in list_matches(folder):
        try:
            lines = read_match(path, number, "", "")
            if not (seats := find_seats(opening_of(lines).players, bot)):
                continue
            moves = moves_of(lines)
            check_review_eyes(moves.game, eyes)
        except (ValueError, UnknownGameError) as error:
            err.print(_("{path}, match {number}: left out: {error}").format(path=path, number=number, error=error))
            continue
        document = _review(moves, policy, playouts, eyes)
        summaries += [summarize_seat(document, seat) for seat in seats]
    if not summaries:
        raise ValueError(_("{bot} plays in no match in {folder}").format(bot=repr(bot), folder=folder))
    reports = combine_summaries(summaries, bot)
    if json:
        print_json(reports)
    else:
        for report in reports:
            print_coaching(report)


def _check_eyes(eyes: str) -> None:
    if eyes not in EYES:
        raise ValueError(_("--eyes {eyes}: a match is reviewed with the eyes own, all or public").format(eyes=eyes))


def _check(moves: MoveHistory, eyes: str, seat: int | None) -> None:
    _check_eyes(eyes)
    seats = len(moves.opened.players)
    if seat is not None and seat not in range(seats):
        raise ValueError(_("--seat {seat}: the match has the seats 0 to {seats}").format(seat=seat, seats=seats - 1))


def _with_progress(facts: Iterator[ReviewFact], moves: MoveHistory) -> Iterator[ReviewFact]:
    warn_of_slow_playouts(moves.game)
    with Progress(console=err, transient=True) as progress:
        task = progress.add_task(_("reviewing"), total=len(moves.moves) + 2)
        for fact in facts:
            yield fact
            if isinstance(fact, GamePositionEvaluated):
                progress.advance(task)


def _print(document: MatchReviewDocument, seat: int | None) -> None:
    names = [f"{number} {name}" for number, name in enumerate(document.players)]
    grid = Table(
        _("bot"),
        _("share"),
        _("seat"),
        _("deal"),
        _("chance"),
        _("rest"),
        *(_("by {seat}").format(seat=number) for number in range(len(names))),
        _("cost"),
        _("accuracy"),
        title=_("share of opponents left behind = 0.5 + seat + deal + chance + rest + by all seats"),
        padding=(0, 1, 0, 0),
    )
    for name, account, play in zip(names, document.ledger, document.play, strict=True):
        sources = (account.seat, account.deal, account.chance, account.unexplained, *account.choices)
        sums = (account.share, *sources, play.cost)
        grid.add_row(name, *map(_short_fraction, sums), _short_fraction(play.accuracy) if play.accuracy else "-")
    out.print(grid)
    unsure = [str(seat) for seat, play in enumerate(document.play) if play.asked and not play.sure]
    if document.calibration and unsure:
        out.print(_("cost and accuracy of the seats {seats} are not sure").format(seats=", ".join(unsure)))
    _print_turning_points(document)
    _print_costliest_choices(document, seat)
    out.print(
        _("{playouts} playouts a choice by the policy {policy}, eyes {eyes}").format(
            playouts=document.playouts, policy=repr(document.policy), eyes=document.eyes
        ),
    )
    if not document.calibration:
        out.print(_("not sure: the values of this policy were never compared with results at a table of this size"))


def _print_turning_points(document: MatchReviewDocument) -> None:
    for point in document.turning_points[:COSTLIEST_CHOICES]:
        cause = {"own": _("by its own choice"), "deal": _("by the deal")}.get(point.by, _("by chance"))
        if point.by == "other" and point.of is not None:
            cause = _("by a choice of {player}").format(player=document.players[point.of])
        swing = _short_fraction(point.swing)
        message = _("frame {frame}: {player} {swing} {by}.")
        line = message.format(frame=point.frame, player=document.players[point.seat], swing=swing, by=cause)
        out.print(line if point.sure else mark_unsure(line))


def _print_costliest_choices(document: MatchReviewDocument, seat: int | None) -> None:
    costly = [choice for choice in document.costliest if seat in (None, choice.seat)]
    weighings, language = {choice.entry: choice.weighing for choice in document.choices}, choose_language(os.environ)
    for choice in costly[:COSTLIEST_CHOICES]:
        weighing = weighings[choice.entry]
        texts = {option.item: option.said for option in weighing.options} if weighing else {}
        message = _("entry {entry}, {player}: “{chosen}” lost {loss} ± {margin}. Better: “{better}”.")
        line = message.format(
            entry=choice.entry, player=document.players[choice.seat],
            loss=_short_fraction(choice.loss).lstrip("+"), margin=_short_fraction(choice.margin).lstrip("+"),
            chosen=pick_text(texts[choice.chosen], language.tag), better=pick_text(texts[choice.better], language.tag),
        )  # fmt: skip
        out.print(line if choice.sure else mark_unsure(line))
    if document.eyes == "public":
        out.print(_("choices are compared with their alternatives only with --eyes own or --eyes all"))
    elif not costly:
        out.print(_("no choice seems to have cost anything"))


def _short_fraction(exact: str) -> str:
    return f"{float(Fraction(exact)):+.2f}".replace("+0.", "+.").replace("-0.", "-.")
