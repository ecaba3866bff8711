"""By game: other worlds in which only such things differ as a viewer may not know."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from ftk_core.facts import PUBLIC, Action, Fact, Viewer, encode, secrets_of, tell
from ftk_core.games.for_the_king.facts import CoinPaid, CouncilNamed
from ftk_core.games.kings_court.facts import Dismiss, Fumble, Help, Hide
from tests.support.laws.rigged import Impossible
from tests.support.laws.worlds import Other, Spot, World

OPENING = {"fake_shown", "pockets_emptied", "gift_given", "exiled", "court_closed", "princess_courted", "halted"}
"""What an accusation comes to: there the takes are laid open."""
TRIES = 60


def names_in(value: Any) -> set[str]:
    """Return every string inside a value."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return {name for inner in value.values() for name in names_in(inner)}
    if isinstance(value, list | tuple):
        return {name for inner in value for name in names_in(inner)}
    return set()


def unknown(world: World, viewer: Viewer, until: int) -> list[str]:
    """Return the names that are secret after so many facts, and that the viewer has not been told by then."""
    hidden = set[str]()
    openly = names_in(msgspec.to_builtins(world.game.view(world.states[0], viewer)))
    for fact in world.facts[:until]:
        shown = tell(fact, viewer)
        blanked = [name for name in secrets_of(type(fact)) if getattr(shown, name) is None]
        hidden |= {name for field in blanked for name in names_in(msgspec.to_builtins(getattr(fact, field)))}
        openly |= names_in(msgspec.to_builtins(shown))
    return sorted(hidden - openly)


def _face(action: Action) -> str:
    """Return an action as it looks: coins of one value are alike (F16)."""
    return re.sub(r"GOLD-(\d)-\d\d", r"GOLD-\1", encode(action).decode())


class Exchange:
    """Two names that stand for each other."""

    def __init__(self, one: str, other: str) -> None:
        self._pair = {one: other, other: one}
        self._pattern = re.compile(f'"({one}|{other})"')

    def of(self, value: Any) -> Any:
        """Return a name, or some, with the two exchanged."""
        if isinstance(value, tuple):
            return tuple(map(self.of, value))
        return self._pair.get(value, value) if isinstance(value, str) else value

    def in_text(self, text: str) -> str:
        """Return JSON with the two exchanged."""
        return self._pattern.sub(lambda found: f'"{self._pair[found[1]]}"', text)


FOLLOWS = {"KingRevealed", "Defaulted", "AuctionWon", "Decreed", "KingIdle"}
"""What only some cards lead to."""


class CardsExchanged:
    """For the King: two cards that the viewer does not know change places, from the first shuffle on."""

    def __init__(self, world: World, viewer: Viewer, draw: Random) -> None:
        hidden = unknown(world, viewer, draw.randrange(len(world.facts)))
        if len(hidden) < 2:
            raise Impossible("nothing is hidden")
        one, other = draw.sample(hidden, 2)
        coins = [card for card in hidden if card.startswith("GOLD") and card != other]
        if coins and draw.random() < 0.5:  # coins decide who has a choice when he pays
            one = draw.choice(coins)
        self._world, self._viewer, self.exchange = world, viewer, Exchange(one, other)

    def choose(self, _spot: Spot, was: Action | None, menu: Sequence[Action]) -> Action:
        """Return the same choice, or the one that looks the same."""
        assert was is not None
        text = self.exchange.in_text(encode(was).decode())
        exchanged: Action = msgspec.json.decode(text, type=self._world.game.actions)
        alike = [item for item in (was, exchanged) if item in menu] + [
            item for item in menu if _face(item) == _face(was)
        ]
        if not alike:
            raise Impossible(f"{was} is nobody's choice there")
        return alike[0]

    def shows(self, _number: int, there: Fact, here: Fact) -> bool:
        """Tell whether one of the two cards comes out, or what follows from having it."""
        kinds = {type(there).__name__, type(here).__name__}
        if len(kinds) > 1:
            return bool(kinds & FOLLOWS)
        told = encode(tell(there, self._viewer)).decode()
        comes_out = self.exchange.in_text(told)
        if comes_out != told and comes_out == encode(tell(here, self._viewer)).decode():
            return True
        if isinstance(there, CoinPaid) and isinstance(here, CoinPaid):
            return there.value != here.value  # the value of a coin that is paid is open
        return isinstance(there, CouncilNamed)


