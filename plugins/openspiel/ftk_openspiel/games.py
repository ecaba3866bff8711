"""Games of OpenSpiel as games of the arena.

Each game is an attribute that is created at its first use, for example ``ftk_openspiel.games.leduc_poker``.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import pyspiel

from ftk_core.facts import OMNISCIENT, PUBLIC, Action, Fact, Viewer
from ftk_core.game import (
    MENU_LIMIT,
    Game,
    IllegalChoiceError,
    MatchResult,
    NoGameOptions,
    apply_automatic_facts,
    rank_by_keys,
)
from ftk_core.random_streams import MatchRandomness
from ftk_core.views.fact_sentences import seat_name, sentence_builder
from ftk_core.views.human_player_texts import HumanPlayerTexts
from ftk_core.views.scene import ScenePiece, SceneZone, SeatCounter, TableScene
from ftk_openspiel.facts import (
    MAX_SEATS,
    ActionHidden,
    ActionShown,
    ChooseAction,
    OutcomeHidden,
    OutcomeShown,
    SeatView,
)
from ftk_openspiel.table_state import (
    EVERYBODY,
    TableState,
    begin,
    can_resample,
    describe,
    describe_public,
    is_open,
    load_game,
    resample,
)

PROBABILITY_STEPS = 2**32
"""Number of equally likely random integers (0, 1, 2 and so on) by one of which an outcome of chance is drawn."""


def _draw_outcome(state: TableState, chance: MatchRandomness) -> Fact | None:
    """Draw the next outcome of chance and return it as a fact (log entry).

    Return None if a seat must choose or the match is over.
    """
    if not state.spiel.is_chance_node():
        return None
    drawn, total = chance.at("chance", len(state.history)).below(PROBABILITY_STEPS), 0.0
    outcomes = state.spiel.chance_outcomes()
    outcome = outcomes[-1][0]
    for choice, probability in outcomes:
        total += probability
        if drawn < total * PROBABILITY_STEPS:
            outcome = choice
            break
    text, audience = state.spiel.action_to_string(state.spiel.current_player(), outcome), state.find_audience(outcome)
    return OutcomeShown(outcome, text) if audience == EVERYBODY else OutcomeHidden(audience, outcome, text)


def deal(state: TableState, chance: MatchRandomness) -> tuple[Fact, ...]:
    """Return the facts (log entries) of the outcomes of chance before the first choice."""
    return tuple(apply_automatic_facts(state, chance, _draw_outcome, apply)[0])


def turn(state: TableState) -> tuple[int, ...]:
    """Return the seat that must choose, as a tuple; empty at the end."""
    seat = state.spiel.current_player()
    return (seat,) if seat >= 0 else ()


def legal(state: TableState, seat: int) -> tuple[Action, ...]:
    """Return the actions that a seat may choose, in OpenSpiel's order; empty if the seat need not choose."""
    if seat not in turn(state):
        return ()
    return tuple(
        ChooseAction(action, state.spiel.action_to_string(seat, action)) for action in state.spiel.legal_actions()
    )


def decide(state: TableState, seat: int, action: Action, chance: MatchRandomness) -> tuple[Fact, ...]:
    """Return the facts of a choice and of the draws that follow; raise IllegalChoiceError if it is not on the menu."""
    if not isinstance(action, ChooseAction) or action not in legal(state, seat):
        raise IllegalChoiceError(f"seat {seat} may not {action}")
    shown = state.find_audience(action.action) == EVERYBODY
    fact = (ActionShown if shown else ActionHidden)(seat, action.action, action.text)
    return fact, *apply_automatic_facts(apply(state, fact), chance, _draw_outcome, apply)[0]


def apply(state: TableState, fact: Fact) -> TableState:
    """Return the state after a fact (log entry); raise TypeError for a fact of a game that is not from OpenSpiel."""
    match fact:
        case OutcomeShown(outcome=outcome):
            return state.after(outcome, EVERYBODY)
        case OutcomeHidden(seat=seat, outcome=int(outcome)):
            return state.after(outcome, seat)
        case ActionShown(action=action):
            return state.after(action, EVERYBODY)
        case ActionHidden(seat=seat, action=int(action)):
            return state.after(action, seat)
    raise TypeError(f"OpenSpiel's games know no {fact}")


def view(state: TableState, viewer: Viewer) -> SeatView:
    """Return the view of a seat, of the public, or of an omniscient viewer."""
    everything = viewer == OMNISCIENT
    known = {EVERYBODY, viewer} - {PUBLIC}
    if everything:
        text = str(state.spiel)
    else:
        text = describe_public(state.spiel) if viewer == PUBLIC else describe(state.spiel, viewer)
    return SeatView(
        game=state.game,
        seats=state.seats,
        to_act=max(-1, state.spiel.current_player()),
        text=text,
        history=tuple(
            choice if everything or told in known else -1
            for choice, told in zip(state.history, state.told, strict=True)
        ),
        returns=_returns(state),
    )


