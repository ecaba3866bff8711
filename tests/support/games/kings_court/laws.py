"""Kings Court's part in the property tests of all games: options, a list of components, matches that look the same."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ftk_core.facts import PUBLIC, Action, Fact, Viewer
from ftk_core.games.kings_court.facts import BreakTheftRulesAction, DismissAction, HideAction, TakeAction
from ftk_core.games.kings_court.roles_and_options import GUARD, PEASANT, PRINCESS, KingsCourtOptions, cards_for
from ftk_core.games.kings_court.table_state import TableState
from tests.support.laws.rigged import WorldImpossible
from tests.support.laws.worlds import Spot, World, WorldChanges

OPENING = {"fake_shown", "pockets_emptied", "gift_given", "exiled", "court_closed", "princess_courted", "halted"}
"""Tags of facts that follow from an accusation and reveal the diamonds and cards that a seat has taken."""
TRIES = 60
"""Number of other thefts to try before a match counts as impossible to change."""


def options(seats: int) -> list[KingsCourtOptions]:
    """Return options: the usual box, one with the fake diamond, and one with Guard and Princess instead of Peasants."""
    cards = list(cards_for(seats))
    for guest in (GUARD, PRINCESS):
        if cards.count(PEASANT) > 1:
            cards[cards.index(PEASANT)] = guest
    guests = tuple(sorted(cards))
    return [
        KingsCourtOptions(),
        KingsCourtOptions(fake=True),
        KingsCourtOptions(cards=guests),
        KingsCourtOptions(cards=guests[1:], fake=True, gifts=3),
    ]


def census(table: TableState) -> list[str]:
    """Return every diamond and every card, wherever it is."""
    takes = [take for take in table.takes if take]
    diamonds = (table.hidden or 0) + table.box.diamonds + sum(take.diamonds for take in takes)
    cards = [*table.box.cards, *(take.card for take in takes if take.card)]
    dismissed = [table.dismissed] if table.dismissed else []
    cards += ["fake diamond"] * (table.box.fake + sum(take.fake for take in takes))
    return ["diamond"] * diamonds + cards + dismissed


def theft_of(world: World) -> list[tuple[Spot, Action]]:
    """Return the choices of the theft, in order."""
    return [(spot, world.chosen[spot]) for spot in sorted(world.chosen) if _is_theft(world.chosen[spot])]


def _is_theft(action: Action) -> bool:
    return isinstance(action, HideAction | DismissAction | TakeAction | BreakTheftRulesAction)


def other_world(world: World, viewer: Viewer, draw: Random) -> WorldChanges:
    """Return changes of the theft that the viewer, who sees the same boxes, cannot notice; raises WorldImpossible."""
    for _ in range(TRIES):
        plan = _another_theft(world, viewer, draw)
        if plan is not None:
            break
    else:
        raise WorldImpossible("no other theft was found")
    new = plan

    def choose(spot: Spot, was: Action | None, menu: Sequence[Action]) -> Action:
        wanted = new.get(spot, was)
        if wanted is None or wanted not in menu:
            raise WorldImpossible(f"{wanted} is nobody's choice there")
        return wanted

    def shows(_number: int, there: Fact, here: Fact) -> bool:
        kinds = {str(type(fact).__struct_config__.tag) for fact in (there, here)}
        return bool(kinds & OPENING)

    return WorldChanges({}, choose, shows)


def _another_theft(world: World, viewer: Viewer, draw: Random) -> dict[Spot, Action] | None:
    """Return other choices for the theft by spot, or None if they are impossible or the viewer would notice them."""
    game, state, plan = world.game, world.states[0], dict[Spot, Action]()
    spots = [spot for spot, _ in theft_of(world)]
    was = dict(theft_of(world))
    pool = [was[spot] for spot in spots if isinstance(was[spot], TakeAction)]
    draw.shuffle(pool)
    greedy = draw.random()
    for spot in spots:
        menu = game.legal(state, spot[1])
        plan[spot] = _other_choice(was[spot], menu, pool, spot[1] == viewer, draw, greedy)
        if plan[spot] not in menu:
            return None
        for fact in game.decide(state, spot[1], plan[spot], None):  # type: ignore[arg-type]  # a game without chance
            state = game.apply(state, fact)
    first_back = world.states[_after_theft(world)]
    same = viewer == PUBLIC or game.view(state, viewer) == game.view(first_back, viewer)
    return plan if same and plan != was else None


def _other_choice(
    was: Action, menu: Sequence[Action], pool: list[TakeAction], own: bool, draw: Random, greedy: float
) -> Action:
    """Return another choice from a menu. A fumble, which is public, and the viewer's own choices stay the same.

    `pool` has the first world's choices, to be dealt to other seats; `greedy` is the chance to take the most diamonds.
    """
    if isinstance(was, BreakTheftRulesAction):
        return was
    if own or len(menu) == 1:
        return menu[0] if len(menu) == 1 else was
    if isinstance(was, HideAction | DismissAction):
        return draw.choice(menu) if draw.random() < 0.3 else was
    taking = [item for item in menu if isinstance(item, TakeAction)]
    if pool and draw.random() > greedy and pool[-1] in taking:
        return pool.pop()
    most = max(taking, key=lambda item: item.diamonds)
    return most if draw.random() < greedy else draw.choice(taking)


def _after_theft(world: World) -> int:
    """Return the number of the state after the theft."""
    for number, state in enumerate(world.states):
        if state.arrivals[0] is not None:
            return number
    raise WorldImpossible("the box never came back")
