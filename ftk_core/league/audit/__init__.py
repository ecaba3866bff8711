"""Verify a league by running its commands again: each fact must be what they make of the facts before it.

`following` runs the commands and draws every round again, `acts` calls the command of an act, `matches` follows which
match of the arena is which of the league, `listing` tells what people did that could move results.
"""

from __future__ import annotations

from ftk_core.league.audit.following import Audit
from ftk_core.league.audit.listing import Listed, list_acts, list_backward_times

__all__ = ["Audit", "Listed", "list_acts", "list_backward_times"]
