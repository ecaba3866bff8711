"""Scoring at the end of a match: F25-F30, F32, F-G5, F-G11 and F-G12."""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace

from ftk_core.game import MatchResult, NoGameOptions
from ftk_core.games.for_the_king.cards import OFFICES
from ftk_core.games.for_the_king.rules import setup
from ftk_core.games.for_the_king.scoring import award_duties, result, victory_points
from ftk_core.games.for_the_king.table_state import TableState

LOW = "GOV-LIVESTOCK-"
LIVESTOCK = 2


def table_of(*hands: tuple[str, ...], duties: tuple[int, ...] | None = None) -> TableState:
    table = setup(len(hands), NoGameOptions())
    return replace(table, hands=hands, duties=duties or table.duties)


def holders(table: TableState, office: int = LIVESTOCK) -> tuple[int | None, int | None]:
    primaries, secondaries = award_duties(table)
    return primaries[office], secondaries[office]


def scored(table: TableState) -> MatchResult:
    primaries, secondaries = award_duties(table)
    return result(replace(table, primaries=primaries, secondaries=secondaries))


def low(letters: str) -> tuple[str, ...]:
    """Return Livestock cards: A to G are worth 1, H and I are worth 2."""
    return tuple(LOW + letter for letter in letters)


def test_the_tiles_of_an_office_without_cards_are_awarded_to_nobody() -> None:
    """F25."""
    assert holders(table_of((), (), ())) == (None, None)


def test_a_player_without_a_card_of_an_office_gets_none_of_its_tiles() -> None:
    """F26, F-G12: the only player with such a card gets the Primary Duty; nobody gets the Secondary Duty."""
    assert holders(table_of(low("A"), (), ())) == (0, None)


def test_card_letters_decide_who_gets_the_two_tiles_of_an_office_if_three_players_tie() -> None:
    """F27."""
    table = table_of(low("C"), low("B"), low("A"))
    assert holders(table) == (2, 1)


def test_a_secondary_tile_of_value_0_is_not_awarded() -> None:
    """F28."""
    table = table_of(low("AB"), low("C"), (), duties=(3, 3, 1, 3, 3))
    assert holders(table) == (0, None)


def test_card_letters_break_ties_for_the_primary_and_the_secondary_tile() -> None:
    """F-G11."""
    assert holders(table_of(low("BH"), low("ACD"), low("I"))) == (1, 0)
    assert holders(table_of(low("AHI"), low("CDE"), low("BFG"))) == (0, 2)


def test_the_scoring_example_in_the_rules_gives_nine_points() -> None:
    """F-G5: first in Military and Entertainment, second in Provisions."""
    you = ("GOV-MILITARY-H", "GOV-ENTERTAINMENT-H", "GOV-PROVISIONS-A")
    other = ("GOV-PROVISIONS-H",)
    table = table_of(you, other, (), (), (), duties=(3, 4, 3, 3, 4, 3))
    primaries, secondaries = award_duties(table)
    assert victory_points(table, primaries, secondaries) == (9, 3, 0, 0, 0)


def test_with_two_players_no_secondary_tiles_are_awarded() -> None:
    """F11."""
    assert holders(table_of(low("AB"), low("C"))) == (0, None)


def test_players_with_equal_points_are_ranked_by_gold() -> None:
    three = ("GOV-MILITARY-A", "GOLD-3-01")
    for coins, places in ((("GOLD-2-01", "GOLD-2-02"), (1, 2)), (("GOLD-1-01", "GOLD-1-02"), (2, 1))):
        assert scored(table_of(("GOV-LIVESTOCK-A", *coins), three)).places == places


def test_players_with_equal_points_and_gold_are_ranked_in_each_office_by_cards_and_then_by_letters() -> None:
    """F30."""
    duties = (3, 3, 3, 3, 3)
    most = table_of(low("A"), ("GOV-DIPLOMACY-A",), duties=duties)
    assert scored(most).places == (2, 1), "most Diplomacy cards"
    letters = table_of(("GOV-DIPLOMACY-E", *low("AHI")), ("GOV-DIPLOMACY-F", "GOV-MILITARY-A"), duties=(3, 3, 3, 3, 6))
    assert scored(letters).scores == (6, 6)
    assert scored(letters).places == (1, 2), "the better Diplomacy letter"
    diplomacy = tuple(f"GOV-DIPLOMACY-{letter}" for letter in "ABCHI")
    count = table_of((*diplomacy[:3], *low("A")), diplomacy[3:], duties=duties)
    assert scored(count) == MatchResult((1, 2), (3, 3)), "more Diplomacy cards, of less value"
    for earlier, later in pairwise(OFFICES):
        hands = ((f"GOV-{later.upper()}-A",), (f"GOV-{earlier.upper()}-A",), (), (), ())
        assert scored(table_of(*hands)).places[:2] == (2, 1), f"{earlier} comes before {later}"


def test_a_player_who_loses_an_early_tiebreak_stays_behind_regardless_of_later_tiebreaks() -> None:
    """F30: each tie-break compares only the players who are still tied."""
    many = ("GOV-DIPLOMACY-H", "GOV-DIPLOMACY-I")
    few = ("GOV-DIPLOMACY-A", "GOV-ENTERTAINMENT-A", "GOV-ENTERTAINMENT-B")
    table = table_of(many, few, duties=(3, 3, 3, 3, 3))
    assert scored(table) == MatchResult((1, 2), (3, 3))


def test_players_equal_in_every_tiebreak_share_their_place() -> None:
    """F29: only possible without any government card."""
    assert scored(table_of(("GOLD-1-01",), ("GOLD-1-02",), ())).places == (1, 1, 3)


def test_every_place_is_decided_by_the_same_tiebreaks() -> None:
    """F32."""
    hands = (low("AHI"), ("GOLD-1-01",), ("GOLD-3-01",), ("GOLD-2-01",))
    assert scored(table_of(*hands)).places == (1, 4, 2, 3)
