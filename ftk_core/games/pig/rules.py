"""Rules of the dice game Pig (see RULES.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from ftk_core.facts import Action, Fact, Viewer
from ftk_core.field_bounds import endless, number, row, seat_of
from ftk_core.game import Game, IllegalChoiceError, MatchResult, NoGameOptions, rank_by_keys
from ftk_core.games.pig import CATALOGUE
from ftk_core.games.pig.human_player_texts import BY_HAND, INTRODUCTION
from ftk_core.random_streams import MatchRandomness, RandomBitStream
from ftk_core.views.fact_sentences import seat_name, sentence_builder
from ftk_core.views.scene import (
    ScenePiece,
    SceneZone,
    SeatComparison,
    SeatComparisonLine,
    SeatCounter,
    TableScene,
    name_seat,
)

GOAL = 100
PLAYOUT_HOLD_POINTS = 20
"""Number of points in a turn at which playouts (simulated matches) hold."""
ROLLS_PER_TURN = 40
"""A turn of this many rolls ends by itself, so that every game ends (a house rule)."""
MAX_SEATS = 6
MAX_GATHERED_POINTS = 6 * ROLLS_PER_TURN
Points = Annotated[int, number(0, GOAL - 1 + MAX_GATHERED_POINTS)]


class HoldAction(Action, frozen=True, tag="hold"):
    """Bank (keep for good) the points of this turn and pass the die on."""


class RollAction(Action, frozen=True, tag="roll"):
    """Roll the die once more."""


class DieRolled(Fact, frozen=True):
    """The die was rolled."""

    seat: int
    face: int
    """1 to 6; a 1 loses the points gathered in this turn."""


class TurnBanked(Fact, frozen=True):
    """A seat ended its turn and banked (kept for good) the turn's points."""

    seat: int
    points: int


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """Complete state of the table. Nothing in Pig is hidden."""

    banked: Annotated[tuple[Points, ...], row(MAX_SEATS)]
    """Banked points by seat."""
    seat: Annotated[int, seat_of(MAX_SEATS)] = 0
    """Seat whose turn it is."""
    gathered: Annotated[int, number(0, MAX_GATHERED_POINTS)] = 0
    """Points gathered in this turn."""
    rolls: Annotated[int, number(0, ROLLS_PER_TURN)] = 0
    """Number of rolls in this turn."""
    turns: Annotated[int, endless(30)] = 0
    """Number of finished turns."""
    face: Annotated[int, number(0, 6)] = 0
    """Face of the die; 0 before the first roll."""


def setup(seats: int, _options: NoGameOptions) -> TableState:
    """Return the table at the start, where no seat has points."""
    return TableState(banked=(0,) * seats)


def deal(_table: TableState, _chance: MatchRandomness) -> tuple[Fact, ...]:
    """Return no events, because there is nothing to shuffle."""
    return ()


def turn(table: TableState) -> tuple[int, ...]:
    """Return the seat that must choose, or no seat if the game is over."""
    return () if max(table.banked) >= GOAL else (table.seat,)


def legal(table: TableState, _seat: int) -> tuple[Action, ...]:
    """Return the legal actions: roll, hold, or both."""
    # The first action is played for a player who does not answer.
    if table.rolls == 0:
        return (RollAction(),)
    return (HoldAction(), RollAction()) if table.rolls < ROLLS_PER_TURN else (HoldAction(),)


def decide(table: TableState, seat: int, action: Action, chance: MatchRandomness) -> tuple[Fact, ...]:
    """Return the events that a choice causes.

    Raises IllegalChoiceError if the choice is not legal.
    """
    if seat not in turn(table) or action not in legal(table, seat):
        raise IllegalChoiceError(f"seat {seat} may not {action}")
    return (_fact_of(table, seat, action, chance),)


def _fact_of(table: TableState, seat: int, action: Action, chance: MatchRandomness) -> Fact:
    if isinstance(action, HoldAction):
        return TurnBanked(seat, table.gathered)
    return DieRolled(seat, 1 + chance.at("roll", table.turns, table.rolls).below(6))


def follow(
    table: TableState, seat: int, action: Action, chance: MatchRandomness
) -> tuple[tuple[Fact, ...], TableState]:
    """Return the events that a legal choice causes, and the new state."""
    fact = _fact_of(table, seat, action, chance)
    return (fact,), apply(table, fact)


