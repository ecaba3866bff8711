"""Claims that players can make, and contents of a pocket."""

from __future__ import annotations

from typing import Literal

import msgspec

from ftk_core.games.kings_court.box import CardName, Chair, Diamonds, Handful, Role

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
"""Topics of questions and statements about the fake diamond, since version 2."""


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """Claim of a player, true or false (K29)."""

    topic: Topic
    number: Diamonds | None = None
    """Number of diamonds; those taken if `topic` is ``took``."""
    cards: Handful | None = None
    seat: Chair | None = None
    """Seat that the claim is about."""
    role: Role | None = None
    fake: bool = False
    """True if the fake diamond was taken; for topics that end in ``fake``, if it was in the box."""


class Take(msgspec.Struct, frozen=True):
    """Contents of a subject's pocket."""

    diamonds: Diamonds = 0
    card: CardName | None = None
    fake: bool = False
