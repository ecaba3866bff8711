"""Comparison of the King's diamonds with those of the Thieves, for display."""

from __future__ import annotations

from collections.abc import Iterator

from ftk_core.games.kings_court.explanation.explanation_templates import fill
from ftk_core.games.kings_court.explanation.match_summary import end_sentence
from ftk_core.games.kings_court.player_view import PlayerView
from ftk_core.views.scene import SeatComparison, SeatComparisonLine


def draw_lead(sight: PlayerView) -> SeatComparison:
    """Compare the diamonds of the King and each Thief, or show the winners after the match."""
    # During the match, Thieves are left out unless the viewer knows what everybody has taken.
    if sight.ending:
        entries = [SeatComparisonLine(seat=seat, value=fill("wins"), share=100, leads=True) for seat in sight.winners]
    else:
        entries = [*_draw_recovered(sight), *_draw_thieves(sight)]
    verdict = end_sentence(sight) if sight.ending else _judge(sight)
    return SeatComparison(
        key="lead", title=fill("ahead"), about=fill("ahead_rule"), verdict=verdict, entries=tuple(entries)
    )


def _known_wealth(sight: PlayerView) -> dict[int, int] | None:
    """Return the diamonds of each Thief in play, by seat; None if the viewer does not know all thefts."""
    if any(
        sight.takes[seat] is None and sight.taken[seat] and not sight.fumbled[seat] for seat in range(1, sight.seats)
    ):
        return None
    return {
        seat: take.diamonds
        for seat, take in enumerate(sight.takes)
        if take is not None and take.diamonds and not sight.exiled[seat]
    }


def _judge(sight: PlayerView) -> str:
    wealth = _known_wealth(sight)
    if sight.stolen is not None:
        missing = sight.stolen - sight.recovered
        if missing == 0:
            return fill("none_missing")
        return _name_thief(wealth) if wealth else fill("some_missing", missing, sight.stolen)
    if wealth is None:
        return fill("secret_missing" if sight.took_place else "secret_takes")
    return _name_thief(wealth) if wealth else fill("none_taken")


def _name_thief(wealth: dict[int, int]) -> str:
    most = max(wealth.values())
    richest = [seat for seat, diamonds in wealth.items() if diamonds == most]
    return fill("thief_ahead", richest[0], most) if len(richest) == 1 else fill("thieves_ahead", most)


def _draw_recovered(sight: PlayerView) -> Iterator[SeatComparisonLine]:
    if not sight.took_place:
        return
    stolen, back = sight.stolen, sight.recovered
    value = fill("diamond_count", back) if stolen is None else fill("back_of", back, stolen)
    yield SeatComparisonLine(label=fill("diamonds_back"), value=value, share=100 * back // stolen if stolen else 0)


def _draw_thieves(sight: PlayerView) -> Iterator[SeatComparisonLine]:
    wealth = _known_wealth(sight) or {}
    most = max(wealth.values(), default=0)
    for seat, diamonds in sorted(wealth.items(), key=lambda row: (-row[1], row[0])):
        value, share = fill("diamond_count", diamonds), 100 * diamonds // most
        yield SeatComparisonLine(seat=seat, value=value, share=share, leads=diamonds == most)
