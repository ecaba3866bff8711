"""Phase 1: F7-F11, F31, F33 and the printed example F-G2."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ftk_core.facts import PUBLIC, tell
from ftk_core.game import RuleError
from ftk_core.games.for_the_king.box import CARDS
from ftk_core.games.for_the_king.facts import CardFavored, CardKept, Decree, Place, Take
from ftk_core.games.for_the_king.rules import apply, decide, legal, turn
from ftk_core.games.for_the_king.sight import view
from ftk_core.games.for_the_king.state import Table
from tests.support.games.for_the_king.tables import CHANCE, GOLD, GOVERNMENT, dealt, kinds, menu, play

MIDDLE, FAVOR, SELF = Place("middle"), Place("favor"), Place("self")


def without_kings(seats: int) -> Table:
    """Return a dealt table whose first cards are no Kings."""
    table = dealt(seats)
    cards = [card for card in (table.drawn, *table.deck) if card]
    plain = sorted(cards, key=lambda card: CARDS[card].kind == "king")
    return replace(table, drawn=plain[0], deck=tuple(plain[1:]))


def areas(table: Table) -> set[str]:
    return {action.area for action in menu(table) if isinstance(action, Place)}


def test_the_printed_example_of_a_turn() -> None:
    """F-G2: keep, share, favor; the last two can only go to the middle; three opponents then choose."""
    table = without_kings(4)
    seen = []
    for action in (SELF, MIDDLE, FAVOR, MIDDLE, MIDDLE):
        seen.append(areas(table))
        table, _ = play(table, action)
    assert seen == [{"self", "middle", "favor"}, {"middle", "favor"}, {"middle", "favor"}, {"middle"}, {"middle"}]
    choosers = []
    for left in (3, 2, 1):
        assert len(menu(table)) == left
        choosers += turn(table)
        table, facts = play(table, menu(table)[0])
    assert choosers == [1, 2, 3]
    assert kinds(facts) == ["CardTaken", "DeckPassed", "CardDrawn"]
    assert (table.adviser, turn(table)) == (1, (1,))


def test_a_kept_king_is_revealed_and_resolved_before_the_next_draw() -> None:
    """F7, F-G15: it uses the place before oneself and never enters the hand."""
    table = replace(dealt(4), drawn="KING-P-1")
    table, facts = play(table, SELF)
    assert kinds(facts) == ["KingRevealed"]
    assert (table.kept, table.hands[0], table.drawn) == (True, (), None)
    table, facts = play(table, Decree(up=("diplomacy",)))
    assert kinds(facts) == ["Decreed", "CardDrawn"]
    assert table.duties[0] == 4
    assert "self" not in areas(table)


def test_a_king_taken_from_the_middle_is_resolved_before_the_next_choice() -> None:
    table = replace(dealt(3), drawn=None, kept=True, stashed=True, shown=2, middle=("KING-M-1", GOLD))
    table, _ = play(table, Take("KING-M-1"))
    assert turn(table) == (1,)
    table, _ = play(table, Decree(down=("military",)))
    assert turn(table) == (2,)
    assert table.duties[4] == 2
    assert table.hands[1] == ()


def test_one_always_sees_ones_own_pile() -> None:
    """F8."""
    table = replace(dealt(2), hands=((GOVERNMENT, GOLD), (GOLD,)))
    assert view(table, 0).hands == ((GOVERNMENT, GOLD), None)
    assert view(table, PUBLIC).hands == (None, None)


def test_a_card_laid_on_the_favor_deck_is_known_to_whoever_laid_it_only() -> None:
    """F9."""
    table = replace(dealt(3), drawn=GOVERNMENT)
    table, facts = play(table, FAVOR)
    assert facts[0] == CardFavored(0, GOVERNMENT)
    assert tell(facts[0], 1) == CardFavored(0, None)
    assert [view(table, seat).favored[0] for seat in (0, 1, PUBLIC)] == [(GOVERNMENT,), None, None]


def test_choosing_is_mandatory_and_clockwise_from_the_advisers_left() -> None:
    """F10."""
    table = replace(dealt(3), adviser=1, drawn=None, kept=True, stashed=True, shown=2, middle=(GOVERNMENT, GOLD))
    assert turn(table) == (2,)
    assert menu(table) == (Take(GOVERNMENT), Take(GOLD))
    table, _ = play(table, Take(GOLD))
    assert turn(table) == (0,)
    assert menu(table) == (Take(GOVERNMENT),)


def test_with_two_players_one_card_goes_to_the_middle() -> None:
    """F11."""
    table = without_kings(2)
    table, _ = play(table, MIDDLE)
    assert areas(table) == {"favor", "self"}
    table, _ = play(table, FAVOR, SELF)
    assert turn(table) == (1,)
    assert len(menu(table)) == 1


@pytest.mark.parametrize(("seats", "turns"), [(2, [10, 10]), (3, [6, 6, 6]), (4, [4] * 4), (5, [4, 4, 4, 3, 3])])
def test_seat_0_is_the_first_adviser_and_the_turns_go_round(seats: int, turns: list[int]) -> None:
    """F31: the platform permutes bots over seats."""
    table, advised = dealt(seats), [0] * seats
    advised[table.adviser] += 1
    while table.phase == "influence":
        (seat,) = turn(table)
        for fact in decide(table, seat, legal(table, seat)[0], CHANCE):
            table = apply(table, fact)
            if type(fact).__name__ == "DeckPassed":
                advised[table.adviser] += 1
    assert advised == turns
    assert len(table.favor) + 1 == sum(turns), "as many Favor cards as Adviser turns, one of them revealed"


def test_the_auction_is_opened_left_of_the_last_adviser() -> None:
    """F-G14: with five players, seat 2 is the last Adviser and seat 3 opens."""
    table = dealt(5)
    while table.phase == "influence":
        (seat,) = turn(table)
        for fact in decide(table, seat, legal(table, seat)[0], CHANCE):
            table = apply(table, fact)
    assert (table.adviser, table.first, turn(table)) == (2, 3, (3,))
    assert len(table.favor) + 1 == 18


def test_a_silent_adviser_shares_then_favors_then_keeps() -> None:
    """F33."""
    table = without_kings(3)
    assert menu(table)[0] == MIDDLE
    assert menu(replace(table, shown=2))[0] == FAVOR
    assert menu(replace(table, shown=2, stashed=True)) == (SELF,)


def test_a_full_area_is_refused() -> None:
    table = without_kings(3)
    table, _ = play(table, SELF)
    with pytest.raises(RuleError, match="may not Place"):
        decide(table, 0, SELF, CHANCE)


def test_a_kept_card_is_secret_and_a_shared_one_is_not() -> None:
    table = replace(dealt(3), drawn=GOVERNMENT)
    _, facts = play(table, SELF)
    assert [tell(facts[0], eyes) for eyes in (0, 1, PUBLIC)] == [
        CardKept(0, GOVERNMENT),
        CardKept(0, None),
        CardKept(0, None),
    ]