def cards_exchanged(world: World, viewer: Viewer, draw: Random) -> Other:
    """Exchange two cards."""
    cards = CardsExchanged(world, viewer, draw)
    says = {label: [cards.exchange.of(outcome) for outcome in said] for label, said in world.heard.items()}
    return Other(says, cards.choose, cards.shows)


def theft_of(world: World) -> list[tuple[Spot, Action]]:
    """Return what was chosen before the box was back, in order."""
    return [(spot, world.chosen[spot]) for spot in sorted(world.chosen) if _is_theft(world.chosen[spot])]


def _is_theft(action: Action) -> bool:
    return isinstance(action, Hide | Dismiss | Help | Fumble)


def takes_exchanged(world: World, viewer: Viewer, draw: Random) -> Other:
    """Let the theft go otherwise, so that the viewer saw the same boxes go by."""
    for _ in range(TRIES):
        plan = _another_theft(world, viewer, draw)
        if plan is not None:
            break
    else:
        raise Impossible("no other theft was found")
    new = plan

    def choose(spot: Spot, was: Action | None, menu: Sequence[Action]) -> Action:
        wanted = new.get(spot, was)
        if wanted is None or wanted not in menu:
            raise Impossible(f"{wanted} is nobody's choice there")
        return wanted

    def shows(_number: int, there: Fact, here: Fact) -> bool:
        kinds = {str(type(fact).__struct_config__.tag) for fact in (there, here)}
        return bool(kinds & OPENING)

    return Other({}, choose, shows)


def _another_theft(world: World, viewer: Viewer, draw: Random) -> dict[Spot, Action] | None:
    """Return other choices by spot, or None where they came to something that the viewer would have seen."""
    game, state, plan = world.game, world.states[0], dict[Spot, Action]()
    spots = [spot for spot, _ in theft_of(world)]
    was = dict(theft_of(world))
    pool = [was[spot] for spot in spots if isinstance(was[spot], Help)]
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
    was: Action, menu: Sequence[Action], pool: list[Help], own: bool, draw: Random, greedy: float
) -> Action:
    """Return something else to choose, as whoever fumbled did so openly, and the viewer knows what he did himself."""
    if isinstance(was, Fumble):
        return was
    if own or len(menu) == 1:
        return menu[0] if len(menu) == 1 else was
    if isinstance(was, Hide | Dismiss):
        return draw.choice(menu) if draw.random() < 0.3 else was
    taking = [item for item in menu if isinstance(item, Help)]
    if pool and draw.random() > greedy and pool[-1] in taking:
        return pool.pop()
    most = max(taking, key=lambda item: item.diamonds)
    return most if draw.random() < greedy else draw.choice(taking)


def _after_theft(world: World) -> int:
    """Return the number of the state in which the box is back."""
    for number, state in enumerate(world.states):
        if state.arrivals[0] is not None:
            return number
    raise Impossible("the box never came back")


def dice_to_come(world: World, _viewer: Viewer, draw: Random) -> Other:
    """Let what is drawn later be drawn otherwise: nothing before it may know."""
    labels = list(world.heard)
    kept = int(len(labels) * draw.random() ** 3)
    says = {label: world.heard[label] for label in labels[:kept]}

    def choose(_spot: Spot, was: Action | None, menu: Sequence[Action]) -> Action:
        if was is None or was not in menu:
            raise Impossible(f"{was} is nobody's choice there")
        return was

    return Other(says, choose, lambda *_facts: False, bytes(draw.randrange(256) for _ in range(32)))


EXCHANGES: dict[str, Callable[[World, Viewer, Random], Other]] = {
    "for_the_king": cards_exchanged,
    "kings_court": takes_exchanged,
    "pig": dice_to_come,
    "to_court_the_king": dice_to_come,
}
