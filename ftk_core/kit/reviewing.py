"""`ftk review`: the turning points of a match, its costliest choices, and the share of luck."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress
from rich.table import Table

from ftk_core.games import UnknownGame, build_of
from ftk_core.kit.alone import check_free, write_page
from ftk_core.kit.calls import Refused
from ftk_core.kit.door import err, fail, out
from ftk_core.kit.house import NoSuchBot
from ftk_core.kit.keeping import NotKept
from ftk_core.kit.login import NEARBY, Shown
from ftk_core.kit.policies import policy_of
from ftk_core.kit.series_options import Json, print_json
from ftk_core.kit.sources import read_match
from ftk_core.kit.watching import NoViewer
from ftk_core.moves import Moves, moves_of
from ftk_core.review import EYES, ReviewFact, TableValued, review
from ftk_core.reviewed import Reviewed, reviewed

DEAREST = 5
"""Number of the costliest choices in the table."""
MatchSource = Annotated[str, typer.Argument(metavar="MATCH", help="A log, or a match's id on the server.")]
Playouts = Annotated[int, typer.Option(min=2, help="For each choice: half value the table, half its options.")]
PolicyName = Annotated[
    str, typer.Option("--policy", help="Who plays on: quick, anything, or a house bot; the quickest by default.")
]
reviewing = typer.Typer()


@reviewing.command("review")
def review_match(
    source: MatchSource,
    seat: Annotated[int | None, typer.Option(help="Whose costliest choices; of all by default.")] = None,
    playouts: Playouts = 200,
    policy: PolicyName = "",
    eyes: Annotated[str, typer.Option(help=f"{' or '.join(EYES)}: what is known of the table.")] = "all",
    number: Annotated[int, typer.Option("--match", help="Which match of a log of several.")] = 1,
    json: Json = False,
    page: Annotated[
        Path | None, typer.Option("--html", help="Write a page with the viewer in it that opens from disk.")
    ] = None,
    force: Annotated[bool, typer.Option(help="Write over a page that is there.")] = False,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER")] = NEARBY,
    token: Shown = "",
) -> None:
    """Review a finished match: the costliest choices, the turning points, and how much was luck, seat by seat."""
    try:
        if page:
            check_free(page, force=force)
        lines = read_match(source, number, server, token)
        moves = moves_of(lines)
        _check(moves, eyes, seat)
        chosen = policy_of(moves.game, policy, len(moves.opened.players))
        found = reviewed(_told(review(moves, chosen, playouts, eyes, build_of(moves.opened.game)), moves))
        size = write_page(page, lines, found) if page else 0
    except (UnknownGame, NoSuchBot, NoViewer, Refused, NotKept, ValueError) as error:
        fail(error)
    except OSError as error:
        fail(f"{error.filename or source}: {error.strerror or error}")
    if page:
        err.print(f"written: {page}, {size:,} bytes; open it in any browser", markup=False)
    if json:
        print_json(found)
    else:
        _print(found, seat)


def _check(moves: Moves, eyes: str, seat: int | None) -> None:
    if eyes not in EYES:
        raise ValueError(f"--eyes {eyes}: a match is reviewed with the eyes {' or '.join(EYES)}")
    seats = len(moves.opened.players)
    if seat is not None and seat not in range(seats):
        raise ValueError(f"--seat {seat}: the match has the seats 0 to {seats - 1}")


def _told(facts: Iterator[ReviewFact], moves: Moves) -> Iterator[ReviewFact]:
    with Progress(console=err, transient=True) as progress:
        task = progress.add_task("reviewing", total=len(moves.moves) + 2)
        for fact in facts:
            yield fact
            if isinstance(fact, TableValued):
                progress.advance(task)


def _print(found: Reviewed, seat: int | None) -> None:
    names = [f"{number} {name}" for number, name in enumerate(found.players)]
    grid = Table(
        "seat",
        "share",
        "seat",
        "deal",
        "chance",
        *(f"by {number}" for number in range(len(names))),
        "cost",
        "accuracy",
        title="Where each share of opponents left behind came from: 0.5 and",
    )
    for name, account, play in zip(names, found.ledger, found.play, strict=True):
        sums = (account.share, account.seat, account.deal, account.chance, *account.choices, play.cost)
        grid.add_row(name, *map(_short, sums), _short(play.accuracy) if play.accuracy else "-")
    out.print(grid)
    for point in found.turning_points[:DEAREST]:
        by = {"own": "by its own choice", "other": f"by a choice of {point.of}", "deal": "by the deal"}
        out.print(f"frame {point.frame}: seat {point.seat} {_short(point.swing)} {by.get(point.by, 'by chance')}")
    weighed = [choice for choice in found.choices if choice.weighing and seat in (None, choice.seat)]
    for choice in sorted(weighed, key=lambda choice: Fraction(choice.weighing.cost if choice.weighing else 0))[
        : -DEAREST - 1 : -1
    ]:
        out.print(
            f"entry {choice.entry}: seat {choice.seat}'s choice cost {_short(choice.weighing.cost)}"
            if choice.weighing
            else ""
        )
    out.print(f"{found.playouts} playouts a choice by the policy {found.policy!r}, eyes {found.eyes}", markup=False)


def _short(exact: str) -> str:
    return f"{float(Fraction(exact)):+.2f}".replace("+0.", "+.").replace("-0.", "-.")
