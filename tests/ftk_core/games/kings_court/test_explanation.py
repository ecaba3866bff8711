"""Explanations in the scene of Kings Court: impossible claims, knowledge, the way of the box, and the end."""

from __future__ import annotations

import pytest

from ftk_core.facts import OMNISCIENT, PUBLIC
from ftk_core.game import Viewer
from ftk_core.games.kings_court.explanation.claim_contradictions import check_claims
from ftk_core.games.kings_court.facts import AccuseAction, ClaimAction, DismissAction, HideAction, StopAccusationAction
from ftk_core.games.kings_court.player_claims import PlayerClaim, Topic
from ftk_core.games.kings_court.player_view import view
from ftk_core.games.kings_court.table_scene import scene
from ftk_core.games.kings_court.table_state import TableState, new_court
from ftk_core.views.fact_sentences import label_translator
from tests.support.games.kings_court.courts import (
    A,
    G,
    P,
    U,
    accuse_seats,
    apply_choice,
    build_court,
    build_share,
    pass_until_king_acts,
    play,
)

NAMES = tuple("KABCDEFGHIJL")


def list_texts(table: TableState, zone: str, viewer: Viewer = PUBLIC) -> list[str]:
    """Return the labels in a zone with the players' names, as the viewer may see it."""
    drawn = label_translator({}, "en", NAMES)(scene(view(table, viewer)))
    return [piece.label for one in drawn.zones if one.key == zone for piece in one.pieces]


def say(speaker: int, topic: Topic, **stated: object) -> tuple[tuple[int, str], PlayerClaim]:
    return (speaker, topic), PlayerClaim(topic=topic, **stated)  # type: ignore[arg-type]  # the fields of a claim


Said = tuple[tuple[int, str], PlayerClaim]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (say(2, "passed_diamonds", number=5), say(3, "received_diamonds", number=4)),
        (say(2, "received_diamonds", number=3), say(4, "received_diamonds", number=4)),
        (say(3, "received_diamonds", number=2), say(4, "took", number=3)),
        (say(2, "took", number=6), say(4, "received_diamonds", number=8)),
        (say(1, "took", number=7), say(2, "took", number=7)),
        (say(0, "hid", number=2), say(1, "received_diamonds", number=12)),
        (say(0, "returned_cards", cards=(P, A)), say(5, "passed_cards", cards=(A,))),
        (say(2, "passed_cards", cards=(A,)), say(4, "took", number=0, role=U)),
        (say(2, "role_of", seat=3, role=P), say(3, "took", number=4)),
        (say(2, "role_of", seat=3, role=P), say(4, "role_of", seat=3, role=A)),
        (say(1, "took", number=0, role=P), say(3, "received_cards", cards=(P, A))),
        (say(1, "took", number=0, role=P), say(3, "took", number=0, role=P)),
        (say(2, "role_of", seat=1, role=P), say(4, "role_of", seat=3, role=P)),
    ],
)
def test_two_claims_of_players_that_cannot_both_be_true_are_marked_as_contradictory(one: Said, other: Said) -> None:
    table = build_court((3, P, A, 4, U), hidden=2)
    checks = check_claims(dict([one, other]), view(table, PUBLIC))
    assert checks[one[0]].against == (other[0][0],)
    assert checks[other[0]].against == (one[0][0],)
    assert not checks[one[0]].false, "the public does not know which is the lie"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (say(2, "passed_diamonds", number=5), say(3, "received_diamonds", number=5)),
        (say(2, "received_diamonds", number=9), say(4, "received_diamonds", number=4)),
        (say(2, "took", number=6), say(4, "took", number=7)),
        (say(1, "took", number=0), say(2, "role_of", seat=1, role="urchin")),
        (say(2, "took", number=0, role=P), say(1, "received_cards", cards=(P, A, U))),
        (say(2, "took", number=0, role=P), say(4, "received_cards", cards=(A,))),
        (say(2, "suspect", seat=3), say(4, "vouch", seat=3)),
    ],
)
def test_compatible_claims_and_opinions_of_players_are_not_marked_as_contradictory(one: Said, other: Said) -> None:
    checks = check_claims(dict([one, other]), view(build_court((3, P, A, 4, U), hidden=2), PUBLIC))
    assert all(not check.against and not check.false for check in checks.values())


