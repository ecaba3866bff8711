"""The investigation and its endings: K7-K31 and K-G1 to K-G13."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from ftk_core.facts import PUBLIC
from ftk_core.game import MENU_LIMIT, RuleError
from ftk_core.games.kings_court.claims import Claim
from ftk_core.games.kings_court.facts import (
    Accuse,
    Ask,
    Choose,
    Dismiss,
    DontKnow,
    Fumble,
    Halt,
    Help,
    Hide,
    Said,
    Say,
    Silence,
)
from ftk_core.games.kings_court.rules import decide, legal, result
from ftk_core.games.kings_court.sight import view
from ftk_core.games.kings_court.state import STATEMENTS, Table, bare, step, to_act
from tests.support.games.kings_court.courts import CHANCE, A, P, U, accuse, court, decided, ending, menu, play, quiet

SIX: Sequence[int | str] = (5, P, A, 6, U)
EIGHT: Sequence[int | str] = (P, 4, P, A, 2, U, 0)


def eight(*shares: int | str | tuple[int, str], **more: Any) -> Table:
    return court(shares, **more)


def test_the_king_who_recovers_everything_shares_with_his_peasants() -> None:
    """K-G1, K7: the engine ends the game at once; the Apprentice's right neighbour is a winner (K21)."""
    assert ending(court(SIX, hidden=2), 1, 4) == ("king", (0, 2, 3))


def test_an_accused_usurper_wins() -> None:
    """K-G2."""
    assert ending(court(SIX, hidden=2), 5) == ("usurper", (5,))


def test_a_mistake_without_a_gift_exiles_the_king_and_the_richest_thief_wins() -> None:
    """K-G3, K19."""
    assert ending(court(SIX, hidden=2), 2) == ("exile", (4,))


def test_equally_rich_thieves_share() -> None:
    """K-G4."""
    assert ending(court((5, P, A, 5, U), hidden=2), 2) == ("exile", (1, 4))


def test_a_gift_pays_for_one_mistake() -> None:
    """K-G5, K10, K25: a gift's owner is not accused again."""
    table = accuse(court(EIGHT), 1)
    assert table.gifts == 0
    assert Accuse(1) not in menu(quiet(table))
    assert ending(table, 3) == ("exile", (2, 7))
    assert ending(court(EIGHT), 7, 2, 5) == ("king", (0, 1, 3, 4))


def test_urchins_win_with_the_thieves_and_apprentices_with_their_right_neighbour() -> None:
    """K-G6, K22."""
    assert ending(court((10, A, U, 0, 0), hidden=3, dismissed=P), 4) == ("exile", (1, 2, 4, 5))


def test_the_king_is_the_right_neighbour_of_seat_1() -> None:
    """K-G8, K22."""
    assert ending(court((A, 3, P, U, 4)), 2, 5) == ("king", (0, 1, 3))


FAKE = (P, P, P, A)


def test_a_fake_saves_a_thief_once() -> None:
    """K-G10, K11, K12."""
    table = accuse(eight(P, (3, "fake"), P, A, 2, P, 0, cards=FAKE, fake=True), 2)
    assert (table.gifts, table.exiled[2], table.recovered) == (1, False, 0)
    assert view(table, PUBLIC).takes[2] is None, "only the fake is shown"
    assert ending(table, 2, 5) == ("king", (0, 1, 3, 4, 6))
    assert ending(table, 1, 3) == ("exile", (2, 7))


def test_a_fake_alone_is_a_mistake_at_the_second_accusation() -> None:
    """K-G10, K11."""
    table = accuse(eight(A, (0, "fake"), P, P, 2, 1, P, cards=FAKE, fake=True), 2, 2)
    assert table.gifts == 0
    assert ending(table, 3) == ("exile", (2, 5))


def test_when_all_are_thieves_any_order_wins() -> None:
    """K-G12, K9."""
    assert ending(court((1, 2, 3, 4, 3)), 5, 1, 3, 2, 4) == ("king", (0,))


