"""Visible part of the game state, reduced to the fields that the scoring functions need."""

from __future__ import annotations

import msgspec

from ftk_core.games.for_the_king import scoring
from ftk_core.games.for_the_king.player_view import PlayerView


class VisibleScoringState(msgspec.Struct, frozen=True):
    """Part of the game state that a viewer sees and that scoring needs."""

    seats: int
    hands: tuple[tuple[str, ...], ...]
    """By seat: the whole hand, or only its publicly known cards."""
    duties: tuple[int, ...]

    @property
    def points(self) -> tuple[int, ...]:
        """Points of each seat if only the visible cards counted."""
        return scoring.victory_points(self, *scoring.award_duties(self))


def visible_table(sight: PlayerView) -> VisibleScoringState:
    """Convert a player's view to the state that the scoring functions need."""
    hands = tuple(known if hand is None else hand for hand, known in zip(sight.hands, sight.known, strict=True))
    return VisibleScoringState(sight.seats, hands, tuple(duty.primary for duty in sight.duties))


def count_hidden_cards(sight: PlayerView) -> int:
    """Return how many cards in the players' hands are hidden from the viewer."""
    sizes = zip(sight.hands, sight.hand_sizes, sight.known, strict=True)
    return sum(max(0, size - len(known)) for hand, size, known in sizes if hand is None)
