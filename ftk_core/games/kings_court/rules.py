"""Kings Court: the `Game` object, its functions, and automatic facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ftk_core.facts import Action, Fact
from ftk_core.game import Game, Result, RuleError
from ftk_core.games.kings_court import facts, talk, theft, verdict
from ftk_core.games.kings_court.about import ABOUT
from ftk_core.games.kings_court.box import GUARD, Options, contents
from ftk_core.games.kings_court.by_hand import BY_HAND
from ftk_core.games.kings_court.catalogue import LABELS
from ftk_core.games.kings_court.picture import scene
from ftk_core.games.kings_court.resample import resample
from ftk_core.games.kings_court.sight import view
from ftk_core.games.kings_court.state import Step, Table, bare, role_of, step, to_act
from ftk_core.games.kings_court.words import MARKS, say
from ftk_core.rng import Chance

WINDOW = (facts.Stay(), facts.Halt())
LONGEST_MENU = 362
"""Menu of the first of eleven subjects for an unasked statement (`talk.floor_menu`): silence; 14 numbers of diamonds
received and 14 passed on; 144 sets of cards received and 144 passed on, from the nine cards with the most sets (a
Guard, a Princess, 2, 2 and 3 of the others); 14 + 5 takes; 10 to suspect, 10 to vouch for; 1 + 5 to dismiss."""


def setup(seats: int, options: Options) -> Table:
    """Return a court before the theft; raise BadBox for impossible contents of the box."""
    cards, gifts = contents(seats, options)
    return bare(seats, cards, fake=options.fake, gifts=gifts)


def deal(_table: Table, _chance: Chance) -> tuple[Fact, ...]:
    """Return no facts: the game has no randomness except the seating."""
    return ()


MENUS: dict[Step, Callable[[Table, int], tuple[Action, ...]]] = {
    "hide": lambda _table, _seat: theft.HIDES,
    "dismiss": lambda table, _seat: theft.dismiss_menu(table),
    "help": lambda table, _seat: theft.help_menu(table),
    "king": lambda table, _seat: talk.king_menu(table),
    "answer": lambda table, _seat: talk.answer_menu(table),
    "floor": talk.floor_menu,
    "halt": lambda _table, _seat: WINDOW,
    "princess": lambda table, _seat: tuple(facts.Choose(seat) for seat in table.tied),
    "none": lambda _table, _seat: (),
}


def legal(table: Table, seat: int) -> tuple[Action, ...]:
    """Return the menu of a seat, the mildest item first, except that a fumble comes first at the theft (K6)."""
    return MENUS[step(table)](table, seat)


def veiled(table: Table) -> bool:
    """Return whether forced moves must be hidden: a seat with an empty box has no choice (K4)."""
    return step(table) == "help"


def decide(table: Table, seat: int, action: Action, chance: Chance) -> tuple[Fact, ...]:
    """Return the facts of a choice and all automatic facts after it; raise RuleError if it is not on the menu."""
    if seat not in to_act(table) or action not in legal(table, seat):
        raise RuleError(f"seat {seat} may not {action}")
    return follow(table, seat, action, chance)[0]


def follow(table: Table, seat: int, action: Action, _chance: Chance) -> tuple[tuple[Fact, ...], Table]:
    """Return the facts of a legal choice with all automatic facts after it, and the resulting table."""
    chosen = _fact_of(table, seat, action)
    more, table = _settled(apply(table, chosen))
    return (chosen, *more), table


def _fact_of(table: Table, seat: int, action: Action) -> Fact:
    match action:
        case facts.Say(claim=claim):
            return facts.Said(seat, claim)
        case facts.Hide(count=count):
            return facts.DiamondsHidden(seat, count)
        case facts.Dismiss(card=card):
            return facts.BoxConsidered(seat, card)
        case facts.Help(diamonds=diamonds, card=card, fake=fake):
            return facts.ShareTaken(seat, diamonds, card, fake)
        case facts.Fumble():
            return facts.Fumbled(seat)
        case facts.Ask(seat=target, topic=topic, about=about):
            return facts.Asked(target, topic, about)
        case facts.Accuse(seat=target):
            return facts.Accused(target)
        case _:
            return _spoken(table, seat, action)


def _spoken(table: Table, seat: int, action: Action) -> Fact:
    match action:
        case facts.DontKnow():
            return facts.SaidNothing(seat, knows=False)
        case facts.Choose(seat=chosen):
            return verdict.closed(table, "princess", (table.accused or 0, chosen))
        case facts.Halt() if role_of(table, seat) == GUARD:
            return facts.Halted(seat)
        case facts.Halt() | facts.Stay():
            return facts.StoodBy(seat)
    return facts.SaidNothing(seat, knows=True)


def _settled(table: Table) -> tuple[list[Fact], Table]:
    """Return all automatic facts until a choice is due or the game is over, and the resulting table."""
    following: list[Fact] = []
    while more := _next_facts(table):
        following += more
        for fact in more:
            table = apply(table, fact)
    return following, table


def _next_facts(table: Table) -> list[Fact]:
    if table.ending or table.hidden is None:
        return []
    if table.at:
        return _next_theft(table)
    if table.arrivals[0] is None:
        return [facts.BoxReceived(0, table.box.diamonds, table.box.cards, table.box.fake)]
    if (end := verdict.ended(table)) is not None:
        return [end]
    if table.accused is not None and not table.window and not table.tied:
        return verdict.resolve(table)
    return []


def _next_theft(table: Table) -> list[Fact]:
    """Return the fact that a seat looked into the box."""
    box = table.box
    return [] if table.looked else [facts.BoxReceived(table.at, box.diamonds, box.cards, box.fake)]


CHANGES: dict[type[Fact], Callable[[Table, Any], Table]] = {
    facts.DiamondsHidden: theft.diamonds_hidden,
    facts.BoxReceived: theft.box_received,
    facts.BoxConsidered: theft.box_considered,
    facts.ShareTaken: theft.share_taken,
    facts.Fumbled: theft.fumbled,
    facts.Asked: talk.asked,
    facts.Said: talk.said,
    facts.SaidNothing: talk.said_nothing,
    facts.Accused: verdict.accused,
    facts.StoodBy: verdict.stood_by,
    facts.Halted: verdict.halted,
    facts.PrincessCourted: verdict.princess_courted,
    facts.FakeShown: verdict.fake_shown,
    facts.PocketsEmptied: verdict.pockets_emptied,
    facts.GiftGiven: verdict.gift_given,
    facts.Exiled: verdict.exiled,
    facts.CourtClosed: verdict.court_closed,
}


def apply(table: Table, fact: Fact) -> Table:
    """Return the table after a fact."""
    return CHANGES[type(fact)](table, fact)


def result(table: Table) -> Result:
    """Return the winners in first place and all others behind them; a winner scores 1."""
    seats = range(table.seats)
    places = tuple(1 if seat in table.winners else 1 + len(table.winners) for seat in seats)
    scores = tuple(int(seat in table.winners) for seat in seats)
    return Result(places, scores, tuple(role_of(table, seat) for seat in seats))


GAME = Game(
    name="kings_court",
    title="Kings Court",
    version=2,
    seats=range(6, 13),
    longest_menu=LONGEST_MENU,
    actions=facts.AnyAction,
    facts=facts.AnyFact,
    setup=setup,
    deal=deal,
    turn=to_act,
    legal=legal,
    decide=decide,
    apply=apply,
    follow=follow,
    view=view,
    resample=resample,
    scene=scene,
    result=result,
    say=say,
    labels=LABELS,
    veiled=veiled,
    about=ABOUT,
    by_hand=BY_HAND,
    options=Options,
    worth="wins",
    marks=MARKS,
)
