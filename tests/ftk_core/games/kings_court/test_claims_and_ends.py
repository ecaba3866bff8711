"""Claims that contradict an own earlier claim, and the end of a match with the Princess."""

from __future__ import annotations

from ftk_core.facts import PUBLIC
from ftk_core.games.kings_court.explanation.match_summary import end_sentence
from ftk_core.games.kings_court.facts import ClaimAction
from ftk_core.games.kings_court.player_claims import PlayerClaim, Topic
from ftk_core.games.kings_court.player_view import view
from ftk_core.games.kings_court.table_scene import scene
from ftk_core.games.kings_court.table_state import TableState
from tests.support.games.kings_court.courts import (
    A,
    P,
    Q,
    U,
    accuse_seats,
    apply_choice,
    build_court,
    pass_until_king_acts,
    play,
)


def claim(table: TableState, seat: int, topic: Topic, number: int) -> TableState:
    return apply_choice(table, seat, ClaimAction(PlayerClaim(topic=topic, number=number)))


def test_the_speech_bubble_of_a_player_who_contradicts_an_own_claim_says_so() -> None:
    table = play(build_court((3, P, A, 4, U), hidden=2), ClaimAction(PlayerClaim(topic="hid", number=2)))
    table = pass_until_king_acts(claim(table, 3, "received_diamonds", 5))
    table = claim(play(table, ClaimAction(PlayerClaim(topic="hid", number=1))), 3, "passed_diamonds", 7)
    bubble = next(zone for zone in scene(view(table, PUBLIC)).zones if zone.key == "said-3")
    assert bubble.note == "contradicts what this seat said before"


def test_the_final_summary_does_not_say_that_a_king_who_wins_with_the_princess_loses() -> None:
    over = accuse_seats(build_court((Q, 4, P, A, 2, U, P), cards=(P, P, U, A, Q)), 2, 1)
    assert over.winners == (0, 1)
    assert end_sentence(view(over, PUBLIC)) == "The King accused @1, the Princess, and wins with her as the richest."
