"""Early end of a stage or a league by an organiser. Open matches must be voided."""

from __future__ import annotations

from ftk_core.league import acts
from ftk_core.league.organising import Hand, attribution_of, check_open
from ftk_core.league.state import LeagueState, NotNow


def end_stage(league: LeagueState, hand: Hand) -> acts.StageCut:
    """Return the fact that the current stage ends now; its open matches must be voided."""
    check_open(league)
    if not league.begun or league.begun[-1].ended or league.begun[-1].cut:
        raise NotNow(f"no stage of {league.header.name} is being played; close the league instead")
    return acts.StageCut(stage=league.begun[-1].number, **attribution_of(hand))


def close(league: LeagueState, hand: Hand) -> acts.LeagueEnded:
    """Return the fact that the league ends now; its open matches must be voided."""
    check_open(league)
    return acts.LeagueEnded(**attribution_of(hand))
