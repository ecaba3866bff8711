"""What will come of a league on this arena before it is announced: its terms, tried with bots of unknown strength."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext

from bots.room import count_workers
from ftk_core.league.court.fitting import POINT
from ftk_core.league.simulating import SPREAD, Outlook, outlook
from ftk_core.league.simulating import Terms as Tried
from ftk_core.league.state import NotNow
from replays.reports.health import read_pace
from tournaments.models import ALL_TIME, CourtFit
from tournaments.terms import Terms, opening

RUNS = 12
"""So often it is played while somebody waits for the page, unless that is more work than all these:"""
MATCHES = 20_000
MOST = 200
"""So many entries are tried at most; what depends on more is told of these."""
UNKNOWN, LEARNT = 0.7, 0.3
"""The standard deviation of the logarithm of the spread of strengths: of a game without a ladder, and with one."""
SECONDS = 30.0
"""How long a match takes of a game that nobody has played yet."""


def read_outlook(terms: Terms, entries: int) -> Outlook:
    """Return what will come of these terms with so many entries.

    Raises NotNow for terms that cannot be, and for leagues that are too large to be played while somebody waits.
    """
    stages = opening(terms, timezone.now(), "", "").stages
    tried = Tried(
        stages=stages,
        entries=min(entries, MOST),
        seconds=read_pace(terms.game, terms.pace_ms, SECONDS),
        workers=count_workers(),
        **_spread_of(terms.game),
    )
    runs = min(RUNS, MATCHES // _most_matches(tried))
    if not runs:
        raise NotNow(
            gettext("so many matches are not tried while you wait; `ftk league simulate` tells what comes of them")
        )
    return outlook(tried, runs)


def _spread_of(game: str) -> dict[str, float]:
    """Return how far strengths spread: what the game's ladder of all time has learnt, or what is usual."""
    points = CourtFit.objects.filter(game=game, season=ALL_TIME).values_list("spread", flat=True).first()
    return {"spread": SPREAD, "unsure": UNKNOWN} if points is None else {"spread": points / POINT, "unsure": LEARNT}


def _most_matches(tried: Tried) -> int:
    """Return more matches than one such league has: a format that counts no rounds has one at most for each entry."""
    rounds = sum(stage.games * (stage.rounds or tried.entries) for stage in tried.stages)
    return rounds * (tried.entries // 2 + 1)
