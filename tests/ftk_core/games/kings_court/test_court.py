"""The investigation and its endings: K7-K31 and K-G1 to K-G13."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from ftk_core.facts import PUBLIC
from ftk_core.game import IllegalChoiceError
from ftk_core.games.kings_court.facts import (
    AccuseAction,
    AskAction,
    BreakTheftRulesAction,
    ChooseWinnerAction,
    ClaimAction,
    ClaimMade,
    DismissAction,
    DontKnowAction,
    HideAction,
    SilenceAction,
    StopAccusationAction,
    TakeAction,
)
from ftk_core.games.kings_court.player_claims import PlayerClaim
from ftk_core.games.kings_court.player_view import view
from ftk_core.games.kings_court.rules import decide, result
from ftk_core.games.kings_court.table_state import STATEMENTS_PER_SUBJECT, TableState, new_court, to_act
from tests.support.games.kings_court.courts import (
    CHANCE,
    A,
    P,
    U,
    accuse_seats,
    accuse_to_the_end,
    apply_choice,
    build_court,
    list_menu,
    pass_until_king_acts,
    play,
)

SIX: Sequence[int | str] = (5, P, A, 6, U)
EIGHT: Sequence[int | str] = (P, 4, P, A, 2, U, 0)


def eight(*shares: int | str | tuple[int, str], **more: Any) -> TableState:
    return build_court(shares, **more)


def test_a_king_who_recovers_all_diamonds_wins_together_with_the_peasants() -> None:
    """K-G1, K7: the engine ends the game at once; the Apprentice's right neighbour is a winner (K21)."""
    assert accuse_to_the_end(build_court(SIX, hidden=2), 1, 4) == ("king", (0, 2, 3))


def test_a_usurper_accused_by_the_king_wins() -> None:
    """K-G2."""
    assert accuse_to_the_end(build_court(SIX, hidden=2), 5) == ("usurper", (5,))


def test_a_false_accusation_without_a_gift_exiles_the_king_and_the_richest_thief_wins() -> None:
    """K-G3, K19."""
    assert accuse_to_the_end(build_court(SIX, hidden=2), 2) == ("exile", (4,))


def test_equally_rich_thieves_share_the_win() -> None:
    """K-G4."""
    assert accuse_to_the_end(build_court((5, P, A, 5, U), hidden=2), 2) == ("exile", (1, 4))


def test_each_gift_of_the_king_pays_for_one_false_accusation() -> None:
    """K-G5, K10, K25: a player who got a gift is not accused again."""
    table = accuse_seats(build_court(EIGHT), 1)
    assert table.gifts == 0
    assert AccuseAction(1) not in list_menu(pass_until_king_acts(table))
    assert accuse_to_the_end(table, 3) == ("exile", (2, 7))
    assert accuse_to_the_end(build_court(EIGHT), 7, 2, 5) == ("king", (0, 1, 3, 4))


def test_urchins_win_if_the_thieves_win_and_apprentices_if_their_right_neighbour_wins() -> None:
    """K-G6, K22."""
    assert accuse_to_the_end(build_court((10, A, U, 0, 0), hidden=3, dismissed=P), 4) == ("exile", (1, 2, 4, 5))
    chain = build_court((A, A, 9, 3, P), cards=(P, A, A))
    assert accuse_to_the_end(chain, 3, 4) == ("king", (0, 1, 2, 5)), "the neighbour may be an Apprentice too"


def test_the_king_is_the_right_neighbour_of_seat_1() -> None:
    """K-G8, K22."""
    assert accuse_to_the_end(build_court((A, 3, P, U, 4)), 2, 5) == ("king", (0, 1, 3))


FAKE = (P, P, P, A)


def test_a_thief_with_the_fake_diamond_escapes_the_first_accusation() -> None:
    """K-G10, K11, K12."""
    table = accuse_seats(eight(P, (3, "fake"), P, A, 2, P, 0, cards=FAKE, fake=True), 2)
    assert (table.gifts, table.exiled[2], table.recovered) == (1, False, 0)
    assert view(table, PUBLIC).takes[2] is None, "only the fake is shown"
    assert accuse_to_the_end(table, 2, 5) == ("king", (0, 1, 3, 4, 6))
    assert accuse_to_the_end(table, 1, 3) == ("exile", (2, 7))


def test_the_second_accusation_of_a_player_who_stole_only_the_fake_diamond_counts_as_false() -> None:
    """K-G10, K11."""
    table = accuse_seats(eight(A, (0, "fake"), P, P, 2, 1, P, cards=FAKE, fake=True), 2, 2)
    assert table.gifts == 0
    assert accuse_to_the_end(table, 3) == ("exile", (2, 5))


