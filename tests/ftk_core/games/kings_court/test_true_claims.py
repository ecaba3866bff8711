"""True claims about the theft, which are never marked as wrong for any viewer."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from ftk_core.facts import OMNISCIENT, PUBLIC
from ftk_core.games.kings_court.explanation.claim_contradictions import ClaimKey, check_claims, role_of_take
from ftk_core.games.kings_court.player_claims import PlayerClaim
from ftk_core.games.kings_court.player_view import PlayerView, SeenBoxContents, view
from ftk_core.games.kings_court.table_state import TableState, new_court, step, to_act
from tests.support.games.kings_court.courts import G, P, Q, U, apply_choice, list_menu

THEFTS = 15
WITH_GUARD = (P, P, P, U, G, Q)


def play_theft(seats: int, cards: tuple[str, ...] | None, draw: Random) -> TableState:
    """Return the court after a theft in which every seat takes something from its menu at random."""
    table = new_court(seats, cards)
    while step(table) in ("hide", "dismiss", "help"):
        table = apply_choice(table, to_act(table)[0], draw.choice(list_menu(table)))
    return table


def list_true_claims(truth: PlayerView) -> dict[ClaimKey, PlayerClaim]:
    """Return what each seat can truthfully say about the box, its own take and the role of a later seat."""
    claims: dict[ClaimKey, PlayerClaim] = {}

    def say(speaker: int, topic: Any, **stated: Any) -> None:
        claims[speaker, topic] = PlayerClaim(topic=topic, **stated)

    def say_box(seat: int, when: str, box: SeenBoxContents | None) -> None:
        if box is not None:
            say(seat, f"{when}_diamonds", number=box.diamonds)
            say(seat, f"{when}_cards", cards=box.cards)
            say(seat, f"{when}_fake", fake=box.fake)

    takes = [(seat, take) for seat, take in enumerate(truth.takes) if take is not None]
    for (seat, take), (about, later) in zip(takes, [*takes[1:], takes[-1]], strict=True):
        say(seat, "took", number=take.diamonds, role=take.card, fake=take.fake)
        say(seat, "role_of", seat=about, role=role_of_take(later))
        say_box(seat, "received", truth.arrivals[seat])
        say_box(seat, "passed", truth.arrivals[(seat + 1) % truth.seats])
    say(0, "hid", number=truth.hidden)
    say_box(0, "returned", truth.arrivals[0])
    say(1, "dismissed", role=truth.dismissed)
    return claims


@pytest.mark.parametrize(("seats", "cards"), [*((seats, None) for seats in range(6, 13)), (9, WITH_GUARD)])
def test_no_viewer_sees_a_true_claim_marked_as_false_or_contradicted(seats: int, cards: tuple[str, ...] | None) -> None:
    draw = Random(seats)
    for _ in range(THEFTS):
        table = play_theft(seats, cards, draw)
        claims = list_true_claims(view(table, OMNISCIENT))
        assert len(claims) > 2 * seats
        for viewer in (PUBLIC, OMNISCIENT, *range(seats)):
            checks = check_claims(claims, view(table, viewer))
            assert [key for key, check in checks.items() if check.false or check.against] == []
