"""By game: the options that the laws are tried with, besides the rule book's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ftk_core.games import game
from ftk_core.games.kings_court.box import GUARD, PEASANT, PRINCESS, Options, cards_for


def kings_court(seats: int) -> list[Options]:
    """Return the usual box, one with the fake diamond, and one with Guard and Princess where Peasants can be spared."""
    cards = list(cards_for(seats))
    for guest in (GUARD, PRINCESS):
        if cards.count(PEASANT) > 1:
            cards[cards.index(PEASANT)] = guest
    guests = tuple(sorted(cards))
    return [Options(), Options(fake=True), Options(cards=guests), Options(cards=guests[1:], fake=True, gifts=3)]


VARIANTS: dict[str, Callable[[int], list[Any]]] = {"kings_court": kings_court}


def options_for(name: str, seats: int, number: int) -> Any:
    """Return the options of a game's match number so-and-so: they take turns."""
    choices = VARIANTS[name](seats) if name in VARIANTS else [game(name).options()]
    return choices[number % len(choices)]
