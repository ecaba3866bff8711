"""Audit of a league: it reruns the league's commands and compares their events with those that the league recorded.

`league_event_rerun` reruns the commands and draws every round again. `intervention_kinds` maps each recorded
intervention (such as a withdrawal) to its command. `match_id_checks` checks match ids and results,
`league_terms_checks` the terms of the league. `intervention_report` lists the interventions that could change results.
"""

from __future__ import annotations

from ftk_core.league.command_audit.intervention_report import (
    ReportedIntervention,
    list_backward_times,
    list_intervention_lines,
)
from ftk_core.league.command_audit.league_event_rerun import LeagueCommandAudit

__all__ = ["LeagueCommandAudit", "ReportedIntervention", "list_backward_times", "list_intervention_lines"]