def test_if_all_other_players_are_thieves_the_king_wins_by_accusing_all_of_them() -> None:
    """K-G12, K9."""
    assert accuse_to_the_end(build_court((1, 2, 3, 4, 3)), 5, 1, 3, 2, 4) == ("king", (0,))


def test_the_investigation_ends_immediately_if_nothing_was_stolen() -> None:
    """K8: this is only possible if each player without a card broke the rules of taking."""
    table = play(
        new_court(6),
        HideAction(0),
        DismissAction(),
        BreakTheftRulesAction(),
        TakeAction(0, P),
        TakeAction(0, U),
        TakeAction(0, A),
        BreakTheftRulesAction(),
    )
    assert (table.ending, table.winners) == ("king", (0, 2))


def test_urchins_do_not_win_if_no_thief_wins() -> None:
    """K24: if the only thief is caught, the King wins alone."""
    assert accuse_to_the_end(build_court((10, A, U, 0, 0), hidden=3, dismissed=P), 1) == ("king", (0,))


def test_the_king_may_accuse_without_asking_first() -> None:
    """K28: this is also the default action of a King who does not answer; it accuses the player to his left."""
    assert list_menu(pass_until_king_acts(build_court(SIX, hidden=2)))[0] == AccuseAction(1)


def test_accusing_a_thief_reveals_the_loot_of_that_thief_but_not_of_other_thieves() -> None:
    """K26."""
    table = accuse_seats(build_court(SIX, hidden=2), 1)
    assert view(table, PUBLIC).takes[1] is not None
    assert view(table, PUBLIC).takes[4] is None


def test_a_player_may_answer_a_question_of_the_king_with_any_claim() -> None:
    """K29, K30: any number of diamonds can be claimed, without proof."""
    table = play(pass_until_king_acts(build_court(SIX, hidden=2)), AskAction(1, "received_diamonds"))
    assert set(list_menu(table)) == {
        SilenceAction(),
        DontKnowAction(),
        *(ClaimAction(PlayerClaim(topic="received_diamonds", number=n)) for n in range(14)),
    }
    table = play(table, ClaimAction(PlayerClaim(topic="received_diamonds", number=3)))
    assert table.said[-1] == ClaimMade(1, PlayerClaim(topic="received_diamonds", number=3))
    assert view(table, PUBLIC).takes[1] is None


def test_after_the_question_budget_is_spent_the_king_can_only_accuse() -> None:
    """K31."""
    table = pass_until_king_acts(build_court(SIX, hidden=2))
    for _ in range(8):
        table = pass_until_king_acts(play(table, AskAction(1, "took"), SilenceAction()))
    assert not any(isinstance(action, AskAction) and action.seat == 1 for action in list_menu(table))
    for _ in range(12):
        table = pass_until_king_acts(play(table, ClaimAction(PlayerClaim(topic="hid", number=0))))
    assert all(isinstance(action, AccuseAction) for action in list_menu(table))


def test_every_subject_may_make_a_limited_number_of_statements_after_questions_of_the_king() -> None:
    table = play(pass_until_king_acts(build_court(SIX, hidden=2)), AskAction(1, "suspect"), SilenceAction())
    assert to_act(table) == (1, 2, 3, 4, 5)
    for _ in range(STATEMENTS_PER_SUBJECT):
        table = apply_choice(table, 2, ClaimAction(PlayerClaim(topic="vouch", seat=3)))
        table = pass_until_king_acts(table)
        table = play(table, ClaimAction(PlayerClaim(topic="hid", number=1)))
    assert to_act(table) == (1, 3, 4, 5)


def test_exiled_players_are_asked_no_questions_and_make_no_statements() -> None:
    """K-G13."""
    table = pass_until_king_acts(accuse_seats(build_court(SIX, hidden=2), 1))
    assert not any(
        getattr(action, "seat", None) == 1
        for action in list_menu(table)
        if isinstance(action, (AskAction, AccuseAction))
    )
    table = play(table, ClaimAction(PlayerClaim(topic="hid", number=1)))
    assert to_act(table) == (2, 3, 4, 5)


@pytest.mark.parametrize(
    "action",
    [
        AskAction(2, "dismissed"),
        AskAction(0, "took"),
        AccuseAction(0),
        AccuseAction(9),
        ChooseWinnerAction(1),
        StopAccusationAction(),
    ],
)
def test_an_action_outside_the_kings_menu_is_refused(action: Any) -> None:
    """K-G13."""
    with pytest.raises(IllegalChoiceError):
        decide(pass_until_king_acts(build_court(SIX, hidden=2)), 0, action, CHANCE)


def test_winners_share_the_first_place_and_score_one_point_each() -> None:
    table = accuse_seats(build_court(SIX, hidden=2), 1, 4)
    assert result(table).scores == (1, 0, 1, 1, 0, 0)
    assert result(table).places == (1, 4, 1, 1, 4, 4)
