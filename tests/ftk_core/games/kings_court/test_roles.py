"""Guard and Princess: K14-K18, K20, K23 and K27."""

from __future__ import annotations

from ftk_core.games.kings_court.facts import Accuse, Choose, Halt, Stay
from ftk_core.games.kings_court.rules import legal
from ftk_core.games.kings_court.state import Table, to_act
from tests.support.games.kings_court.courts import A, G, P, Q, U, court, decided, ending, menu, play, quiet

GUARDED = (P, P, U, A, G)


def halted(table: Table, target: int, guard: int) -> Table:
    """Return the court after the King has accused and the Guard has cried HAULT."""
    table = play(quiet(table), Accuse(target))
    for seat in to_act(table):
        table = decided(table, seat, Halt() if seat == guard else Stay())
    return quiet(table)


def test_everybody_is_asked_so_that_nobody_knows_the_guard() -> None:
    """K27: and the cry of anybody else is not heard."""
    table = play(quiet(court((G, 4, P, A, 2, U, P), cards=GUARDED)), Accuse(2))
    assert to_act(table) == (1, 3, 4, 5, 6, 7)
    assert {legal(table, seat) for seat in to_act(table)} == {(Stay(), Halt())}
    for seat in to_act(table)[1:]:
        table = decided(table, seat, Halt())
    table = decided(table, 1, Stay())
    assert table.shout is None
    assert table.recovered == 4


def test_a_guard_who_stops_a_usurper_wins_alone() -> None:
    table = halted(court((G, 4, P, 1, 2, U, P), cards=GUARDED), 6, 1)
    assert (table.ending, table.winners) == ("guard", (1,))


def test_a_guard_who_stops_anybody_else_is_exiled_with_him_and_does_not_share() -> None:
    """K17, K20: and no gift is given."""
    table = halted(court((G, 4, P, A, 2, U, P), cards=GUARDED), 2, 1)
    assert (table.exiled[1], table.exiled[2], table.recovered, table.gifts) == (True, True, 4, 1)
    assert ending(table, 5) == ("king", (0, 3, 4, 7))


def test_a_guard_who_keeps_quiet_shares_like_a_peasant() -> None:
    """K16."""
    assert ending(court((G, 4, P, A, 2, U, P), cards=GUARDED), 2, 5) == ("king", (0, 1, 3, 4, 7))


def test_an_accused_guard_is_a_mistake_and_may_cry_later() -> None:
    """K16."""
    table = play(quiet(court((G, 4, P, A, 2, U, P), cards=GUARDED)), Accuse(1))
    assert 1 not in to_act(table)
    table = quiet(table)
    assert table.gifts == 0
    later = halted(table, 6, 1)
    assert later.ending == "guard"


def test_an_innocent_stopped_costs_the_king_nothing() -> None:
    """K18, K20: exile bars from taking part, not from winning."""
    table = halted(court((G, 4, P, A, 2, U, P), cards=GUARDED, gifts=0), 3, 1)
    assert table.exiled[3]
    assert not table.exiled[0]
    assert 3 in ending(table, 2, 5)[1]


def test_a_fake_does_not_help_against_haults() -> None:
    """K14."""
    table = halted(court((G, (3, "fake"), P, A, 2, P, 1), cards=(P, P, A, G), fake=True), 2, 1)
    assert (table.exiled[2], table.recovered) == (True, 3)


COURTLY = (P, P, U, A, Q)


def test_the_princess_wins_with_the_richest() -> None:
    assert ending(court((Q, 4, P, A, 2, U, P), cards=COURTLY), 1) == ("princess", (1, 2))
    assert ending(court((Q, 4, P, A, 2, U, P), cards=COURTLY), 2, 1) == ("princess", (0, 1))


def test_between_equally_rich_she_chooses() -> None:
    """K23."""
    table = play(quiet(court((Q, 4, P, A, 4, U, P), cards=COURTLY)), Accuse(1))
    assert to_act(table) == (1,)
    assert menu(table) == (Choose(2), Choose(5))
    assert play(table, Choose(5)).winners == (1, 5)


def test_a_stopped_princess_does_not_win() -> None:
    """K15."""
    table = halted(court((Q, 4, G, A, 2, U, P), cards=(P, U, A, G, Q)), 1, 3)
    assert (table.exiled[1], table.exiled[3], table.ending) == (True, True, "")