def claim(table: TableState, seat: int, topic: Topic, number: int) -> TableState:
    return apply_choice(table, seat, ClaimAction(PlayerClaim(topic=topic, number=number)))


def list_doubts(table: TableState, seat: int, viewer: Viewer) -> list[str]:
    zones = {zone.key: zone for zone in scene(view(table, viewer)).zones}
    return [tag for piece in zones[f"said-{seat}"].pieces for tag in piece.tags if tag.startswith("doubt:")]


def test_a_false_claim_is_marked_as_false_only_for_viewers_who_know_the_truth() -> None:
    asked = play(build_court((3, P, A, 4, U), hidden=2), ClaimAction(PlayerClaim(topic="hid", number=2)))
    lied = claim(asked, 4, "took", 1)
    assert [list_doubts(lied, 4, viewer) for viewer in (PUBLIC, 0, 3)] == [[], [], []]
    assert [list_doubts(lied, 4, viewer) for viewer in (OMNISCIENT, 4)] == [["doubt:false"], ["doubt:false"]]
    confessed = claim(asked, 4, "took", 4)
    assert list_doubts(confessed, 4, OMNISCIENT) == []


def test_a_claimed_number_of_diamonds_that_the_rules_exclude_is_marked_as_false_for_everybody() -> None:
    asked = play(build_court((3, P, A, 4, U), hidden=2), ClaimAction(PlayerClaim(topic="hid", number=2)))
    assert list_doubts(claim(asked, 1, "received_diamonds", 9), 1, PUBLIC) == ["doubt:false"]


def test_the_speech_bubble_of_a_player_shows_the_newest_claim_first_and_names_who_contradicts_it() -> None:
    table = play(build_court((3, P, A, 4, U), hidden=2), ClaimAction(PlayerClaim(topic="hid", number=2)))
    table = claim(table, 2, "passed_diamonds", 8)
    table = claim(table, 3, "received_diamonds", 7)
    bubble = next(
        zone for zone in label_translator({}, "en", NAMES)(scene(view(table, PUBLIC))).zones if zone.key == "said-3"
    )
    assert (bubble.layout, bubble.note) == ("bubble", "contradicts B")
    later = pass_until_king_acts(table)
    later = claim(play(later, ClaimAction(PlayerClaim(topic="hid", number=1))), 3, "took", 0)
    assert list_texts(later, "said-3") == ["I took nothing", "I received 7 diamonds"]


def test_arrows_in_the_picture_show_who_has_passed_the_diamond_box_on_and_who_gets_it_next() -> None:
    def states(table: TableState) -> list[str]:
        return [
            piece.face for zone in scene(view(table, PUBLIC)).zones if zone.layout == "ring" for piece in zone.pieces
        ]

    going = play(new_court(6), HideAction(2), DismissAction(None), build_share(3))
    assert states(new_court(6)) == ["next"]
    assert states(going) == ["passed", "passed", "next"]
    assert list_texts(going, "way")[-1] == "The box goes next from B to C"
    assert list_texts(going, "standing")[0] == "The box has passed 1 of 5 seats and is with B."
    assert states(build_court((3, P, A, 4, U), hidden=2)) == ["passed"] * 6


def test_the_knowledge_of_the_king_is_hidden_from_other_players_and_the_list_of_roles_from_all_players() -> None:
    table = build_court((3, P, A, 4, U), hidden=2)
    for viewer in (PUBLIC, 1, 3, 5):
        assert not list_texts(table, "king_knows", viewer)
        assert not list_texts(table, "true", viewer)
    assert list_texts(table, "king_knows", 0) == [
        "He kept 2 diamonds back",
        "4 diamonds came back in the box",
        "No character came back",
        "So 7 diamonds were stolen",
        "He has asked nobody",
    ]
    assert not list_texts(table, "true", 0)
    assert list_texts(table, "king_knows", OMNISCIENT) == list_texts(table, "king_knows", 0)
    assert list_texts(table, "true", OMNISCIENT) == [
        "Peasant: B",
        "Usurper: E",
        "Apprentice: C",
        "Thieves and their diamonds: A (3), D (4)",
    ]


