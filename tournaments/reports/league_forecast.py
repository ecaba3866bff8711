"""Forecast of a league: several simulations of its terms with bots of random strength."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext

from bots.upload_checks import count_workers
from ftk_core.league.court_rating.rating_fit import POINTS_PER_STRENGTH
from ftk_core.league.league_simulation import DEFAULT_SPREAD, LeagueForecast, SimulationTerms as Tried, forecast_league
from ftk_core.league.league_state import CommandRejected
from replays.reports.match_health import read_pace
from tournaments.leagues.league_terms import Terms, make_opening_fact
from tournaments.models import ALL_TIME, CourtFit

MAX_RUNS = 12
"""Maximum number of simulations while a person waits; `MAX_SIMULATED_MATCHES` limits all of them together."""
MAX_SIMULATED_MATCHES = 20_000
MAX_SIMULATED_ENTRIES = 200
"""Maximum number of simulated entries; a larger league gets the forecast for this number."""
UNKNOWN_SPREAD_DEVIATION, LEARNT_SPREAD_DEVIATION = 0.7, 0.3
"""Uncertainty of how much bots differ in strength, for a game without ratings and for one with ratings.

Standard deviation of the logarithm of the spread (standard deviation) of strengths.
"""
DEFAULT_MATCH_SECONDS = 30.0
"""Assumed duration of a match, for a game without finished matches."""


def compute_forecast(terms: Terms, entries: int) -> LeagueForecast:
    """Return the forecast of a league with these terms and this number of entries.

    Raises CommandRejected for invalid terms, and for a league that is too large to simulate while a person waits.
    """
    stages = make_opening_fact(terms, timezone.now(), "", "").stages
    tried = Tried(
        stages=stages,
        entries=min(entries, MAX_SIMULATED_ENTRIES),
        seconds=read_pace(terms.game, terms.pace_ms, DEFAULT_MATCH_SECONDS),
        workers=count_workers(),
        **_read_spread(terms.game),
    )
    runs = min(MAX_RUNS, MAX_SIMULATED_MATCHES // _count_max_matches(tried))
    if not runs:
        raise CommandRejected(
            gettext("so many matches are not tried while you wait; `ftk league simulate` tells what comes of them")
        )
    return forecast_league(tried, runs)


def _read_spread(game: str) -> dict[str, float]:
    """Return the spread of bot strengths and its uncertainty, from the game's all-time ratings or by default."""
    points = CourtFit.objects.filter(game=game, season=ALL_TIME).values_list("spread", flat=True).first()
    return (
        {"spread": DEFAULT_SPREAD, "unsure": UNKNOWN_SPREAD_DEVIATION}
        if points is None
        else {"spread": points / POINTS_PER_STRENGTH, "unsure": LEARNT_SPREAD_DEVIATION}
    )


def _count_max_matches(tried: Tried) -> int:
    """Return an upper bound for the number of simulated matches.

    Without a fixed number, a stage has a round per entry.
    """
    rounds = sum(stage.games * (stage.rounds or tried.entries) for stage in tried.stages)
    return rounds * (tried.entries // 2 + 1)
