"""Audit of a league: runs its commands again and compares their events with the recorded ones."""

from __future__ import annotations

from ftk_core.league.event_audit.league_event_stream_audit import COMMAND_ERRORS, LeagueEventStreamAudit
from ftk_core.league.event_audit.league_intervention_report import (
    ReportedIntervention,
    describe_drawing_libraries,
    list_backward_times,
    list_intervention_lines,
)
from ftk_core.league.event_audit.league_settings_checks import (
    check_fact_sizes,
    check_table_sizes,
    flaws_of_unannounced_terms,
    list_notes_on_rules,
)

__all__ = [
    "COMMAND_ERRORS",
    "LeagueEventStreamAudit",
    "ReportedIntervention",
    "check_fact_sizes",
    "check_table_sizes",
    "describe_drawing_libraries",
    "flaws_of_unannounced_terms",
    "list_backward_times",
    "list_intervention_lines",
    "list_notes_on_rules",
]
