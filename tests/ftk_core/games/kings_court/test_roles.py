"""Guard and Princess: K14-K18, K20, K23 and K27."""

from __future__ import annotations

from ftk_core.games.kings_court.facts import (
    AccuseAction,
    AllowAccusationAction,
    ChooseWinnerAction,
    StopAccusationAction,
)
from ftk_core.games.kings_court.rules import legal
from ftk_core.games.kings_court.table_state import TableState, to_act
from tests.support.games.kings_court.courts import (
    A,
    G,
    P,
    Q,
    U,
    accuse_to_the_end,
    apply_choice,
    build_court,
    list_menu,
    pass_until_king_acts,
    play,
)

GUARDED = (P, P, U, A, G)


def halted(table: TableState, target: int, guard: int) -> TableState:
    """Return the court after the King has accused and the Guard has cried HAULT."""
    table = play(pass_until_king_acts(table), AccuseAction(target))
    for seat in to_act(table):
        table = apply_choice(table, seat, StopAccusationAction() if seat == guard else AllowAccusationAction())
    return pass_until_king_acts(table)


def test_all_unaccused_players_are_asked_whether_to_halt_an_accusation_so_that_the_guard_stays_secret() -> None:
    """K27: only the Guard can halt it; the same answer of another player has no effect."""
    table = play(pass_until_king_acts(build_court((G, 4, P, A, 2, U, P), cards=GUARDED)), AccuseAction(2))
    assert to_act(table) == (1, 3, 4, 5, 6, 7)
    assert {legal(table, seat) for seat in to_act(table)} == {(AllowAccusationAction(), StopAccusationAction())}
    for seat in to_act(table)[1:]:
        table = apply_choice(table, seat, StopAccusationAction())
    table = apply_choice(table, 1, AllowAccusationAction())
    assert table.shout is None
    assert table.recovered == 4


def test_a_guard_who_halts_the_accusation_of_a_usurper_wins_alone() -> None:
    table = halted(build_court((G, 4, P, 1, 2, U, P), cards=GUARDED), 6, 1)
    assert (table.ending, table.winners) == ("guard", (1,))


def test_a_guard_who_halts_the_accusation_of_a_non_usurper_is_exiled_too_and_does_not_win() -> None:
    """K17, K20: the King loses no gift."""
    table = halted(build_court((G, 4, P, A, 2, U, P), cards=GUARDED), 2, 1)
    assert (table.exiled[1], table.exiled[2], table.recovered, table.gifts) == (True, True, 4, 1)
    assert accuse_to_the_end(table, 5) == ("king", (0, 3, 4, 7))


def test_a_guard_who_never_halts_an_accusation_wins_with_the_king_like_a_peasant() -> None:
    """K16."""
    assert accuse_to_the_end(build_court((G, 4, P, A, 2, U, P), cards=GUARDED), 2, 5) == ("king", (0, 1, 3, 4, 7))


def test_accusing_the_guard_costs_the_king_a_gift_and_the_guard_may_still_halt_a_later_accusation() -> None:
    """K16."""
    table = play(pass_until_king_acts(build_court((G, 4, P, A, 2, U, P), cards=GUARDED)), AccuseAction(1))
    assert 1 not in to_act(table)
    table = pass_until_king_acts(table)
    assert table.gifts == 0
    later = halted(table, 6, 1)
    assert later.ending == "guard"


def test_an_accusation_of_an_innocent_player_that_the_guard_halts_costs_the_king_no_gift() -> None:
    """K18, K20: an exiled player can still win."""
    table = halted(build_court((G, 4, P, A, 2, U, P), cards=GUARDED, gifts=0), 3, 1)
    assert table.exiled[3]
    assert not table.exiled[0]
    assert 3 in accuse_to_the_end(table, 2, 5)[1]
    assert halted(build_court((G, 4, P, A, 2, U, P), cards=GUARDED, gifts=1), 3, 1).gifts == 1


def test_the_fake_diamond_does_not_protect_a_thief_if_the_guard_stops_the_accusation_of_the_thief() -> None:
    """K14."""
    table = halted(build_court((G, (3, "fake"), P, A, 2, P, 1), cards=(P, P, A, G), fake=True), 2, 1)
    assert (table.exiled[2], table.recovered) == (True, 3)


COURTLY = (P, P, U, A, Q)


def test_an_accused_princess_wins_with_the_richest_thief() -> None:
    assert accuse_to_the_end(build_court((Q, 4, P, A, 2, U, P), cards=COURTLY), 1) == ("princess", (1, 2))
    assert accuse_to_the_end(build_court((Q, 4, P, A, 2, U, P), cards=COURTLY), 2, 1) == ("princess", (0, 1))


def test_an_accused_princess_chooses_between_equally_rich_thieves() -> None:
    """K23."""
    table = play(pass_until_king_acts(build_court((Q, 4, P, A, 4, U, P), cards=COURTLY)), AccuseAction(1))
    assert to_act(table) == (1,)
    assert list_menu(table) == (ChooseWinnerAction(2), ChooseWinnerAction(5))
    assert play(table, ChooseWinnerAction(5)).winners == (1, 5)


def test_a_princess_whose_accusation_is_halted_by_the_guard_does_not_win() -> None:
    """K15."""
    table = halted(build_court((Q, 4, G, A, 2, U, P), cards=(P, U, A, G, Q)), 1, 3)
    assert (table.exiled[1], table.exiled[3], table.ending) == (True, True, "")
