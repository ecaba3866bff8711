"""Rules of the game Kings Court."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ftk_core.facts import Action, Fact
from ftk_core.game import Game, IllegalChoiceError, MatchResult
from ftk_core.games.kings_court import accusation_rules, facts, interrogation_rules, theft_rules
from ftk_core.games.kings_court.fact_sentences import DURATIONS, MARKS, SOUNDS, format_score, heading, say
from ftk_core.games.kings_court.hidden_state_sampler import resample
from ftk_core.games.kings_court.human_player_texts import BY_HAND, INTRODUCTION
from ftk_core.games.kings_court.player_view import view
from ftk_core.games.kings_court.playout_policy import quick
from ftk_core.games.kings_court.roles_and_options import GUARD, KingsCourtOptions, contents
from ftk_core.games.kings_court.suspicions.court_likelihood import likelihood
from ftk_core.games.kings_court.table_scene import scene
from ftk_core.games.kings_court.table_state import Step, TableState, new_court, role_of, step, to_act
from ftk_core.games.kings_court.tooltips import ABOUT
from ftk_core.games.kings_court.translatable_sentence_templates import LABELS
from ftk_core.random_streams import MatchRandomness

HALT_MENU = (facts.AllowAccusationAction(), facts.StopAccusationAction())
LONGEST_MENU = 362
"""Number of items on the longest menu, for a statement that is made without a question.

