"""Forecast of a league's duration and fairness from simulations with bots of random strength."""

from __future__ import annotations

from dataclasses import replace

from django.utils import timezone
from django.utils.translation import gettext, ngettext

from bots.worker_sandbox_report_queries import count_workers
from ftk_core.league.court_rating.rating_fit import POINTS_PER_STRENGTH
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.formats import find_format
from ftk_core.league.league_simulation import (
    DEFAULT_SPREAD,
    PAIRING_BUDGET,
    LeagueForecast,
    LeagueSimulationSettings as Tried,
    forecast_league,
)
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.stage_progress import empty_progress
from replays.reports.match_health import read_mean_duration
from tournaments.leagues.league_settings import LeagueSettings, make_opening_fact
from tournaments.models import ALL_TIME, CourtRatingFit

MAX_RUNS = 12
"""Maximum number of simulations of one forecast. `MAX_SIMULATED_MATCHES` limits the matches of all of them."""
MAX_SIMULATED_MATCHES = 20_000
MAX_SIMULATED_ENTRIES = 200
"""Maximum number of simulated entries. A larger league gets the forecast for this number."""
UNKNOWN_SPREAD_DEVIATION, LEARNT_SPREAD_DEVIATION = 0.7, 0.3
"""Uncertainty of the spread of bot strengths, for games without ratings and for games with ratings.

The spread is the standard deviation of the strengths. Its uncertainty is the standard deviation of its logarithm.
"""
DEFAULT_MATCH_SECONDS = 30.0
"""Assumed duration of a match, for a game without finished matches."""

MIN_UNITS = 2
"""Minimum number of days or hours in the text of a duration. Shorter durations are given in the next smaller unit."""


def compute_forecast(terms: LeagueSettings, entries: int) -> LeagueForecast:
    """Return the forecast of a league with these settings and this number of entries.

    Raises CommandRejected for invalid settings, or a league too large to simulate during a request.
    """
    stages = make_opening_fact(terms, timezone.now(), "", "").stages
    tried = Tried(
        stages=stages,
        entries=min(entries, MAX_SIMULATED_ENTRIES),
        seconds=read_mean_duration(terms.game, terms.pace_ms, DEFAULT_MATCH_SECONDS),
        workers=count_workers(),
        **_read_spread(terms.game),
    )
    runs = min(MAX_RUNS, MAX_SIMULATED_MATCHES // _count_max_matches(tried))
    if not runs:
        raise CommandRejected(
            gettext("this forecast needs too many matches for a web request; run `ftk league simulate` instead")
        )
    return forecast_league(tried, runs)


def summarise_forecast(forecast: LeagueForecast, entries: int) -> list[str]:
    """Return a forecast of a league's duration and fairness as sentences."""
    shares = {"best": forecast.best, "low": forecast.low, "high": forecast.high}
    percents = {name: round(100 * share) for name, share in shares.items()}
    return [
        summarise_duration(round(60 * forecast.hours), count_workers()),
        gettext("The best of %(entries)s bots wins in %(best)s of 100 leagues (95 %% sure: %(low)s to %(high)s).")
        % {"entries": entries, **percents},
        *_describe_repeats(round(forecast.repeats), round(forecast.unavoidable)),
    ]


def summarise_duration(minutes: int, workers: int) -> str:
    """Return a sentence about the duration of a league in days, hours or minutes."""
    if (count := round(minutes / 1440)) >= MIN_UNITS:
        one = ngettext("About %(count)s day on one worker.", "About %(count)s days on one worker.", count)
        several = ngettext(
            "About %(count)s day on %(workers)s workers.", "About %(count)s days on %(workers)s workers.", count
        )
    elif (count := round(minutes / 60)) >= MIN_UNITS:
        one = ngettext("About %(count)s hour on one worker.", "About %(count)s hours on one worker.", count)
        several = ngettext(
            "About %(count)s hour on %(workers)s workers.", "About %(count)s hours on %(workers)s workers.", count
        )
    else:
        count = max(1, minutes)
        one = ngettext("About %(count)s minute on one worker.", "About %(count)s minutes on one worker.", count)
        several = ngettext(
            "About %(count)s minute on %(workers)s workers.", "About %(count)s minutes on %(workers)s workers.", count
        )
    return (one if workers == 1 else several) % {"count": count, "workers": workers}


def _describe_repeats(repeats: int, unavoidable: int) -> list[str]:
    """Return sentences about the number of pairs of bots that meet again."""
    if not repeats:
        return [gettext("No pairing is repeated.")]
    number = ngettext("%(count)s pairing is repeated.", "%(count)s pairings are repeated.", repeats)
    forced = ngettext(
        "%(count)s repeated pairing cannot be avoided.", "%(count)s repeated pairings cannot be avoided.", unavoidable
    )
    sentences = [number % {"count": repeats}] if repeats != unavoidable else []
    return [*sentences, forced % {"count": unavoidable}] if unavoidable else sentences


def _read_spread(game: str) -> dict[str, float]:
    """Return the parameters of the random distribution of bot strengths in simulations of a game."""
    # `spread` is the standard deviation of the strengths, `unsure` the standard deviation of its logarithm. A game
    # without ratings gets default values.
    points = CourtRatingFit.objects.filter(game=game, season=ALL_TIME).values_list("spread", flat=True).first()
    return (
        {"spread": DEFAULT_SPREAD, "unsure": UNKNOWN_SPREAD_DEVIATION}
        if points is None
        else {"spread": points / POINTS_PER_STRENGTH, "unsure": LEARNT_SPREAD_DEVIATION}
    )


def _count_max_matches(tried: Tried) -> int:
    """Return an upper bound for the number of matches in one simulation."""
    matches, entries = 0, tried.entries
    for stage in tried.stages:
        entries = min(stage.qualify or entries, entries)
        matches += stage.games * _count_max_tables(stage, entries)
    return max(1, matches)


def _count_max_tables(stage: StageSettings, entries: int) -> int:
    """Return an upper bound for the number of tables in all rounds of a stage."""
    form = find_format(stage.format)
    if form.eliminates:
        return entries  # each table eliminates a bot
    # a schedule must be drawn to be counted, with as little work as in the simulation
    progress = replace(empty_progress(stage, entries), budget=PAIRING_BUDGET)
    return form.planned(progress) * form.max_tables(stage, entries)
