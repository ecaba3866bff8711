"""Forecast of a league before it is announced: its terms, simulated with bots of unknown strength."""

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
"""Number of simulated runs while a page waits, within the limit of MATCHES for all of them."""
MATCHES = 20_000
MOST = 200
"""Maximum number of simulated entries; larger leagues get the forecast of this size."""
UNKNOWN, LEARNT = 0.7, 0.3
"""Standard deviation of the logarithm of the spread of strengths: for a game without a ladder, and with one."""
SECONDS = 30.0
"""Assumed duration of a match in a game without any."""


def read_outlook(terms: Terms, entries: int) -> Outlook:
    """Return the forecast for these terms with this many entries.

    Raises NotNow for invalid terms, and for leagues too large to simulate while somebody waits.
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
    """Return the spread of strengths from the game's all-time ladder, or the default."""
    points = CourtFit.objects.filter(game=game, season=ALL_TIME).values_list("spread", flat=True).first()
    return {"spread": SPREAD, "unsure": UNKNOWN} if points is None else {"spread": points / POINT, "unsure": LEARNT}


def _most_matches(tried: Tried) -> int:
    """Return an upper bound of the matches in one league; a format without a round count has at most one per entry."""
    rounds = sum(stage.games * (stage.rounds or tried.entries) for stage in tried.stages)
    return rounds * (tried.entries // 2 + 1)
