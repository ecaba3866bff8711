"""The theft: K1-K6, K13, K-G0 and K-G13."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from ftk_core.facts import OMNISCIENT, PUBLIC, redact
from ftk_core.game import IllegalChoiceError
from ftk_core.games.kings_court.facts import (
    BreakTheftRulesAction,
    DismissAction,
    DismissalDecided,
    HideAction,
    SeatTookFromBox,
    TakeAction,
)
from ftk_core.games.kings_court.player_claims import ItemsTakenFromBox
from ftk_core.games.kings_court.player_view import view
from ftk_core.games.kings_court.roles_and_options import (
    InvalidBoxContentsError,
    KingsCourtOptions,
    cards_for,
    check_box,
    gifts_for,
)
from ftk_core.games.kings_court.rules import GAME, decide, result, veiled
from ftk_core.games.kings_court.table_state import new_court, role_of, step, to_act
from tests.support.games.kings_court.courts import (
    CHANCE,
    A,
    G,
    P,
    Q,
    U,
    accuse_seats,
    build_court,
    list_choice_facts,
    list_menu,
    play,
)


@pytest.mark.parametrize(
    ("seats", "counts", "gifts"),
    [
        (6, (1, 1, 1), 0),
        (7, (2, 1, 1), 0),
        (8, (3, 1, 1), 1),
        (9, (4, 1, 1), 1),
        (10, (4, 2, 1), 1),
        (11, (4, 2, 2), 2),
        (12, (5, 2, 2), 2),
    ],
)
def test_the_contents_of_the_diamond_box_depend_on_the_number_of_players(
    seats: int, counts: tuple[int, ...], gifts: int
) -> None:
    """K-G0."""
    count = Counter(cards_for(seats))
    assert (count[P], count[U], count[A]) == counts
    assert len(cards_for(seats)) == seats - 3
    assert gifts_for(seats) == gifts
    assert list_menu(new_court(seats)) == (HideAction(0), HideAction(1), HideAction(2), HideAction(3))


def test_seat_0_is_the_king_and_seat_1_receives_the_diamond_box_first() -> None:
    """K1."""
    table = new_court(6)
    assert to_act(table) == (0,)
    assert to_act(play(table, HideAction(2))) == (1,)


@pytest.mark.parametrize(
    ("cards", "fake", "said"),
    [
        ((P, P, "jester"), False, "no character 'jester'"),
        ((P, U), False, "holds 3 cards, not 2"),
        ((P, U, A), True, "counted as one, not 4"),
        ((U, A, A), False, "at least one Loyal Peasant"),
        ((P, G, G), False, "one guard at the most"),
    ],
)
def test_impossible_contents_of_the_diamond_box_are_refused_with_the_reason(
    cards: tuple[str, ...], fake: bool, said: str
) -> None:
    with pytest.raises(InvalidBoxContentsError, match=said):
        check_box(6, cards, fake=fake)


def test_custom_contents_of_the_diamond_box_are_accepted_if_the_number_of_cards_is_right() -> None:
    assert check_box(6, (U, P, G), fake=False) == (P, U, G)
    assert check_box(8, (A, Q, P, G), fake=True) == (P, A, G, Q)


def test_no_other_player_learns_whether_the_first_player_removed_a_card_from_the_diamond_box() -> None:
    """K2."""
    table = play(new_court(6), HideAction(0))
    assert list_menu(table) == (DismissAction(None), DismissAction(P), DismissAction(U), DismissAction(A))
    (fact, *_) = list_choice_facts(table, 1, DismissAction(P))
    assert redact(fact, 1) == DismissalDecided(1, P)
    assert (
        redact(fact, 2) == redact(list_choice_facts(table, 1, DismissAction(None))[0], 2) == DismissalDecided(1, None)
    )
    after = play(table, DismissAction(P), TakeAction(10))
    assert [view(after, eyes).dismissed for eyes in (1, 0, 2, PUBLIC)] == [P, None, None, None]
    assert view(after, OMNISCIENT).dismissed == P
    arrived = view(after, 2).arrivals[2]
    assert arrived is not None
    assert arrived.cards == (U, A)


def test_players_who_receive_an_empty_diamond_box_have_no_choice_and_become_urchins() -> None:
    """K3, K4, K-G6: they become Street Urchins."""
    table = play(new_court(6), HideAction(3), DismissAction(P), TakeAction(10), TakeAction(0, A), TakeAction(0, U))
    for _ in range(2):
        assert list_menu(table) == (TakeAction(),)
        table = play(table, TakeAction())
    assert step(table) == "king"
    assert [role_of(table, seat) for seat in range(1, 6)] == ["thief", A, U, "urchin", "urchin"]


def test_taking_nothing_from_an_empty_diamond_box_looks_to_others_like_any_other_theft() -> None:
    """K4."""
    taken, empty = SeatTookFromBox(4, 3, None, fake=False), SeatTookFromBox(4, 0, None, fake=False)
    assert redact(taken, PUBLIC) == redact(empty, PUBLIC)
    full = play(new_court(6), HideAction(3), DismissAction(), TakeAction(1), TakeAction(1), TakeAction(1))
    bare_box = play(new_court(6), HideAction(3), DismissAction(P), TakeAction(10), TakeAction(0, A), TakeAction(0, U))
    assert view(full, PUBLIC) == view(bare_box, PUBLIC)
    assert (to_act(full), veiled(full)) == (to_act(bare_box), veiled(bare_box)) == ((4,), True)


def test_only_the_last_player_may_take_nothing_from_a_diamond_box_that_is_not_empty() -> None:
    """K5."""
    table = play(new_court(6), HideAction(0), DismissAction())
    for _ in range(4):
        assert TakeAction() not in list_menu(table)
        table = play(table, TakeAction(1))
    assert TakeAction() in list_menu(table)
    assert role_of(play(table, TakeAction()), 5) == "urchin"
    with pytest.raises(IllegalChoiceError):
        decide(play(new_court(6), HideAction(0), DismissAction()), 1, TakeAction(), CHANCE)


def test_a_player_who_holds_the_diamond_box_and_does_not_answer_is_exiled_without_loot_and_cannot_win() -> None:
    """K6: breaking the rules of taking is the default action."""
    table = play(new_court(6), HideAction(0), DismissAction())
    assert list_menu(table)[0] == BreakTheftRulesAction()
    table = play(table, BreakTheftRulesAction(), TakeAction(1), TakeAction(0, P), TakeAction(0, U), TakeAction(0, A))
    assert table.exiled[1]
    assert role_of(table, 1) == "none"
    assert table.box.diamonds == 12
    end = accuse_seats(table, 2)
    assert end.winners == (0, 3)
    assert result(end).places[1] != 1


def test_the_fake_diamond_can_be_taken_alone_or_with_diamonds_but_does_not_count_as_a_diamond() -> None:
    """K13."""
    cards = (P, P, P, A)
    table = build_court([P, (3, "fake"), P, A, 2, P, 1], cards=cards, fake=True)
    assert table.takes[2] == ItemsTakenFromBox(3, None, fake=True)
    assert role_of(table, 2) == "thief"
    alone = build_court([P, (0, "fake"), P, A, 2, P, 1], cards=cards, fake=True)
    assert role_of(alone, 2) == "urchin"
    assert (view(table, 0).stolen, view(alone, 0).stolen) == (6, 3)


@pytest.mark.parametrize(
    "action", [TakeAction(0), TakeAction(2, P), HideAction(4), TakeAction(99), TakeAction(0, G), DismissAction(U)]
)
def test_an_action_that_the_contents_of_the_diamond_box_do_not_allow_is_refused(action: Any) -> None:
    """K-G13."""
    with pytest.raises(IllegalChoiceError):
        decide(play(new_court(6), HideAction(0), DismissAction()), 1, action, CHANCE)


def test_players_see_only_the_box_they_received_and_only_the_king_sees_the_number_of_stolen_diamonds() -> None:
    table = build_court([5, P, A, 6, U], hidden=2)
    assert [view(table, seat).arrivals[2] is None for seat in (0, 1, 2, PUBLIC)] == [True, True, False, True]
    assert view(table, 0).stolen == 11
    assert {view(table, viewer).stolen for viewer in (1, 2, 3, 4, 5, PUBLIC)} == {None}
    arrived = view(table, 0).arrivals[0]
    assert arrived is not None
    assert arrived.diamonds == 0


def test_an_organiser_can_choose_the_contents_of_the_diamond_box() -> None:
    assert GAME.setup(8, KingsCourtOptions(fake=True)).cards == (P, P, P, A), (
        "the fake diamond takes the place of the Usurper"
    )
    chosen = GAME.setup(6, KingsCourtOptions(cards=(U, G, P), gifts=2))
    assert (chosen.cards, chosen.gifts, chosen.box.diamonds) == ((P, U, G), 2, 13)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (KingsCourtOptions(cards=(P, U)), "holds 3 cards, not 2"),
        (KingsCourtOptions(gifts=6), "0 to 5 Kings Gifts, not 6"),
        (KingsCourtOptions(cards=(P, U, A), fake=True), "counted as one, not 4"),
    ],
)
def test_impossible_contents_of_the_diamond_box_are_refused_before_the_match_begins(
    options: KingsCourtOptions, said: str
) -> None:
    with pytest.raises(InvalidBoxContentsError, match=said):
        GAME.setup(6, options)


def test_every_role_is_public_at_the_end() -> None:
    table = play(
        new_court(6),
        HideAction(3),
        DismissAction(),
        TakeAction(4),
        TakeAction(3),
        TakeAction(0, P),
        TakeAction(0, U),
        TakeAction(0, A),
    )
    end = accuse_seats(table, 1, 2)
    assert end.ending
    assert GAME.result(end).roles == ("king", "thief", "thief", "peasant", "usurper", "apprentice")
    assert view(end, PUBLIC).takes == end.takes
