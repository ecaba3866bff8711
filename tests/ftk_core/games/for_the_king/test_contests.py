"""The comparison of the seats (points so far and strengths by office), limited to a viewer's knowledge."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ftk_core.facts import OMNISCIENT, PUBLIC
from ftk_core.game import NoGameOptions
from ftk_core.games.for_the_king.player_view import view
from ftk_core.games.for_the_king.rules import setup
from ftk_core.games.for_the_king.scoring import award_duties, result
from ftk_core.games.for_the_king.table_scene import scene
from ftk_core.games.for_the_king.table_state import TableState
from ftk_core.views.scene import SeatComparison
from tests.support.laws.tables import play_random_matches


def table_of(*hands: tuple[str, ...], known: tuple[tuple[str, ...], ...] | None = None) -> TableState:
    return replace(setup(len(hands), NoGameOptions()), hands=hands, known=known or hands)


def contests_of(table: TableState, viewer: int = PUBLIC) -> dict[str, SeatComparison]:
    return {contest.key: contest for contest in scene(view(table, viewer)).contests}


def military(letters: str) -> tuple[str, ...]:
    """Return Military cards: A to G are worth 1, H and I are worth 2."""
    return tuple(f"GOV-MILITARY-{letter}" for letter in letters)


def test_the_comparison_of_strength_in_an_office_ranks_the_players_and_states_the_margin() -> None:
    office = contests_of(table_of(military("A"), military("HIB"), ()))["office-military"]
    assert office.verdict == "@1 leads by 4"
    assert [(entry.seat, entry.value, entry.share, entry.leads) for entry in office.entries] == [
        (1, "5", 100, True),
        (0, "1", 20, False),
    ]


def test_the_player_with_the_earlier_card_letter_leads_an_office_in_which_players_are_tied() -> None:
    office = contests_of(table_of(military("C"), military("B"), ()))["office-military"]
    assert (office.verdict, office.entries[0].note) == ("@1 leads with the earlier letter", "letter B")


def test_the_overall_comparison_of_players_names_the_leader_and_the_offices_that_give_the_points() -> None:
    lead = contests_of(table_of(military("A"), military("HI"), ()))["lead"]
    assert lead.verdict == "@1 leads by 2 points; Military first (3)"
    assert [entry.note for entry in lead.entries] == ["Military second (1)", "Military first (3)", ""]


def test_no_player_is_shown_as_leader_while_no_government_card_is_known() -> None:
    lead = contests_of(table_of(military("A"), (), (), known=((), (), ())))["lead"]
    assert lead.verdict == "Nobody leads yet: no government card is known; 1 card in hands is hidden"
    assert not any(entry.leads for entry in lead.entries)


def test_only_the_owner_and_the_omniscient_viewer_see_hidden_cards_counted_in_the_comparison() -> None:
    known = (military("A"), military("B"), ())
    first, other = (table_of((*military("A"), card), military("B"), (), known=known) for card in military("HI"))
    more = table_of((*military("A"), "GOV-DIPLOMACY-A"), military("B"), (), known=known)
    for viewer in (PUBLIC, 1, 2):
        assert contests_of(first, viewer) == contests_of(other, viewer) == contests_of(more, viewer)
    for viewer in (OMNISCIENT, 0):
        assert contests_of(first, viewer) != contests_of(more, viewer)


def test_after_the_end_the_comparison_of_players_shows_the_winner_as_leader_and_the_final_scores() -> None:
    for match in play_random_matches("for_the_king", 4):
        final = match.states[-1]
        lead = contests_of(final)["lead"]
        outcome = result(final)
        assert tuple(int(entry.value) for entry in lead.entries) == outcome.scores
        assert [entry.leads for entry in lead.entries] == [place == 1 for place in outcome.places]


def test_the_comparison_of_players_says_so_if_gold_broke_a_tie_on_points() -> None:
    hands = (military("A"), ("GOV-LIVESTOCK-A", "GOLD-1-01"))
    table = replace(table_of(*hands), phase="over")
    primaries, secondaries = award_duties(table)
    lead = contests_of(replace(table, primaries=primaries, secondaries=secondaries))["lead"]
    assert lead.verdict == "@1 wins with more gold at equal points; Livestock first (3)"


def test_the_number_of_cards_of_each_kind_seen_so_far_depends_on_what_the_viewer_knows() -> None:
    known = (military("A"), military("B"), ())
    table = table_of((*military("AC"), "GOLD-2-01"), military("B"), (), known=known)
    table = replace(table, discards=("GOLD-2-05", "KING-P-1"), coins=("GOLD-2-05",), middle=("GOV-DIPLOMACY-I",))
    values = {
        viewer: {entry.label: entry.value for entry in contests_of(table, viewer)["cards"].entries}
        for viewer in (PUBLIC, 0, 1)
    }
    assert values[PUBLIC] == values[1]
    assert values[PUBLIC] | {"Military": "3 of 9", "Gold 2": "2 of 10"} == values[0]
    assert [values[PUBLIC][kind] for kind in ("Diplomacy", "Military", "Gold 2", "King card", "Livestock")] == [
        "1 of 9",
        "2 of 9",
        "1 of 10",
        "1 of 10",
        "0 of 9",
    ]
    verdict = contests_of(table)["cards"].verdict
    assert verdict == "The box holds 85 cards; 5 have been seen; 13 were put back unseen"


@pytest.mark.slow
def test_the_share_of_cards_of_a_kind_seen_so_far_never_exceeds_100_percent() -> None:
    for match in play_random_matches("for_the_king", 3):
        for moment in match.moments:
            for entry in contests_of(moment.state, moment.seat)["cards"].entries:
                assert entry.share <= 100, entry
