"""To Court the King: the `Game` object, its functions, and automatic facts."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from ftk_core.facts import Action, Fact, Viewer
from ftk_core.game import Game, Result, RuleError, places_by, settled
from ftk_core.games.to_court_the_king import changes, facts
from ftk_core.games.to_court_the_king.about import ABOUT
from ftk_core.games.to_court_the_king.box import (
    ADDS,
    CHARACTERS,
    CHARLATAN,
    DICE,
    FOOL,
    KING,
    MAX_ROUNDS,
    QUEEN,
    Faces,
    affordable,
    best_set,
)
from ftk_core.games.to_court_the_king.by_hand import BY_HAND
from ftk_core.games.to_court_the_king.dice import ABLE, PIPS, aims, contains, set_asides
from ftk_core.games.to_court_the_king.picture import scene
from ftk_core.games.to_court_the_king.quick import quick
from ftk_core.games.to_court_the_king.resample import resample
from ftk_core.games.to_court_the_king.state import Step, Table, bare, dice_of, may_take, step, to_act
from ftk_core.games.to_court_the_king.words import LABELS, MARKS, say
from ftk_core.rng import Chance

ROLL, FINISH, NOTHING, CONCEDE = facts.Roll(), facts.Finish(), facts.AcquireNothing(), facts.Concede()
ACQUIRED = tuple(facts.Acquire(card) for card in (*reversed(CHARACTERS), CHARLATAN, FOOL))
"""Characters that can be acquired, the dearest first."""
AIMED = (
    FOOL,
    "SERVING_MAID",
    "PHILOSOPHER",
    "ASTRONOMER",
    "MERCHANT",
    "NOBLEWOMAN",
    "MAGICIAN",
    "ALCHEMIST",
    "NOBLEMAN",
)
"""Characters that change active dice and need a target."""
LONGEST_MENU = 3 ** len(PIPS) - 1 + len(AIMED) + 1
"""Twelve active dice can be set aside in most ways if each face is there twice. Every character that changes active
dice may be available, and the roll; none adds a thirteenth die. Fewer dice, or a target to choose, give fewer items."""


def deal(table: Table, chance: Chance) -> tuple[Fact, ...]:
    """Start the first round; seat 0 begins."""
    return tuple(settled(table, chance, _next_fact, apply)[0])


def legal(table: Table, _seat: int) -> tuple[Action, ...]:
    """Return the menu of the seat to act, the mildest item first (T25)."""
    return MENUS[step(table)](table)


def _window_menu(table: Table) -> tuple[Action, ...]:
    """Return the options with the dice: set all or some aside, use a character, or roll the rest."""
    if not table.active:
        return (FINISH, *uses(table))
    more = uses(table)
    return set_asides(table.active) + ((*more, ROLL) if table.may_roll else more)


def uses(table: Table) -> tuple[Action, ...]:
    """Return the possible uses of characters by the seat to act, each once a turn."""
    seat, active, aside = table.order[0], table.active, table.aside
    adding, aimed = _unused(table.cards[seat], table.used)
    now = tuple([use for use, able in aimed if able(active, aside)]) if active else ()
    if len(active) + len(aside) == DICE:
        return now
    queen = table.final and table.queen == seat and QUEEN not in table.used
    return (*adding, *now, facts.Use(QUEEN)) if queen else adding + now


@lru_cache(maxsize=1 << 14)
def _unused(
    cards: tuple[str, ...], used: tuple[str, ...]
) -> tuple[tuple[facts.Use, ...], tuple[tuple[facts.Use, Callable[[Faces, Faces], object]], ...]]:
    """Return the remaining uses: of characters that add a die, and of those that change active dice, if possible."""
    held = [card for card in cards if card not in used]
    adding = tuple(facts.Use(card) for card in held if card in ADDS)
    return adding, tuple((facts.Use(card), ABLE[card]) for card in AIMED if card in held)


def _acquire_menu(table: Table) -> tuple[Action, ...]:
    """Return the characters that the dice result pays for, the dearest first, after taking none."""
    assert table.result is not None
    seat, paid = table.order[0], affordable(table.result)
    paid |= {FOOL, CHARLATAN}  # these cost nothing, but `may_take` limits them
    return (NOTHING, *[one for one in ACQUIRED if one.card in paid and may_take(table, seat, one.card)])


MENUS: dict[Step, Callable[[Table], tuple[Action, ...]]] = {
    "window": _window_menu,
    "aim": lambda table: aims(table.using or "", table.active, table.aside),
    "acquire": _acquire_menu,
    "final": lambda _table: (ROLL, CONCEDE),
    "none": lambda _table: (),
}


def decide(table: Table, seat: int, action: Action, chance: Chance) -> tuple[Fact, ...]:
    """Return the facts of a choice and all automatic facts after it; raise RuleError if it is not on the menu."""
    if (seat,) != to_act(table) or not _allowed(table, action):
        raise RuleError(f"seat {seat} may not {action}")
    return follow(table, seat, action, chance)[0]


def follow(table: Table, seat: int, action: Action, chance: Chance) -> tuple[tuple[Fact, ...], Table]:
    """Return the facts of a legal choice with all automatic facts after it, and the resulting table."""
    chosen = _facts_of(table, seat, action, chance)
    for fact in chosen:
        table = apply(table, fact)
    more, table = settled(table, chance, _next_fact, apply)
    return (*chosen, *more), table


def _allowed(table: Table, action: Action) -> bool:
    if isinstance(action, facts.SetAside):  # faster than searching hundreds of choices
        return step(table) == "window" and isinstance(action.faces, tuple) and contains(table.active, action.faces)
    return action in MENUS[step(table)](table)


def _facts_of(table: Table, seat: int, action: Action, chance: Chance) -> tuple[Fact, ...]:
    match action:
        case facts.SetAside(faces=faces):
            return (facts.DiceSetAside(seat, faces),)
        case facts.Roll():
            return (_rolled(table, seat, chance),)
        case facts.Use(card=card):
            used = facts.CardUsed(seat, card)
            return (used, facts.DiceChanged(seat, card, (), (ADDS[card],))) if card in ADDS else (used,)
        case facts.Aim():
            return (_aimed(table, seat, action, chance),)
        case facts.Finish():
            return (facts.RollingEnded(seat, table.aside),)
        case facts.Acquire(card=card):
            return _acquired(table, seat, card)
        case _:
            return (facts.Conceded(seat) if action == CONCEDE else facts.NothingAcquired(seat),)


def _aimed(table: Table, seat: int, action: facts.Aim, chance: Chance) -> facts.DiceChanged:
    """Return the effect of a character; re-rolled dice are drawn from `chance`."""
    card, after = table.using or "", action.after
    if card in (FOOL, "MERCHANT"):
        after = _dice(chance, len(action.before), card.lower(), table, seat)
    return facts.DiceChanged(seat, card, action.before, after)


def _acquired(table: Table, seat: int, card: str) -> tuple[Fact, ...]:
    if card == KING:
        return (facts.KingClaimed(seat, *best_set(table.result or ())),)
    return (facts.CardAcquired(seat, card),)


def _rolled(table: Table, seat: int, chance: Chance) -> facts.DiceRolled:
    opening = not table.rolling
    count = dice_of(table, seat) if opening else len(table.active)
    return facts.DiceRolled(seat, _dice(chance, count, f"roll {0 if opening else table.rolls}", table, seat), opening)


def _dice(chance: Chance, count: int, purpose: str, table: Table, seat: int) -> tuple[int, ...]:
    """Roll `count` dice."""
    draw = chance.at(purpose, table.round, seat)
    return tuple([1 + draw.below(6) for _ in range(count)])


def _next_fact(table: Table, chance: Chance) -> Fact | None:
    if table.over:
        return None
    if not table.order:
        return _next_round(table)
    seat = table.order[0]
    if table.result is not None:
        return _final_rolled(table, seat) if table.final else None
    if not table.rolling:
        return None if table.final else _rolled(table, seat, chance)
    if table.using is None and not table.active and not uses(table):
        return facts.RollingEnded(seat, table.aside)
    return None


def _next_round(table: Table) -> Fact:
    """Return the next round, the final round once the King is claimed or the limit is reached, or the end."""
    if table.final:
        return facts.CourtDecided(_winner(table))
    right = (table.start - 1) % table.seats
    if table.king is not None or table.round == MAX_ROUNDS:
        return facts.FinalBegan(table.round + 1, right)
    return facts.RoundBegan(table.round + 1, right if table.round else 0)


def _final_rolled(table: Table, seat: int) -> facts.FinalRolled:
    """Return a final result: a challenger must beat the best (T20), the Queen's holder need only match (T21)."""
    count, value = best_set(table.result or ())
    ahead = (count, value) > table.best or (seat == table.queen and (count, value) == table.best)
    return facts.FinalRolled(seat, count, value, ahead)


