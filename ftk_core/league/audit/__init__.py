"""Audit of a league: rerun its commands and check that each fact is what they produce from the earlier facts.

`following` reruns the commands and draws every round again, `acts` maps an act to its command, `matches` checks the ids
of matches, `listing` lists the acts that could change results.
"""

from __future__ import annotations

from ftk_core.league.audit.following import Audit
from ftk_core.league.audit.listing import Listed, list_acts, list_backward_times

__all__ = ["Audit", "Listed", "list_acts", "list_backward_times"]
