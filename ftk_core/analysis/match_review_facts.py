"""Facts (events) of a match review, stored in an event stream named `review/<match>`."""

from __future__ import annotations

from ftk_core.analysis.choice_evaluation import ChoiceEvaluation
from ftk_core.analysis.position_estimates import PositionEstimate
from ftk_core.log_entries import LogEntry


class ReviewOpened(LogEntry, frozen=True, kw_only=True):
    """First event of a match review: its parameters."""

    match: str
    game: str
    version: int
    build: str
    """Build id of the code that computes the review."""
    seal: str
    """SHA-256 of the match's seed. All random numbers of the review are derived from it."""
    players: tuple[str, ...]
    eyes: str
    policy: str
    """Policy that plays all seats in the playouts."""
    playouts: int
    """Number of playouts per choice: half to estimate the position. The options take as many or more."""
    usual_options: bool = True
    """False if the match had other options of the game than the usual ones."""


class GamePositionEvaluated(LogEntry, frozen=True, kw_only=True, tag="table_valued"):
    """Event of a match review: expected result of each player at one step."""

    frame: int
    value: PositionEstimate
    """Estimate of the result. If the match is over, the estimate has no playouts and is the result itself."""


class ChoiceEvaluated(LogEntry, frozen=True, kw_only=True, tag="choice_weighed"):
    """Event of a match review: expected results after one choice, compared with its alternatives."""

    # It stands between two `GamePositionEvaluated` events.

    frame: int
    """Number of the frame that shows the choice."""
    until: int
    """Number of the frame that shows the last fact that followed from the choice."""
    seat: int
    entry: int | None = None
    """Number of the choice's log entry; None for a forced choice, and in a public review."""
    value: PositionEstimate | None = None
    """Expected results after the choice, before the luck that followed.

    None if no luck followed. In a public review, None if the choice caused a single fact and no luck, or if no deal of
    the hidden parts was found that allows the choice.
    """
    weighing: ChoiceEvaluation | None = None
    """Comparison of the choice with its alternatives, or None.

    In a review with the parameter `eyes` = ``own``, it uses only what the seat knew. It is None for a forced choice,
    in a public review, and in a review that does not value alternatives.
    """


class ReviewClosed(LogEntry, frozen=True, kw_only=True):
    """Last event of a match review."""

    places: tuple[int, ...]


ReviewFact = ReviewOpened | GamePositionEvaluated | ChoiceEvaluated | ReviewClosed


def stream_of(match: str) -> str:
    """Return the name of the event stream that holds the review of a match."""
    return f"review/{match}"
