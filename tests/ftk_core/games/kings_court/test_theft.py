"""The theft: K1-K6, K13, K-G0 and K-G13."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from ftk_core.facts import OMNISCIENT, PUBLIC, tell
from ftk_core.game import RuleError
from ftk_core.games.kings_court.box import BadBox, Options, cards_for, check_box, gifts_for
from ftk_core.games.kings_court.claims import Take
from ftk_core.games.kings_court.facts import BoxConsidered, Dismiss, Fumble, Help, Hide, ShareTaken
from ftk_core.games.kings_court.rules import GAME, decide, result, veiled
from ftk_core.games.kings_court.sight import view
from ftk_core.games.kings_court.state import bare, role_of, step, to_act
from tests.support.games.kings_court.courts import CHANCE, A, G, P, Q, U, accuse, court, facts_of, menu, play


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
def test_the_box_is_filled_by_the_number_of_players(seats: int, counts: tuple[int, ...], gifts: int) -> None:
    """K-G0."""
    count = Counter(cards_for(seats))
    assert (count[P], count[U], count[A]) == counts
    assert len(cards_for(seats)) == seats - 3
    assert gifts_for(seats) == gifts
    assert menu(bare(seats)) == (Hide(0), Hide(1), Hide(2), Hide(3))


def test_seat_0_is_the_king_and_seat_1_opens_the_box_first() -> None:
    """K1."""
    table = bare(6)
    assert to_act(table) == (0,)
    assert to_act(play(table, Hide(2))) == (1,)


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
def test_an_impossible_box_is_refused_with_the_reason(cards: tuple[str, ...], fake: bool, said: str) -> None:
    with pytest.raises(BadBox, match=said):
        check_box(6, cards, fake=fake)


def test_another_box_of_the_same_size_is_accepted() -> None:
    assert check_box(6, (U, P, G), fake=False) == (P, U, G)
    assert check_box(8, (A, Q, P, G), fake=True) == (P, A, G, Q)


def test_only_the_first_player_knows_whether_a_card_was_dismissed() -> None:
    """K2."""
    table = play(bare(6), Hide(0))
    assert menu(table) == (Dismiss(None), Dismiss(P), Dismiss(U), Dismiss(A))
    (fact, *_) = facts_of(table, 1, Dismiss(P))
    assert tell(fact, 1) == BoxConsidered(1, P)
    assert tell(fact, 2) == tell(facts_of(table, 1, Dismiss(None))[0], 2) == BoxConsidered(1, None)
    after = play(table, Dismiss(P), Help(10))
    assert [view(after, eyes).dismissed for eyes in (1, 0, 2, PUBLIC)] == [P, None, None, None]
    assert view(after, OMNISCIENT).dismissed == P
    arrived = view(after, 2).arrivals[2]
    assert arrived is not None
    assert arrived.cards == (U, A)


def test_a_box_with_nothing_but_the_dismissed_card_is_empty() -> None:
    """K3, K4, K-G6: the rest become Street Urchins without a choice."""
    table = play(bare(6), Hide(3), Dismiss(P), Help(10), Help(0, A), Help(0, U))
    for _ in range(2):
        assert menu(table) == (Help(),)
        table = play(table, Help())
    assert step(table) == "king"
    assert [role_of(table, seat) for seat in range(1, 6)] == ["thief", A, U, "urchin", "urchin"]


def test_an_empty_hand_looks_like_any_other() -> None:
    """K4."""
    taken, empty = ShareTaken(4, 3, None, fake=False), ShareTaken(4, 0, None, fake=False)
    assert tell(taken, PUBLIC) == tell(empty, PUBLIC)
    full = play(bare(6), Hide(3), Dismiss(), Help(1), Help(1), Help(1))
    bare_box = play(bare(6), Hide(3), Dismiss(P), Help(10), Help(0, A), Help(0, U))
    assert view(full, PUBLIC) == view(bare_box, PUBLIC)
    assert (to_act(full), veiled(full)) == (to_act(bare_box), veiled(bare_box)) == ((4,), True)


def test_only_the_last_player_may_take_nothing() -> None:
    """K5."""
    table = play(bare(6), Hide(0), Dismiss(), Help(1), Help(1), Help(1), Help(1))
    assert Help() in menu(table)
    assert role_of(play(table, Help()), 5) == "urchin"
    with pytest.raises(RuleError):
        decide(play(bare(6), Hide(0), Dismiss()), 1, Help(), CHANCE)


def test_whoever_fumbles_takes_nothing_is_exiled_and_never_wins() -> None:
    """K6: this is what is played for a silent seat."""
    table = play(bare(6), Hide(0), Dismiss())
    assert menu(table)[0] == Fumble()
    table = play(table, Fumble(), Help(1), Help(0, P), Help(0, U), Help(0, A))
    assert table.exiled[1]
    assert role_of(table, 1) == "none"
    assert table.box.diamonds == 12
    end = accuse(table, 2)
    assert end.winners == (0, 3)
    assert result(end).places[1] != 1


def test_the_fake_may_be_taken_alone_or_with_diamonds_and_never_counts() -> None:
    """K13."""
    cards = (P, P, P, A)
    table = court([P, (3, "fake"), P, A, 2, P, 1], cards=cards, fake=True)
    assert table.takes[2] == Take(3, None, fake=True)
    assert role_of(table, 2) == "thief"
    alone = court([P, (0, "fake"), P, A, 2, P, 1], cards=cards, fake=True)
    assert role_of(alone, 2) == "urchin"


@pytest.mark.parametrize("action", [Help(0), Help(2, P), Hide(4), Help(99), Help(0, G), Dismiss(U)])
def test_what_may_not_be_taken_is_refused(action: Any) -> None:
    """K-G13."""
    with pytest.raises(RuleError):
        decide(play(bare(6), Hide(0), Dismiss()), 1, action, CHANCE)


def test_diamonds_and_cards_are_always_somewhere() -> None:
    table = court([5, P, A, 6, U], hidden=2)
    assert 2 + table.box.diamonds + sum(take.diamonds for take in table.takes if take) == 13


def test_the_receiver_sees_the_box_and_the_king_what_came_back() -> None:
    table = court([5, P, A, 6, U], hidden=2)
    assert [view(table, seat).arrivals[2] is None for seat in (0, 1, 2, PUBLIC)] == [True, True, False, True]
    assert view(table, 0).stolen == 11
    assert view(table, 3).stolen is None
    arrived = view(table, 0).arrivals[0]
    assert arrived is not None
    assert arrived.diamonds == 0


def test_an_organiser_fills_the_box_otherwise() -> None:
    assert GAME.setup(8, Options(fake=True)).cards == (P, P, P, A), "the fake diamond takes the place of the Usurper"
    chosen = GAME.setup(6, Options(cards=(U, G, P), gifts=2))
    assert (chosen.cards, chosen.gifts, chosen.box.diamonds) == ((P, U, G), 2, 13)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (Options(cards=(P, U)), "holds 3 cards, not 2"),
        (Options(gifts=6), "0 to 5 Kings Gifts, not 6"),
        (Options(cards=(P, U, A), fake=True), "counted as one, not 4"),
    ],
)
def test_an_impossible_choice_is_refused_before_anybody_sits_down(options: Options, said: str) -> None:
    with pytest.raises(BadBox, match=said):
        GAME.setup(6, options)


def test_at_the_end_everybody_s_role_is_known() -> None:
    table = play(bare(6), Hide(3), Dismiss(), Help(4), Help(3), Help(0, P), Help(0, U), Help(0, A))
    assert GAME.result(table).roles == ("king", "thief", "thief", "peasant", "usurper", "apprentice")