def apply(table: TableState, fact: Fact) -> TableState:
    """Return the state of the game after one more event."""
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


def _next(table: TableState, banked: tuple[int, ...], face: int) -> TableState:
    return TableState(banked=banked, seat=(table.seat + 1) % len(banked), turns=table.turns + 1, face=face)


def quick(table: TableState, seat: int, _menu: Sequence[Action], _draw: RandomBitStream) -> int:
    """Return the menu index that a fast policy chooses in simulated matches."""
    # 0 is hold and 1 is roll. Simulated matches do not call the function if the menu has only one item.
    return int(table.gathered < PLAYOUT_HOLD_POINTS and table.banked[seat] + table.gathered < GOAL)


def view(table: TableState, _viewer: Viewer) -> TableState:
    """Return the whole table: everything is public."""
    return table


def resample(table: TableState, _viewer: Viewer, _chance: MatchRandomness) -> TableState:
    """Return the same state, because nothing in Pig is hidden."""
    return table


def scene(table: TableState) -> TableScene:
    """Draw the game table: the die, and the score of each player."""
    faces = (ScenePiece(key="die", kind="die", face=str(table.face), label=f"Die: {table.face}"),) if table.face else ()
    zones = [SceneZone(key="die", label="Die", pieces=faces, note=f"gathered {table.gathered}")]
    for seat, points in enumerate(table.banked):
        score = ScenePiece(key=f"score-{seat}", kind="text", face=str(points), label=f"{points} points")
        zones.append(SceneZone(key=f"seat-{seat}", label="Banked", seat=seat, pieces=(score,)))
    return TableScene(tuple(zones), (SeatCounter("points", "Points", table.banked),), turn(table), (_race(table),))


def _race(table: TableState) -> SeatComparison:
    """Return the comparison of the players for display: the points that each has banked (kept for good)."""
    ranked = sorted(table.banked, reverse=True)
    margin, leader = ranked[0] - ranked[1], name_seat(table.banked.index(ranked[0]))
    verdict = f"{leader} leads by {margin}" if margin else "Nobody leads: the first are equal"
    if ranked[0] >= GOAL:
        verdict = f"{leader} wins with {ranked[0]} points"
    entries = (
        SeatComparisonLine(
            seat=seat,
            value=str(points),
            share=min(GOAL, points) * 100 // GOAL,
            note=f"gathered {table.gathered}" if table.gathered and seat == table.seat else "",
            leads=points == ranked[0] > 0,
        )
        for seat, points in enumerate(table.banked)
    )
    about = f"The first with {GOAL} wins"
    return SeatComparison(key="lead", title="Banked points", about=about, verdict=verdict, entries=tuple(entries))


def result(table: TableState) -> MatchResult:
    """Return the final rank and the score of each seat: the most banked points win."""
    return MatchResult(rank_by_keys(table.banked), table.banked)


SAY = sentence_builder(
    CATALOGUE.texts({"die_rolled": "{seat} rolls a {face}.", "turn_banked": "{seat} holds and banks {points}."}),
    {"seat": seat_name},
)
SCORES = CATALOGUE.texts({"one": "1 point", "many": "{count} points"})
CONTEST_LABELS = (
    "Banked points",
    "The first with # wins",
    "@# leads by #",
    "@# wins with # points",
    "Nobody leads: the first are equal",
)
LABELS = CATALOGUE.labels(("Die", "Die: #", "gathered #", "Banked", "# points", "Points", *CONTEST_LABELS))
ABOUT = CATALOGUE.texts(
    {
        "die": "The die. A face of 2 to 6 is gathered; a 1 loses all that the turn has gathered and ends it.",
        "text": "Points banked: they cannot be lost. Whoever first banks 100 or more ends the game.",
    }
)

GAME = Game(
    name="pig",
    title="Pig",
    version=1,
    seats=range(2, MAX_SEATS + 1),
    longest_menu=2,
    actions=HoldAction | RollAction,
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
    score_text=lambda score, language: SCORES(language)["one" if score == 1 else "many"].format(count=score),
    labels=LABELS,
    about=ABOUT,
    introduction=INTRODUCTION,
    by_hand=BY_HAND,
    sounds={"die_rolled": "dice"},
)
