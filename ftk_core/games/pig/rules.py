"""Rules of Pig (see RULES.md): roll and gather, or hold and bank, first to 100."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from ftk_core.bounds import endless, number, row, seat_of
from ftk_core.facts import Action, Fact, Viewer
from ftk_core.game import Game, Result, RuleError, StandardOptions, places_by
from ftk_core.games.pig.by_hand import BY_HAND
from ftk_core.rng import Chance, Draw
from ftk_core.scene import Meter, Piece, Scene, Zone
from ftk_core.words import sayer, seat_name

GOAL = 100
ENOUGH = 20
"""Number of points at which playouts hold."""
ROLLS_PER_TURN = 40
"""A turn of this many rolls ends by itself, so that every game ends (a house rule)."""
MOST_SEATS = 6
MOST_GATHERED = 6 * ROLLS_PER_TURN
Points = Annotated[int, number(0, GOAL - 1 + MOST_GATHERED)]


class Hold(Action, frozen=True):
    """Bank what this turn has gathered and pass the die on."""


class Roll(Action, frozen=True):
    """Roll the die once more."""


class DieRolled(Fact, frozen=True):
    """The die was rolled."""

    seat: int
    face: int
    """1 to 6; a 1 loses the points gathered in this turn."""


class TurnBanked(Fact, frozen=True):
    """A seat banked the points of its turn."""

    seat: int
    points: int


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Complete state. Nothing in Pig is hidden."""

    banked: Annotated[tuple[Points, ...], row(MOST_SEATS)]
    """Banked points by seat."""
    seat: Annotated[int, seat_of(MOST_SEATS)] = 0
    """Seat whose turn it is."""
    gathered: Annotated[int, number(0, MOST_GATHERED)] = 0
    """Points gathered in this turn."""
    rolls: Annotated[int, number(0, ROLLS_PER_TURN)] = 0
    """Number of rolls in this turn."""
    turns: Annotated[int, endless(30)] = 0
    """Number of finished turns."""
    face: Annotated[int, number(0, 6)] = 0
    """Face of the die; 0 before the first roll."""


def setup(seats: int, _options: StandardOptions) -> Table:
    """Return an empty score sheet."""
    return Table(banked=(0,) * seats)


def deal(_table: Table, _chance: Chance) -> tuple[Fact, ...]:
    """Return no facts: there is nothing to shuffle."""
    return ()


def turn(table: Table) -> tuple[int, ...]:
    """Return the seat to act; empty once a seat has reached the goal."""
    return () if max(table.banked) >= GOAL else (table.seat,)


def legal(table: Table, _seat: int) -> tuple[Action, ...]:
    """Return the menu: hold, and roll while the limit allows; a turn begins with a roll."""
    if table.rolls == 0:
        return (Roll(),)
    return (Hold(), Roll()) if table.rolls < ROLLS_PER_TURN else (Hold(),)


def decide(table: Table, seat: int, action: Action, chance: Chance) -> tuple[Fact, ...]:
    """Return the facts of a choice; raise RuleError if it is not on the menu."""
    if seat not in turn(table) or action not in legal(table, seat):
        raise RuleError(f"seat {seat} may not {action}")
    return (_fact_of(table, seat, action, chance),)


def _fact_of(table: Table, seat: int, action: Action, chance: Chance) -> Fact:
    if isinstance(action, Hold):
        return TurnBanked(seat, table.gathered)
    return DieRolled(seat, 1 + chance.at("roll", table.turns, table.rolls).below(6))


def follow(table: Table, seat: int, action: Action, chance: Chance) -> tuple[tuple[Fact, ...], Table]:
    """Return the facts of a legal choice, and the resulting table."""
    fact = _fact_of(table, seat, action, chance)
    return (fact,), apply(table, fact)


def apply(table: Table, fact: Fact) -> Table:
    """Return the table after a fact."""
    match fact:
        case DieRolled(face=1):
            return _next(table, table.banked, face=1)
        case DieRolled(face=face):
            gathered = table.gathered + face
            return msgspec.structs.replace(table, gathered=gathered, rolls=table.rolls + 1, face=face)
        case TurnBanked(seat=seat, points=points):
            banked = tuple(have + points * (other == seat) for other, have in enumerate(table.banked))
            return _next(table, banked, face=table.face)
    raise TypeError(f"Pig knows no {fact}")


def _next(table: Table, banked: tuple[int, ...], face: int) -> Table:
    return Table(banked=banked, seat=(table.seat + 1) % len(banked), turns=table.turns + 1, face=face)


def quick(table: Table, seat: int, _menu: Sequence[Action], _draw: Draw) -> int:
    """Choose for playouts: hold with enough points gathered, or with enough to win."""
    return int(table.gathered < ENOUGH and table.banked[seat] + table.gathered < GOAL)


def view(table: Table, _viewer: Viewer) -> Table:
    """Return the whole table: everything is public."""
    return table


def resample(table: Table, _viewer: Viewer, _chance: Chance) -> Table:
    """Return the same table: nothing is hidden, and each roll is drawn when it happens."""
    return table


def scene(table: Table) -> Scene:
    """Draw the die, and a score for each seat."""
    faces = (Piece(key="die", kind="die", face=str(table.face), label=f"Die: {table.face}"),) if table.face else ()
    zones = [Zone(key="die", label="Die", pieces=faces, note=f"gathered {table.gathered}")]
    for seat, points in enumerate(table.banked):
        score = Piece(key=f"score-{seat}", kind="text", face=str(points), label=f"{points} points")
        zones.append(Zone(key=f"seat-{seat}", label="Banked", seat=seat, pieces=(score,)))
    return Scene(tuple(zones), (Meter("points", "Points", table.banked),), turn(table))


def result(table: Table) -> Result:
    """Return the places by banked points."""
    return Result(places_by(table.banked), table.banked)


SAY = sayer(
    {
        "en": {"die_rolled": "{seat} rolls a {face}.", "turn_banked": "{seat} holds and banks {points}."},
        "zh-Hant": {"die_rolled": "{seat} 擲出 {face}。", "turn_banked": "{seat} 停手，得 {points} 分。"},
    },
    {"seat": seat_name},
)

LABELS = {
    "zh-Hant": {
        "Die": "骰子",
        "Die: #": "骰子：# 點",
        "gathered #": "本回合累積 #",
        "Banked": "已入袋",
        "# points": "# 分",
        "Points": "分數",
    }
}
ABOUT = {
    "en": {
        "die": "The die. A face of 2 to 6 is gathered; a 1 loses all that the turn has gathered and ends it.",
        "text": "Points banked: they cannot be lost. Whoever first banks 100 or more ends the game.",
    },
    "zh-Hant": {
        "die": "骰子。2 至 6 點累積到本回合；擲出 1 點則失去本回合累積的分數並結束回合。",
        "text": "已入袋的分數，不會失去。最先達到 100 分者結束遊戲。",
    },
}

GAME = Game(
    name="pig",
    title="Pig",
    version=1,
    seats=range(2, MOST_SEATS + 1),
    longest_menu=2,
    actions=Hold | Roll,
    facts=DieRolled | TurnBanked,
    setup=setup,
    deal=deal,
    turn=turn,
    legal=legal,
    decide=decide,
    apply=apply,
    follow=follow,
    quick=quick,
    view=view,
    resample=resample,
    scene=scene,
    result=result,
    say=SAY,
    labels=LABELS,
    about=ABOUT,
    by_hand=BY_HAND,
)
