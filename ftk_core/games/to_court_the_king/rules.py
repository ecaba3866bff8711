"""Rules of the game To Court the King."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from ftk_core.facts import Action, Fact, Viewer
from ftk_core.game import Game, IllegalChoiceError, MatchResult, apply_automatic_facts, rank_by_keys
from ftk_core.games.to_court_the_king import facts, state_transitions
from ftk_core.games.to_court_the_king.characters import ADDED_DIE_VALUES, FOOL, KING, MAX_ROUNDS, best_set
from ftk_core.games.to_court_the_king.fact_sentences import DURATIONS, MARKS, SOUNDS, format_score, heading, say
from ftk_core.games.to_court_the_king.hidden_state_sampler import resample
from ftk_core.games.to_court_the_king.human_player_texts import BY_HAND, INTRODUCTION
from ftk_core.games.to_court_the_king.legal_actions import CONCEDE, LONGEST_MENU, is_allowed, legal, list_uses
from ftk_core.games.to_court_the_king.playout_policy import quick
from ftk_core.games.to_court_the_king.table_scene import SCENE_LABELS, scene
from ftk_core.games.to_court_the_king.table_state import TableState, dice_of, new_table, to_act
from ftk_core.games.to_court_the_king.tooltips import about
from ftk_core.random_streams import MatchRandomness


def deal(table: TableState, chance: MatchRandomness) -> tuple[Fact, ...]:
    """Return the events that start the first round."""
    return tuple(apply_automatic_facts(table, chance, _next_fact, apply)[0])


def decide(table: TableState, seat: int, action: Action, chance: MatchRandomness) -> tuple[Fact, ...]:
    """Return the events that a choice causes, up to the next choice.

    Raises IllegalChoiceError if the choice is not legal.
    """
    if (seat,) != to_act(table) or not is_allowed(table, action):
        raise IllegalChoiceError(f"seat {seat} may not {action}")
    return follow(table, seat, action, chance)[0]


def follow(
    table: TableState, seat: int, action: Action, chance: MatchRandomness
) -> tuple[tuple[Fact, ...], TableState]:
    """Apply a legal choice. Return the events up to the next choice, and the new state."""
    chosen = _facts_of(table, seat, action, chance)
    for fact in chosen:
        table = apply(table, fact)
    more, table = apply_automatic_facts(table, chance, _next_fact, apply)
    return (*chosen, *more), table


def _facts_of(table: TableState, seat: int, action: Action, chance: MatchRandomness) -> tuple[Fact, ...]:
    match action:
        case facts.SetAsideAction(faces=faces):
            return (facts.DiceSetAside(seat, faces),)
        case facts.RollAction():
            return (_rolled_fact(table, seat, chance),)
        case facts.UseCharacterAction(card=card):
            used = facts.CharacterUsed(seat, card)
            return (
                (used, facts.DiceChanged(seat, card, (), (ADDED_DIE_VALUES[card],)))
                if card in ADDED_DIE_VALUES
                else (used,)
            )
        case facts.ChooseEffectAction():
            return (_effect_fact(table, seat, action, chance),)
        case facts.FinishRollingAction():
            return (facts.RollingEnded(seat, table.aside),)
        case facts.AcquireAction(card=card):
            return _acquired_fact(table, seat, card)
        case _:
            return (facts.FinalRoundConceded(seat) if action == CONCEDE else facts.NoCharacterAcquired(seat),)


def _effect_fact(
    table: TableState, seat: int, action: facts.ChooseEffectAction, chance: MatchRandomness
) -> facts.DiceChanged:
    """Return the event in which the character in use changes dice. Dice that it rolls again get random faces."""
    card, after = table.using or "", action.after
    if card in (FOOL, "MERCHANT"):
        after = _dice(chance, len(action.before), card.lower(), table, seat)
    return facts.DiceChanged(seat, card, action.before, after)


def _acquired_fact(table: TableState, seat: int, card: str) -> tuple[Fact, ...]:
    if card == KING:
        return (facts.KingClaimed(seat, *best_set(table.result or ())),)
    return (facts.CharacterAcquired(seat, card),)


def _rolled_fact(table: TableState, seat: int, chance: MatchRandomness) -> facts.DiceRolled:
    opening = not table.rolling
    count = dice_of(table, seat) if opening else len(table.active)
    return facts.DiceRolled(seat, _dice(chance, count, f"roll {0 if opening else table.rolls}", table, seat), opening)


def _dice(chance: MatchRandomness, count: int, purpose: str, table: TableState, seat: int) -> tuple[int, ...]:
    """Return the faces of `count` rolled dice."""
    # They depend only on the match, `purpose` (such as ``roll 2``), the round and the seat, so that a match can be
    # repeated.
    draw = chance.at(purpose, table.round, seat)
    return tuple([1 + draw.below(6) for _ in range(count)])


def _next_fact(table: TableState, chance: MatchRandomness) -> Fact | None:
    if table.over:
        return None
    if not table.order:
        return _next_round(table)
    seat = table.order[0]
    if table.result is not None:
        return _final_rolled_fact(table, seat) if table.final else None
    if not table.rolling:
        return None if table.final else _rolled_fact(table, seat, chance)
    if table.using is None and not table.active and not list_uses(table):
        return facts.RollingEnded(seat, table.aside)
    return None


def _next_round(table: TableState) -> Fact:
    """Return the event that begins the next round or ends the game."""
    if table.final:
        return facts.GameDecided(_winner(table))
    right = (table.start - 1) % table.seats
    if table.king is not None or table.round == MAX_ROUNDS:
        return facts.FinalRoundBegan(table.round + 1, right)
    return facts.RoundBegan(table.round + 1, right if table.round else 0)


def _final_rolled_fact(table: TableState, seat: int) -> facts.FinalRoundTurnFinished:
    """Return the event that records a player's result in the final round."""
    # The holder of the Queen also takes the lead with a result equal to the best.
    count, value = best_set(table.result or ())
    ahead = (count, value) > table.best or (seat == table.queen and (count, value) == table.best)
    return facts.FinalRoundTurnFinished(seat, count, value, ahead)