def test_a_court_in_which_nothing_was_stolen_ends_at_once() -> None:
    """K8: only if whoever did not take a card fumbled."""
    table = play(bare(6), Hide(0), Dismiss(), Fumble(), Help(0, P), Help(0, U), Help(0, A), Fumble())
    assert (table.ending, table.winners) == ("king", (0, 2))


def test_no_urchin_wins_without_a_thief() -> None:
    """K24: who robbed alone and was caught leaves the King with everything."""
    assert ending(court((10, A, U, 0, 0), hidden=3, dismissed=P), 1) == ("king", (0,))


def test_the_king_may_accuse_without_a_question() -> None:
    """K28, and it is what is played for a silent King: the first subject to his left."""
    assert menu(quiet(court(SIX, hidden=2)))[0] == Accuse(1)


def test_a_revealed_take_is_public() -> None:
    """K26."""
    table = accuse(court(SIX, hidden=2), 1)
    assert view(table, PUBLIC).takes[1] is not None
    assert view(table, PUBLIC).takes[4] is None


def test_answers_are_not_held_against_the_truth() -> None:
    """K29, K30: any number of diamonds can be claimed, and nothing proves it."""
    table = play(quiet(court(SIX, hidden=2)), Ask(1, "received_diamonds"))
    assert set(menu(table)) == {
        Silence(),
        DontKnow(),
        *(Say(Claim(topic="received_diamonds", number=n)) for n in range(14)),
    }
    table = play(table, Say(Claim(topic="received_diamonds", number=3)))
    assert table.said[-1] == Said(1, Claim(topic="received_diamonds", number=3))
    assert view(table, PUBLIC).takes[1] is None


def test_questions_are_budgeted_and_then_only_accusations_are_left() -> None:
    """K31."""
    table = quiet(court(SIX, hidden=2))
    for _ in range(8):
        table = quiet(play(table, Ask(1, "took"), Silence()))
    assert not any(isinstance(action, Ask) and action.seat == 1 for action in menu(table))
    for _ in range(12):
        table = quiet(play(table, Say(Claim(topic="hid", number=0))))
    assert all(isinstance(action, Accuse) for action in menu(table))


def test_all_subjects_may_speak_after_a_question_and_only_so_often() -> None:
    table = play(quiet(court(SIX, hidden=2)), Ask(1, "suspect"), Silence())
    assert to_act(table) == (1, 2, 3, 4, 5)
    for _ in range(STATEMENTS):
        table = decided(table, 2, Say(Claim(topic="vouch", seat=3)))
        table = quiet(table)
        table = play(table, Say(Claim(topic="hid", number=1)))
    assert 2 not in to_act(table)


def test_the_exiled_are_not_asked_and_do_not_speak() -> None:
    """K-G13."""
    table = quiet(accuse(court(SIX, hidden=2), 1))
    assert not any(getattr(action, "seat", None) == 1 for action in menu(table) if isinstance(action, (Ask, Accuse)))
    table = play(table, Say(Claim(topic="hid", number=1)))
    assert 1 not in to_act(table)


@pytest.mark.parametrize("action", [Ask(2, "dismissed"), Ask(0, "took"), Accuse(0), Accuse(9), Choose(1), Halt()])
def test_what_is_not_on_the_kings_menu_is_refused(action: Any) -> None:
    """K-G13."""
    with pytest.raises(RuleError):
        decide(quiet(court(SIX, hidden=2)), 0, action, CHANCE)


def test_no_menu_is_too_long_for_twelve() -> None:
    table = quiet(court((1,) * 11))
    assert step(table) == "king"
    assert len(menu(table)) <= MENU_LIMIT
    for topic in ("received_cards", "took", "suspect"):
        asked = play(table, Ask(1, topic))
        assert len(menu(asked)) <= MENU_LIMIT
    floor = play(table, Say(Claim(topic="hid", number=0)))
    assert max(len(legal(floor, seat)) for seat in to_act(floor)) <= MENU_LIMIT


def test_winners_share_the_first_place_and_score_one_each() -> None:
    table = accuse(court(SIX, hidden=2), 1, 4)
    assert result(table).scores == (1, 0, 1, 1, 0, 0)
    assert result(table).places == (1, 4, 1, 1, 4, 4)