def _returns(state: TableState) -> tuple[int, ...]:
    return tuple(round(value) for value in state.spiel.returns()) if state.spiel.is_terminal() else (0,) * state.seats


def result(state: TableState) -> MatchResult:
    """Return the places and scores. Seats are ranked by OpenSpiel's returns; a score is a rounded return."""
    return MatchResult(rank_by_keys(state.spiel.returns()), _returns(state))


def deal_again(state: TableState, viewer: Viewer, chance: MatchRandomness) -> TableState:
    """Return a state drawn by OpenSpiel among the states that look the same to the viewer.

    OpenSpiel can only draw for a seat. For the public, it draws for each seat in turn, so that the knowledge of every
    seat is drawn anew.
    """
    if viewer == OMNISCIENT or not turn(state) or is_open(state.spiel.get_game()):
        return state
    stream = chance.at("resample")
    for seat in range(state.seats) if viewer == PUBLIC else (viewer,):
        state = resample(state, seat, lambda: stream.below(PROBABILITY_STEPS) / PROBABILITY_STEPS)
    return state


def scene(seen: SeatView) -> TableScene:
    """Return the scene (display of the table) for a view: the lines of its text as pieces, and the seats' results."""
    lines = [line for line in seen.text.splitlines() if line.strip()]
    pieces = tuple(ScenePiece(key=f"line-{at}", kind="text", face=line, label=line) for at, line in enumerate(lines))
    table = SceneZone(key="table", label="Table", layout="list", pieces=pieces)
    to_act = (seen.to_act,) if seen.to_act >= 0 else ()
    return TableScene((table,), (SeatCounter("points", "Points", seen.returns),), to_act)


SENTENCES = {
    "outcome_shown": "Chance: {text}.",
    "outcome_hidden": "Chance decides something hidden: {text}.",
    "action_shown": "{seat}: {text}.",
    "action_hidden": "{seat} chooses in secret: {text}.",
}
SAY = sentence_builder(
    lambda _language: SENTENCES,
    {"seat": seat_name, "text": lambda text, _names, _language: text or "?"},
)


@cache
def bridge(name: str) -> Game[TableState, Action, Fact, SeatView]:
    """Return a game of OpenSpiel as a game of the arena; raise ValueError if it cannot be bridged."""
    seats = _list_sizes(name)
    games = [load_game(name, size) for size in seats]
    return Game(
        name=name,
        title=games[0].get_type().long_name,
        version=1,
        seats=seats,
        longest_menu=min(MENU_LIMIT, games[-1].num_distinct_actions()),
        actions=ChooseAction,
        facts=OutcomeShown | OutcomeHidden | ActionShown | ActionHidden,
        setup=partial(_set_up, name),
        deal=deal,
        turn=turn,
        legal=legal,
        decide=decide,
        apply=apply,
        view=view,
        resample=deal_again if is_open(games[0]) or all(can_resample(name, size) for size in seats) else None,
        scene=scene,
        result=result,
        say=SAY,
        by_hand=HumanPlayerTexts(
            phrase=lambda action, _names, _language: action.text, touches=lambda _action, _seat: ()
        ),
        sounds={"outcome_shown": "dice"},
    )


def _set_up(name: str, seats: int, _options: NoGameOptions) -> TableState:
    return begin(name, seats)


def _list_sizes(name: str) -> range:
    """Return the possible numbers of players of a game as a range.

    It contains the numbers from 2 to `MAX_SEATS` that OpenSpiel allows. If the number of players of the game is fixed,
    the range contains only that number. Raises ValueError if it is empty.
    """
    game = load_game(name, _default_size(name))
    kind = game.get_type()
    least, most = kind.min_num_players, min(MAX_SEATS, kind.max_num_players)
    if "players" not in kind.parameter_specification:
        least = most = game.num_players()
    sizes = range(max(2, least), most + 1)
    if not sizes:
        raise ValueError(f"{name} is not for 2 to {MAX_SEATS} players; only such games can be bridged")
    return sizes


def _default_size(name: str) -> int:
    if name not in pyspiel.registered_names():  # OpenSpiel would print all its games
        raise ValueError(f"OpenSpiel has no game {name!r}")
    return int(pyspiel.load_game(name).num_players())


def __getattr__(name: str) -> Any:
    """Return the OpenSpiel game `name` as a game of the arena, so that each game is an attribute of this module.

    Raises AttributeError if the game does not exist or cannot be bridged.
    """
    try:
        return bridge(name)
    except ValueError as error:
        raise AttributeError(str(error)) from error
