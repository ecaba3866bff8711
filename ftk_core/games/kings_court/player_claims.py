"""Types of the claims that players can make in Kings Court."""

from __future__ import annotations

from typing import Literal

import msgspec

from ftk_core.games.kings_court.roles_and_options import CardName, CardSet, Diamonds, Role, SeatNumber

Topic = Literal[
    "received_diamonds",
    "received_cards",
    "passed_diamonds",
    "passed_cards",
    "took",
    "dismissed",
    "suspect",
    "vouch",
    "role_of",
    "hid",
    "returned_diamonds",
    "returned_cards",
    "trust",
    "received_fake",
    "passed_fake",
    "returned_fake",
]
FAKE_TOPICS: tuple[Topic, ...] = ("received_fake", "passed_fake", "returned_fake")
"""Topics of questions and statements about the fake diamond, which version 2 of the rules added."""


class PlayerClaim(msgspec.Struct, frozen=True, kw_only=True):
    """Claim of a player about the match, true or false."""

    topic: Topic
    number: Diamonds | None = None
    """Number of diamonds that the claim states; if `topic` is ``took``, the number of diamonds taken."""
    cards: CardSet | None = None
    seat: SeatNumber | None = None
    """Seat that the claim is about."""
    role: Role | None = None
    fake: bool = False
    """True if the claim states that the fake diamond was taken or, for topics that end in ``fake``, was in the box."""


class ItemsTakenFromBox(msgspec.Struct, frozen=True):
    """Things that a player took from the box."""

    diamonds: Diamonds = 0
    card: CardName | None = None
    fake: bool = False
