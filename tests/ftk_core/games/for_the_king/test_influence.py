"""Phase 1, influence: F7-F11, F31, F33 and the printed example F-G2."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ftk_core.facts import PUBLIC, redact
from ftk_core.game import IllegalChoiceError
from ftk_core.games.for_the_king.cards import CARDS
from ftk_core.games.for_the_king.facts import (
    CardAddedToFavorDeck,
    CardKept,
    CardShown,
    DecreeAction,
    PlaceAction,
    TakeAction,
)
from ftk_core.games.for_the_king.player_view import view
from ftk_core.games.for_the_king.rules import apply, decide, legal, turn
from ftk_core.games.for_the_king.table_state import TableState
from tests.support.games.for_the_king.tables import (
    CHANCE,
    GOLD,
    GOVERNMENT,
    deal_table,
    list_fact_names,
    list_menu,
    play,
)

MIDDLE, FAVOR, SELF = PlaceAction("middle"), PlaceAction("favor"), PlaceAction("self")


def without_kings(seats: int) -> TableState:
    """Return a dealt table whose first cards are no Kings."""
    table = deal_table(seats)
    cards = [card for card in (table.drawn, *table.deck) if card]
    plain = sorted(cards, key=lambda card: CARDS[card].kind == "king")
    return replace(table, drawn=plain[0], deck=tuple(plain[1:]))


def areas(table: TableState) -> set[str]:
    return {action.area for action in list_menu(table) if isinstance(action, PlaceAction)}


def test_replaying_the_rulebook_example_of_an_influence_turn_gives_the_printed_result() -> None:
    """F-G2: the first three cards go to all three places, the last two to the middle; then three opponents choose."""
    table = without_kings(4)
    seen = []
    for action in (SELF, MIDDLE, FAVOR, MIDDLE, MIDDLE):
        seen.append(areas(table))
        table, _ = play(table, action)
    assert seen == [{"self", "middle", "favor"}, {"middle", "favor"}, {"middle", "favor"}, {"middle"}, {"middle"}]
    choosers = []
    for left in (3, 2, 1):
        assert len(list_menu(table)) == left
        choosers += turn(table)
        table, facts = play(table, list_menu(table)[0])
    assert choosers == [1, 2, 3]
    assert list_fact_names(facts) == ["CardTaken", "DeckPassed", "CardDrawn"]
    assert (table.adviser, turn(table)) == (1, (1,))


def test_a_king_card_kept_by_an_adviser_is_revealed_and_takes_effect_before_the_next_draw() -> None:
    """F7, F-G15: it counts as the card that the Adviser keeps, but does not enter the hand."""
    table = replace(deal_table(4), drawn="KING-P-1")
    table, facts = play(table, SELF)
    assert list_fact_names(facts) == ["KingCardRevealed"]
    assert (table.kept, table.hands[0], table.drawn) == (True, (), None)
    table, facts = play(table, DecreeAction(up=("diplomacy",)))
    assert list_fact_names(facts) == ["OfficePointsChangedByKing", "CardDrawn"]
    assert table.duties[0] == 4
    assert "self" not in areas(table)


def test_a_king_card_taken_from_the_middle_takes_effect_before_the_next_player_chooses() -> None:
    table = replace(deal_table(3), drawn=None, kept=True, stashed=True, shown=2, middle=("KING-M-1", GOLD))
    table, _ = play(table, TakeAction("KING-M-1"))
    assert turn(table) == (1,)
    table, _ = play(table, DecreeAction(down=("military",)))
    assert turn(table) == (2,)
    assert table.duties[4] == 2
    assert table.hands[1] == ()


def test_a_player_sees_their_own_hand_and_the_public_does_not() -> None:
    """F8."""
    table = replace(deal_table(2), hands=((GOVERNMENT, GOLD), (GOLD,)))
    assert view(table, 0).hands == ((GOVERNMENT, GOLD), None)
    assert view(table, PUBLIC).hands == (None, None)


def test_a_card_placed_on_the_favor_deck_is_visible_only_to_the_adviser_who_placed_it() -> None:
    """F9."""
    table = replace(deal_table(3), drawn=GOVERNMENT)
    table, facts = play(table, FAVOR)
    assert facts[0] == CardAddedToFavorDeck(0, GOVERNMENT)
    assert redact(facts[0], 1) == CardAddedToFavorDeck(0, None)
    assert [view(table, seat).favored[0] for seat in (0, 1, PUBLIC)] == [(GOVERNMENT,), None, None]


def test_players_take_cards_from_the_middle_in_clockwise_order_starting_left_of_the_adviser() -> None:
    """F10."""
    table = replace(deal_table(3), adviser=1, drawn=None, kept=True, stashed=True, shown=2, middle=(GOVERNMENT, GOLD))
    assert turn(table) == (2,)
    assert list_menu(table) == (TakeAction(GOVERNMENT), TakeAction(GOLD))
    table, _ = play(table, TakeAction(GOLD))
    assert turn(table) == (0,)
    assert list_menu(table) == (TakeAction(GOVERNMENT),)


def test_in_a_two_player_game_the_adviser_puts_exactly_one_card_into_the_middle() -> None:
    """F11."""
    table = without_kings(2)
    table, _ = play(table, MIDDLE)
    assert areas(table) == {"favor", "self"}
    table, _ = play(table, FAVOR, SELF)
    assert turn(table) == (1,)
    assert len(list_menu(table)) == 1


@pytest.mark.parametrize(("seats", "turns"), [(2, [10, 10]), (3, [6, 6, 6]), (4, [4] * 4), (5, [4, 4, 4, 3, 3])])
def test_seat_0_is_the_first_adviser_and_the_adviser_changes_clockwise(seats: int, turns: list[int]) -> None:
    """F31: bots change their seats from match to match, so seat 0 always begins."""
    table, advised = deal_table(seats), [0] * seats
    advised[table.adviser] += 1
    while table.phase == "influence":
        (seat,) = turn(table)
        for fact in decide(table, seat, legal(table, seat)[0], CHANCE):
            table = apply(table, fact)
            if type(fact).__name__ == "DeckPassed":
                advised[table.adviser] += 1
    assert advised == turns
    assert len(table.favor) + 1 == sum(turns), "as many Favor cards as Adviser turns, one of them revealed"


def test_the_left_neighbour_of_the_last_adviser_bids_first_in_the_auction() -> None:
    """F-G14: with five players, seat 2 is the last Adviser and seat 3 opens."""
    table = deal_table(5)
    while table.phase == "influence":
        (seat,) = turn(table)
        for fact in decide(table, seat, legal(table, seat)[0], CHANCE):
            table = apply(table, fact)
    assert (table.adviser, table.first, turn(table)) == (2, 3, (3,))
    assert len(table.favor) + 1 == 18


def test_by_default_an_adviser_shares_a_card_then_puts_one_on_the_favor_deck_then_keeps_one() -> None:
    """F33."""
    table = without_kings(3)
    assert list_menu(table)[0] == MIDDLE
    assert list_menu(replace(table, shown=2))[0] == FAVOR
    assert list_menu(replace(table, shown=2, stashed=True)) == (SELF,)


def test_an_adviser_cannot_place_a_card_in_a_full_area() -> None:
    table = without_kings(3)
    table, _ = play(table, SELF)
    with pytest.raises(IllegalChoiceError, match="may not Place"):
        decide(table, 0, SELF, CHANCE)


def test_a_card_an_adviser_keeps_is_secret_and_a_shared_card_is_public() -> None:
    table = replace(deal_table(3), drawn=GOVERNMENT)
    _, facts = play(table, SELF)
    assert [redact(facts[0], eyes) for eyes in (0, 1, PUBLIC)] == [
        CardKept(0, GOVERNMENT),
        CardKept(0, None),
        CardKept(0, None),
    ]
    _, facts = play(table, MIDDLE)
    assert [redact(facts[0], eyes) for eyes in (0, 1, PUBLIC)] == [CardShown(0, GOVERNMENT)] * 3