def _winner(table: Table) -> int:
    """Return the holder of the King card at the end; if everybody conceded, the first seat of the order."""
    return table.king if table.king is not None else (table.start - 1) % table.seats


CHANGES: dict[type[Fact], Callable[[Table, Any], Table]] = {
    facts.RoundBegan: changes.round_began,
    facts.FinalBegan: changes.final_began,
    facts.DiceRolled: changes.dice_rolled,
    facts.CardUsed: changes.card_used,
    facts.DiceChanged: changes.dice_changed,
    facts.DiceSetAside: changes.dice_set_aside,
    facts.RollingEnded: changes.rolling_ended,
    facts.CardAcquired: changes.card_acquired,
    facts.NothingAcquired: changes.nothing_acquired,
    facts.KingClaimed: changes.king_claimed,
    facts.FinalRolled: changes.final_rolled,
    facts.Conceded: changes.conceded,
    facts.CourtDecided: lambda table, fact: replace(table, over=True, winner=fact.seat),
}


def apply(table: Table, fact: Fact) -> Table:
    """Return the table after a fact."""
    return CHANGES[type(fact)](table, fact)


def view(table: Table, _viewer: Viewer) -> Table:
    """Return the whole table: nothing in this game is hidden."""
    return table


def result(table: Table) -> Result:
    """Return the winner first, then by counted result, the earlier ahead (T24); scores: 10 x count + value."""
    standing = []
    for seat in range(table.seats):
        (count, value), when = _counted(table, seat)
        standing.append((seat == table.winner, (count, value), -when))
    scores = tuple(10 * count + value for _, (count, value), _ in standing)
    return Result(places_by(standing), scores)


def _counted(table: Table, seat: int) -> tuple[tuple[int, int], int]:
    """Return a seat's counted result and the time of its roll; a claim precedes all final results (T20)."""
    own = (table.finals[seat] if table.finals else None) or (0, 0)
    if seat == table.queen and table.claim >= own:
        return table.claim, -1
    return own, table.rolled.index(seat) if seat in table.rolled else table.seats


GAME = Game(
    name="to_court_the_king",
    title="To Court the King",
    version=2,
    seats=range(2, 6),
    longest_menu=LONGEST_MENU,
    actions=facts.AnyAction,
    facts=facts.AnyFact,
    setup=bare,
    deal=deal,
    turn=to_act,
    legal=legal,
    decide=decide,
    apply=apply,
    follow=follow,
    quick=quick,
    view=view,
    resample=resample,
    scene=scene,
    result=result,
    say=say,
    labels=LABELS,
    about=ABOUT,
    by_hand=BY_HAND,
    marks=MARKS,
)
