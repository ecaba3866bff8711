"""Actions, facts and views shared by all bridged games, which are games of OpenSpiel in the arena."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ftk_core.facts import Action, Fact, SecretField
from ftk_core.field_bounds import number, row

MAX_SEATS, MAX_HISTORY, MAX_CHOICE = 10, 5000, 10_000


class ChooseAction(Action, frozen=True, tag="choose"):
    """Take an action of OpenSpiel."""

    action: Annotated[int, number(0, MAX_CHOICE)]
    text: str
    """OpenSpiel's text of the action."""


class OutcomeShown(Fact, frozen=True):
    """Chance chose an outcome that everybody can see."""

    outcome: int
    text: str


class OutcomeHidden(Fact, frozen=True):
    """Chance chose an outcome that at most one seat can see."""

    seat: int
    """The seat that can see it; -1 for none."""
    outcome: Annotated[int | None, SecretField("seat")]
    text: Annotated[str | None, SecretField("seat")]


class ActionShown(Fact, frozen=True):
    """A seat took an action that everybody can see."""

    seat: int
    action: int
    text: str


class ActionHidden(Fact, frozen=True):
    """A seat took an action that only it can see."""

    seat: int
    action: Annotated[int | None, SecretField("seat")]
    text: Annotated[str | None, SecretField("seat")]


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """Knowledge of a viewer about a match."""

    game: str
    seats: Annotated[int, number(1, MAX_SEATS)]
    to_act: Annotated[int, number(-1, MAX_SEATS - 1)]
    """The seat that must choose; -1 at the end."""
    text: str
    """OpenSpiel's information state or observation of the seat; for spectators its public part, or empty."""
    history: Annotated[tuple[Annotated[int, number(-1, MAX_CHOICE)], ...], row(MAX_HISTORY)]
    """Outcomes and actions that the viewer saw, in order; the others are -1."""
    returns: Annotated[tuple[Annotated[int, number(-MAX_CHOICE, MAX_CHOICE)], ...], row(MAX_SEATS)]
    """Result of each seat; 0 until the end."""
