"""Audit of a league: it reruns the league's commands and compares their events with those that the league recorded.

* `league_event_stream_audit` reruns the commands and draws every round again.
* `intervention_kinds` lists the kinds of interventions (acts by which a person changes a league, such as a withdrawal),
  each with its command.
* `match_id_and_result_checks` checks match ids and results.
* `league_settings_checks` checks the settings that the league announced.
* `league_intervention_report` lists the interventions that could change results.
"""

from __future__ import annotations

from ftk_core.league.event_audit.league_event_stream_audit import LeagueEventStreamAudit
from ftk_core.league.event_audit.league_intervention_report import (
    ReportedIntervention,
    list_backward_times,
    list_intervention_lines,
)

__all__ = ["LeagueEventStreamAudit", "ReportedIntervention", "list_backward_times", "list_intervention_lines"]