def _winner(table: TableState) -> int:
    """Return the winner, who holds the King card at the end."""
    # Without a King, all have conceded, and the seat that began the final round wins.
    return table.king if table.king is not None else (table.start - 1) % table.seats


FACT_APPLIERS: dict[type[Fact], Callable[[TableState, Any], TableState]] = {
    facts.RoundBegan: state_transitions.apply_round_began,
    facts.FinalRoundBegan: state_transitions.apply_final_began,
    facts.DiceRolled: state_transitions.apply_dice_rolled,
    facts.CharacterUsed: state_transitions.apply_card_used,
    facts.DiceChanged: state_transitions.apply_dice_changed,
    facts.DiceSetAside: state_transitions.apply_dice_set_aside,
    facts.RollingEnded: state_transitions.apply_rolling_ended,
    facts.CharacterAcquired: state_transitions.apply_card_acquired,
    facts.NoCharacterAcquired: state_transitions.apply_nothing_acquired,
    facts.KingClaimed: state_transitions.apply_king_claimed,
    facts.FinalRoundTurnFinished: state_transitions.apply_final_rolled,
    facts.FinalRoundConceded: state_transitions.apply_conceded,
    facts.GameDecided: lambda table, fact: replace(table, over=True, winner=fact.seat),
}


def apply(table: TableState, fact: Fact) -> TableState:
    """Return the state of the game after one more event."""
    return FACT_APPLIERS[type(fact)](table, fact)


def view(table: TableState, _viewer: Viewer) -> TableState:
    """Return the whole table: nothing in this game is hidden."""
    return table


def result(table: TableState) -> MatchResult:
    """Return the final rank and the score of each player.

    A score is 10 times the number of equal dice plus their face. The winner has rank 1. Of other players with equal
    sets, the one who rolled earlier ranks higher.
    """
    standing = []
    for seat in range(table.seats):
        (count, value), when = _counted_result(table, seat)
        standing.append((seat == table.winner, (count, value), -when))
    scores = tuple(10 * count + value for _, (count, value), _ in standing)
    return MatchResult(rank_by_keys(standing), scores)


def _counted_result(table: TableState, seat: int) -> tuple[tuple[int, int], int]:
    """Return a player's final set of equal dice, and its place in the order of the final rolls.

    The set is (number of dice, face). Among equal sets, the lower place ranks higher.
    """
    # The dice with which a player took the King count unless the result in the final round is better. Their place is
    # -1, because they were rolled before all others.
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
    setup=new_table,
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
    score_text=format_score,
    labels=SCENE_LABELS,
    about=about,
    introduction=INTRODUCTION,
    by_hand=BY_HAND,
    heading=heading,
    marks=MARKS,
    durations=DURATIONS,
    sounds=SOUNDS,
)