def test_the_summary_shows_accusations_to_everybody_but_missing_diamonds_only_to_the_omniscient_viewer() -> None:
    cards = (P, P, P, A, U)
    table = accuse_seats(build_court((3, P, P, A, 4, P, U), hidden=2, cards=cards, gifts=1), 1, 2)
    assert list_texts(table, "standing") == [
        "The box is back with the King.",
        "Diamonds recovered: 3.",
        "Accusations: 2, right: 1.",
        "The next mistake drives the King out.",
    ]
    assert list_texts(table, "standing", OMNISCIENT)[1] == "Diamonds still missing: 4 of 7."
    assert list_texts(table, "accusations") == ["A had 3 diamonds: rightly accused", "B is a Peasant: wrongly accused"]


def test_accusing_a_thief_with_the_fake_diamond_counts_as_right_only_the_second_time() -> None:
    table = build_court((P, (3, "fake"), P, A, 2, P, 0), cards=(P, P, P, A), fake=True)
    table = accuse_seats(table, 2, 2)
    assert "Accusations: 2, right: 1." in list_texts(table, "standing")
    assert list_texts(table, "accusations") == [
        "B showed the fake diamond and nothing else",
        "B had 3 diamonds: rightly accused",
    ]


def test_the_leading_thief_is_named_only_to_viewers_who_know_what_everybody_took() -> None:
    table = accuse_seats(build_court((3, P, A, 4, U), hidden=2), 1)
    (known,) = scene(view(table, OMNISCIENT)).contests
    assert known.verdict == "The Thieves are ahead: @4 would win with 4 diamonds"
    assert [(entry.label or entry.seat, entry.value, entry.share, entry.leads) for entry in known.entries] == [
        ("Diamonds back with the King", "3 of 7", 42, False),
        (4, "4 diamonds", 100, True),
    ]
    (king,) = scene(view(table, 0)).contests
    assert king.verdict == "The Thieves are ahead until the King has back 4 more of 7 diamonds"
    (public,) = scene(view(table, PUBLIC)).contests
    assert public.verdict == "Nobody can tell yet: the number of stolen diamonds is secret"
    assert [entry.seat for contest in (king, public) for entry in contest.entries] == [None, None]


@pytest.mark.parametrize(
    ("accused", "reasons"),
    [
        (
            (1, 4),
            [
                "The King wins: all stolen diamonds are back (7).",
                "Every Loyal Peasant wins with him.",
                "C wins as the Apprentice of B.",
            ],
        ),
        ((5,), ["The King loses: he accused E, who is a Usurper and wins at once."]),
        (
            (1, 3),
            [
                "The King is driven out: he accused C wrongly and had no gift left.",
                "D wins as the richest Thief in play: 4 diamonds.",
            ],
        ),
    ],
)
def test_the_final_summary_of_a_match_says_why_the_winners_won(accused: tuple[int, ...], reasons: list[str]) -> None:
    over = accuse_seats(build_court((3, P, A, 4, U), hidden=2), *accused)
    assert over.ending
    assert list_texts(over, "standing") == reasons
    drawn = {piece.key for zone in scene(view(over, PUBLIC)).zones for piece in zone.pieces}
    assert {key for key in drawn if key.startswith("wins-")} == {f"wins-{seat}" for seat in over.winners}
    (lead,) = scene(view(over, PUBLIC)).contests
    assert [entry.seat for entry in lead.entries] == list(over.winners)


def test_the_final_summary_of_a_match_names_a_guard_who_wins_with_the_king() -> None:
    over = accuse_seats(build_court((3, P, G, 4, U), hidden=2, cards=(P, G, U)), 1, 4)
    assert list_texts(over, "standing")[-1] == "C wins with him as the Guard."


def test_the_final_summary_says_that_a_guard_saved_the_king_if_this_decided_the_match() -> None:
    table = play(build_court((3, P, G, 4, U), hidden=2, cards=(P, G, U)), AccuseAction(5))
    over = pass_until_king_acts(apply_choice(table, 3, StopAccusationAction()))
    assert list_texts(over, "standing") == ["The Guard wins: HAULT saved the King from E, a Usurper."]