It is the menu of the first of eleven subjects (`interrogation_rules.statement_menu`) and contains: silence; 14 numbers
of diamonds received and 14 passed on; 144 sets of cards received and 144 passed on; 14 + 5 claims of what the seat
took; 10 seats to suspect and 10 to vouch for; 1 + 5 cards to have turned over. The nine cards with
the most sets, 144, are a Guard, a Princess, and 2, 2 and 3 cards of the other kinds.
"""


def setup(seats: int, options: KingsCourtOptions) -> TableState:
    """Return the initial state of the game, before the box goes round.

    Raises InvalidBoxContentsError if the game cannot be played with these options.
    """
    cards, gifts = contents(seats, options)
    return new_court(seats, cards, fake=options.fake, gifts=gifts)


def deal(_table: TableState, _chance: MatchRandomness) -> tuple[Fact, ...]:
    """Return no events, because the game begins without randomness."""
    return ()


MENUS: dict[Step, Callable[[TableState, int], tuple[Action, ...]]] = {
    "hide": lambda _table, _seat: theft_rules.HIDES,
    "dismiss": lambda table, _seat: theft_rules.dismiss_menu(table),
    "help": lambda table, _seat: theft_rules.box_menu(table),
    "king": lambda table, _seat: interrogation_rules.king_menu(table),
    "answer": lambda table, _seat: interrogation_rules.answer_menu(table),
    "floor": interrogation_rules.statement_menu,
    "halt": lambda _table, _seat: HALT_MENU,
    "princess": lambda table, _seat: tuple(facts.ChooseWinnerAction(seat) for seat in table.tied),
    "none": lambda _table, _seat: (),
}


def legal(table: TableState, seat: int) -> tuple[Action, ...]:
    """Return the legal actions of a player."""
    # The referee plays the first one for a player who does not answer. At a box that is not empty, it breaks the rules
    # of taking, and exiles the player, who then cannot win (K6 in RULES.md).
    return MENUS[step(table)](table, seat)


def veiled(table: TableState) -> bool:
    """Return True if the other players must not learn how many legal actions a player has."""
    # A single action would reveal that the box is empty.
    return step(table) == "help"


def postpones(action: Action) -> bool:
    """Return True for an action that claims nothing. After the next question the seat may make the claim."""
    return isinstance(action, facts.SilenceAction | facts.DontKnowAction)


def variety(action: Action) -> object:
    """Return what actions of the same kind have in common: statements their topic, questions whom they ask."""
    match action:
        case facts.ClaimAction(claim=claim):
            return facts.ClaimAction, claim.topic
        case facts.AskAction(seat=seat):
            return facts.AskAction, seat
    return type(action)


def decide(table: TableState, seat: int, action: Action, chance: MatchRandomness) -> tuple[Fact, ...]:
    """Return the events that a choice causes, up to the next choice.

    Raises IllegalChoiceError if the choice is not legal.
    """
    if seat not in to_act(table) or action not in legal(table, seat):
        raise IllegalChoiceError(f"seat {seat} may not {action}")
    return follow(table, seat, action, chance)[0]


def follow(
    table: TableState, seat: int, action: Action, _chance: MatchRandomness
) -> tuple[tuple[Fact, ...], TableState]:
    """Apply a legal choice. Return the events up to the next choice, and the new state."""
    chosen = _fact_of(table, seat, action)
    more, table = _apply_automatic_facts(apply(table, chosen))
    return (chosen, *more), table


def _fact_of(table: TableState, seat: int, action: Action) -> Fact:
    match action:
        case facts.ClaimAction(claim=claim):
            return facts.ClaimMade(seat, claim)
        case facts.HideAction(count=count):
            return facts.DiamondsHidden(seat, count)
        case facts.DismissAction(card=card):
            return facts.DismissalDecided(seat, card)
        case facts.TakeAction(diamonds=diamonds, card=card, fake=fake):
            return facts.SeatTookFromBox(seat, diamonds, card, fake)
        case facts.BreakTheftRulesAction():
            return facts.TheftRulesBroken(seat)
        case facts.AskAction(seat=target, topic=topic, about=about):
            return facts.PlayerQuestioned(target, topic, about)
        case facts.AccuseAction(seat=target):
            return facts.SubjectAccused(target)
        case _:
            return _remaining_fact_of(table, seat, action)


def _remaining_fact_of(table: TableState, seat: int, action: Action) -> Fact:
    match action:
        case facts.DontKnowAction():
            return facts.NothingSaid(seat, knows=False)
        case facts.ChooseWinnerAction(seat=chosen):
            return accusation_rules.build_end(table, "princess", (table.accused or 0, chosen))
        case facts.StopAccusationAction() if role_of(table, seat) == GUARD:
            return facts.AccusationStopped(seat)
        case facts.StopAccusationAction() | facts.AllowAccusationAction():
            return facts.AccusationNotStopped(seat)
    return facts.NothingSaid(seat, knows=True)


def _apply_automatic_facts(table: TableState) -> tuple[list[Fact], TableState]:
    """Apply all events up to the next choice. Return them and the new state."""
    following: list[Fact] = []
    while more := _next_facts(table):
        following += more
        for fact in more:
            table = apply(table, fact)
    return following, table


def _next_facts(table: TableState) -> list[Fact]:
    if table.ending or table.hidden is None:
        return []
    if table.at:
        return _next_theft(table)
    if table.arrivals[0] is None:
        return [facts.BoxContentsSeen(0, table.box.diamonds, table.box.cards, table.box.fake)]
    if (end := accusation_rules.end_of_investigation(table)) is not None:
        return [end]
    if table.accused is not None and not table.window and not table.tied:
        return accusation_rules.resolve_accusation(table)
    return []


def _next_theft(table: TableState) -> list[Fact]:
    """Return the event in which the player with the box looks into it, or no event after that look."""
    box = table.box
    return [] if table.looked else [facts.BoxContentsSeen(table.at, box.diamonds, box.cards, box.fake)]


FACT_APPLIERS: dict[type[Fact], Callable[[TableState, Any], TableState]] = {
    facts.DiamondsHidden: theft_rules.apply_diamonds_hidden,
    facts.BoxContentsSeen: theft_rules.apply_box_received,
    facts.DismissalDecided: theft_rules.apply_box_considered,
    facts.SeatTookFromBox: theft_rules.apply_share_taken,
    facts.TheftRulesBroken: theft_rules.apply_fumbled,
    facts.PlayerQuestioned: interrogation_rules.apply_asked,
    facts.ClaimMade: interrogation_rules.apply_said,
    facts.NothingSaid: interrogation_rules.apply_said_nothing,
    facts.SubjectAccused: accusation_rules.apply_accused,
    facts.AccusationNotStopped: accusation_rules.apply_stood_by,
    facts.AccusationStopped: accusation_rules.apply_halted,
    facts.PrincessChoiceDemanded: accusation_rules.apply_princess_courted,
    facts.FakeDiamondShown: accusation_rules.apply_fake_shown,
    facts.PocketsEmptied: accusation_rules.apply_pockets_emptied,
    facts.WrongAccusationCompensated: accusation_rules.apply_gift_given,
    facts.PlayerExiled: accusation_rules.apply_exiled,
    facts.InvestigationEnded: accusation_rules.apply_court_closed,
}


def apply(table: TableState, fact: Fact) -> TableState:
    """Return the state of the game after one more event."""
    return FACT_APPLIERS[type(fact)](table, fact)


def result(table: TableState) -> MatchResult:
    """Return the final result, in which all winners share the first place."""
    # Winners have score 1. All others share the next place with score 0.
    seats = range(table.seats)
    places = tuple(1 if seat in table.winners else 1 + len(table.winners) for seat in seats)
    scores = tuple(int(seat in table.winners) for seat in seats)
    return MatchResult(places, scores, tuple(role_of(table, seat) for seat in seats))


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
    quick=quick,
    view=view,
    resample=resample,
    likelihood=likelihood,
    scene=scene,
    result=result,
    say=say,
    score_text=format_score,
    labels=LABELS,
    veiled=veiled,
    postpones=postpones,
    variety=variety,
    about=ABOUT,
    introduction=INTRODUCTION,
    by_hand=BY_HAND,
    options=KingsCourtOptions,
    worth="wins",
    heading=heading,
    marks=MARKS,
    durations=DURATIONS,
    sounds=SOUNDS,
)
