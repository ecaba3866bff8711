"""Resampling of deals: every deal that is consistent with a viewer's knowledge is drawn equally often (seven cards)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from msgspec.structs import replace as changed

from ftk_core.facts import PUBLIC, Action, Fact, Viewer, redact
from ftk_core.game import NoGameOptions
from ftk_core.games.for_the_king import facts as happened
from ftk_core.games.for_the_king.cards import CARDS
from ftk_core.games.for_the_king.facts import BidAction, LeaveAuctionAction, PayAction, PlaceAction
from ftk_core.games.for_the_king.rules import GAME
from ftk_core.games.for_the_king.table_state import TableState, step
from ftk_core.random_streams import MatchRandomness, seed_of
from tests.support.laws.hiding import Script, check_uniform_resampling, list_possible_states

CARD = ("GOV-DIPLOMACY-A", "GOV-MILITARY-B", "GOLD-1-01", "GOLD-1-02", "GOLD-2-01", "GOLD-3-01", "KING-P-1")
DEALS, SHOWN = 24, 6
PLACES = (PlaceAction("self"), PlaceAction("favor"), PlaceAction("middle"))


def opened(cards: tuple[str, ...]) -> tuple[list[Fact], TableState]:
    """Return the first facts and the table of a match of two in which the last of these cards is put back unseen."""
    begun: list[Fact] = [
        happened.DeckShuffled(cards[:-1], cards[-1:]),
        happened.DeckPassed(0),
        happened.CardDrawn(0, cards[0]),
    ]
    table = GAME.setup(2, NoGameOptions())
    for fact in begun:
        table = GAME.apply(table, fact)
    return begun, table


def chosen(table: TableState, seat: int, number: int) -> Action:
    """Return a choice: the areas in turn, the first decree and card, and bids that may be too high."""
    menu = GAME.legal(table, seat)
    match step(table):
        case "place":
            return next(place for place in PLACES if place in menu)
        case "bid":
            most = table.bid + 1 + number % 2
            return (
                BidAction(most) if seat == (number + table.lots) % 2 and table.leader != seat else LeaveAuctionAction()
            )
        case _:
            return menu[-1]


def played(number: int) -> tuple[list[Fact], list[tuple[Script, list[Fact], TableState]]]:
    """Return the first facts of a match; for each question also the choices and facts so far, and the table."""
    cards = MatchRandomness(seed_of("seven", number)).at("cards").shuffled(CARD)
    begun, table = opened(cards)
    script, since, moments = list[tuple[int, Action]](), list[Fact](), list[tuple[Script, list[Fact], TableState]]()
    while due := GAME.turn(table):
        moments.append((list(script), list(since), table))
        action = chosen(table, due[0], number)
        script.append((due[0], action))
        for fact in GAME.decide(table, due[0], action, MatchRandomness(seed_of("chance", number))):
            since.append(fact)
            table = GAME.apply(table, fact)
    return begun, moments


def as_it_lies(table: TableState) -> tuple[Any, ...]:
    hands = tuple(map(frozenset, table.hands))
    piles = table.deck, table.removed, table.favor, table.favored, table.lost, table.coins, table.discards
    return hands, piles, table.drawn, table.paid


def believed(begun: list[Fact], script: Script, since: list[Fact], viewer: Viewer) -> Iterator[TableState]:
    """Yield the table of every deal and all hidden choices that give the viewer the same redacted facts."""
    opening, told = ([redact(fact, viewer) for fact in some] for some in (begun, since))
    for cards in permutations(CARD):
        other, table = opened(cards)
        if [redact(fact, viewer) for fact in other] == opening:
            yield from list_possible_states(GAME, table, script, told, PayAction, viewer)


def is_even(game: Any, number: int, viewer: Viewer) -> int:
    """Check that one of the last questions is resampled uniformly."""
    begun, moments = played(number)
    script, since, table = moments[-1 - number]
    return check_uniform_resampling(game, table, viewer, believed(begun, script, since, viewer), as_it_lies)


@pytest.mark.slow
@pytest.mark.parametrize("viewer", [PUBLIC, 0, 1])
def test_hidden_cards_are_resampled_uniformly_among_all_deals_that_the_viewer_considers_possible(
    viewer: Viewer,
) -> None:
    found = [is_even(GAME, number, viewer) for number in range(SHOWN)]
    assert max(found) > (40 if viewer == PUBLIC else 1)


def test_the_resampling_tests_cover_discarded_king_cards_and_each_way_of_dealing_hidden_cards() -> None:
    tables = [played(number)[1][-1][2] for number in range(DEALS)]
    whats = {dealing.what for table in tables for dealing in table.dealings}
    assert whats == {"kept", "gained", "coin", "lost", "short"}
    assert any(CARDS[card].king for table in tables for card in table.discards)


@pytest.mark.slow
def test_the_uniformity_test_fails_if_resampling_changes_no_hidden_information() -> None:
    with pytest.raises(AssertionError):
        is_even(replace(GAME, resample=lambda table, _viewer, _chance: table), 0, PUBLIC)


@pytest.mark.slow
def test_the_uniformity_check_detects_a_sampler_that_ignores_that_a_player_could_not_pay() -> None:
    def forgetful(table: TableState, viewer: Viewer, chance: MatchRandomness) -> TableState:
        assert GAME.resample
        poor = tuple(changed(dealing, number=0) if dealing.what == "short" else dealing for dealing in table.dealings)
        return GAME.resample(changed(table, dealings=poor), viewer, chance)

    with pytest.raises(AssertionError):
        [is_even(replace(GAME, resample=forgetful), number, PUBLIC) for number in range(SHOWN)]
