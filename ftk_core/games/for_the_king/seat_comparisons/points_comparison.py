"""Comparison of the players' points so far, for display."""

from __future__ import annotations

from ftk_core.games.for_the_king import scoring
from ftk_core.games.for_the_king.cards import OFFICES, secondary_duty
from ftk_core.games.for_the_king.player_view import PlayerView
from ftk_core.games.for_the_king.seat_comparisons.office_card_comparison import (
    list_office_contests,
    rank_seats_for_office,
)
from ftk_core.games.for_the_king.seat_comparisons.seen_card_counts import count_cards
from ftk_core.games.for_the_king.seat_comparisons.visible_scoring_state import (
    VisibleScoringState,
    count_hidden_cards,
    visible_table,
)
from ftk_core.views.scene import SeatComparison, SeatComparisonLine, name_seat

POINTS_LABELS = (
    "Points if the match ended now",
    "Points at the end",
    *(f"{office.capitalize()} first (#)" for office in OFFICES),
    *(f"{office.capitalize()} second (#)" for office in OFFICES),
    "Nobody leads yet: no government card is known",
    "@# leads by # point",
    "@# leads by # points",
    "@# and @# lead with # each",
    "# seats lead with # each",
    "@# wins by # point",
    "@# wins by # points",
    "@# wins with more gold at equal points",
    "@# wins with better cards at equal points and gold",
    "# seats share the win",
    "1 card in hands is hidden",
    "# cards in hands are hidden",
)


def list_contests(sight: PlayerView) -> tuple[SeatComparison, ...]:
    """Return all comparisons of the players to display."""
    table = visible_table(sight)
    return (_compare_points(sight, table), *list_office_contests(table), count_cards(sight))


def _compare_points(sight: PlayerView, table: VisibleScoringState) -> SeatComparison:
    points, best = table.points, max(table.points)
    sources = _list_sources(table)
    over = sight.phase == "over"
    leaders = _list_winners(table) if over else [seat for seat in range(table.seats) if points[seat] == best]
    entries = (
        SeatComparisonLine(
            seat=seat,
            value=str(points[seat]),
            share=100 * points[seat] // max(1, best),
            note=", ".join(sources[seat]),
            leads=best > 0 and seat in leaders,
        )
        for seat in range(table.seats)
    )
    return SeatComparison(
        key="lead",
        title="Points at the end" if over else "Points if the match ended now",
        verdict=_describe_lead(sight, table, leaders, sources),
        entries=tuple(entries),
    )


def _list_sources(table: VisibleScoringState) -> list[list[str]]:
    """Return the sources of each player's points as labels, such as ``Diplomacy first (5)``."""
    sources: list[list[str]] = [[] for _ in range(table.seats)]
    for office, duty in enumerate(table.duties):
        values = (("first", duty), ("second", secondary_duty(duty, table.seats)))
        for (place, value), (_, _, seat) in zip(values, rank_seats_for_office(table, office), strict=False):
            if value:
                sources[seat].append(f"{OFFICES[office].capitalize()} {place} ({value})")
    return sources


def _describe_lead(sight: PlayerView, table: VisibleScoringState, leaders: list[int], sources: list[list[str]]) -> str:
    hidden = count_hidden_cards(sight)
    clauses = [_describe_win(table, leaders) if sight.phase == "over" else _describe_first(table.points, leaders)]
    if len(leaders) == 1:
        clauses.append(", ".join(sources[leaders[0]]))
    if hidden:
        clauses.append("1 card in hands is hidden" if hidden == 1 else f"{hidden} cards in hands are hidden")
    return "; ".join(clauses)


def _describe_first(points: tuple[int, ...], leaders: list[int]) -> str:
    best, *others = sorted(points, reverse=True)
    if not best:
        return "Nobody leads yet: no government card is known"
    names = [name_seat(seat) for seat in leaders]
    match len(leaders):
        case 1:
            margin = best - others[0]
            return f"{names[0]} leads by 1 point" if margin == 1 else f"{names[0]} leads by {margin} points"
        case 2:
            return f"{names[0]} and {names[1]} lead with {best} each"
    return f"{len(leaders)} seats lead with {best} each"


def _list_winners(table: VisibleScoringState) -> list[int]:
    keys = _list_final_keys(table)
    return [seat for seat, key in enumerate(keys) if key == max(keys)]


def _list_final_keys(table: VisibleScoringState) -> list[tuple[int, ...]]:
    """Return a sort key for each player: points, then tie-breaks. The greatest key wins."""
    return [(points, *scoring.tie_key(hand)) for points, hand in zip(table.points, table.hands, strict=True)]


def _describe_win(table: VisibleScoringState, winners: list[int]) -> str:
    first, second = sorted(_list_final_keys(table), reverse=True)[:2]
    winner, margin = name_seat(winners[0]), first[0] - second[0]
    if len(winners) > 1:
        return f"{len(winners)} seats share the win"
    if margin:
        return f"{winner} wins by 1 point" if margin == 1 else f"{winner} wins by {margin} points"
    if first[1] > second[1]:
        return f"{winner} wins with more gold at equal points"
    return f"{winner} wins with better cards at equal points and gold"
