"""What will come of a league on this arena before it is announced: its terms, tried with bots of unknown strength."""

from __future__ import annotations

from django.utils import timezone

from bots.room import count_workers
from ftk_core.league.simulating import Outlook, outlook
from ftk_core.league.simulating import Terms as Tried
from replays.reports.health import read_pace
from tournaments.terms import Terms, opening

RUNS = 12
"""So often it is played while somebody waits for the page."""
MOST = 200
"""So many entries are tried at most; what depends on more is told of these."""
SECONDS = 30.0
"""How long a match takes of a game that nobody has played yet."""


def read_outlook(terms: Terms, entries: int) -> Outlook:
    """Return what will come of these terms with so many entries; raises NotNow for terms that cannot be."""
    stages = opening(terms, timezone.now(), "", "").stages
    seconds = read_pace(terms.game, SECONDS) + terms.pace_ms / 1000
    tried = Tried(stages=stages, entries=min(entries, MOST), seconds=seconds, workers=count_workers())
    return outlook(tried, RUNS)
