"""Sentences about a league that has not begun: number of rounds, entry conditions, tie-breaks and expected duration."""

from __future__ import annotations

from django.utils.translation import gettext as _, ngettext

from bots.worker_sandbox_report_queries import count_workers
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.league_state import LeagueState
from ftk_core.league.scoring.tiebreaks import tiebreaks_of
from replays.reports.match_health import read_mean_duration
from tournaments.leagues.entry_rules import describe_entry_conditions
from tournaments.reports.league_forecast import DEFAULT_MATCH_SECONDS, summarise_duration
from tournaments.summaries.league_terms import name_format


def list_preview_sentences(state: LeagueState, rounds: int) -> list[str]:
    """Return sentences about a league of `rounds` planned rounds; an empty list once its first round is paired."""
    if state.rounds or state.draft or state.closed:
        return []
    return [
        *(_describe_rounds(stage, number, len(state.stages)) for number, stage in enumerate(state.stages, 1)),
        *describe_entry_conditions(state.header),
        _describe_ties(state),
        *_describe_length(state, rounds),
    ]


def _describe_rounds(stage: StageSettings, number: int, stages: int) -> str:
    """Return the format of a stage and its number of rounds as a sentence."""
    if stage.rounds:
        sentence = ngettext("%(format)s: %(rounds)s round.", "%(format)s: %(rounds)s rounds.", stage.rounds)
    else:
        sentence = _("%(format)s: the number of entries decides the number of rounds.")
    sentence %= {"format": name_format(stage), "rounds": stage.rounds}
    if stages == 1:
        return sentence
    return _("Stage %(number)s: %(sentence)s") % {"number": number, "sentence": sentence}


def _describe_ties(state: LeagueState) -> str:
    names = [_(tiebreak.name) for tiebreak in tiebreaks_of(state.terms_of(1))]
    if not names:
        return _("Bots with equal points share their place.")
    return _("Ties are broken by the first of these that differs: %(ties)s.") % {"ties": _(", ").join(names)}


def _describe_length(state: LeagueState, rounds: int) -> list[str]:
    """Return a list with one sentence about the league's duration.

    The list is empty if too few bots have entered, or if the number of entries decides the number of rounds.
    """
    if not all(stage.rounds for stage in state.stages):
        return []
    entries = sum(not entrant.withdrawn for entrant in state.entrants)
    stage, workers = state.terms_of(1), count_workers()
    if entries < stage.seats:
        return []
    matches = -(-entries // stage.seats) * stage.games
    pace = read_mean_duration(state.header.game, state.header.pace_ms, DEFAULT_MATCH_SECONDS)
    minutes = round(rounds * -(-matches // workers) * pace / 60)
    return [_("Forecast for the entries so far: %(duration)s") % {"duration": summarise_duration(minutes, workers)}]
