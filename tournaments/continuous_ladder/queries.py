"""Queries for the page of a continuous ladder."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.translation import gettext as _

from ftk_core.games import game as game_of
from ftk_core.log_entries import TimeControl
from replays.queries import MatchOverview, read_matches
from tournaments.continuous_ladder.ladder_matchmaking import list_available_versions
from tournaments.models.continuous_ladders import ContinuousLadder, ContinuousLadderBotVersion

MAX_SHOWN_BOUTS = 20
"""Maximum number of open bouts, and also of finished bouts, on the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContinuousLadderOverview:
    """Data for the page of a game's continuous ladder."""

    game: str
    title: str
    rate: int
    """Bouts an hour; 0 if the ladder is off."""
    sizes: list[int]
    options: str
    clock: TimeControl
    called: int
    """Number of bouts started so far."""
    due: datetime | None
    """Earliest time at which the next bout starts; None if the ladder is off."""
    bots: int
    """Number of bots that can be chosen for a bout."""
    going: list[MatchOverview]
    """Matches of open bouts, oldest first."""
    ended: list[MatchOverview]
    """Matches of the latest finished bouts, newest first."""

    @property
    def schedule(self) -> str:
        """Text with the number of matches an hour, the numbers of seats, and the number of matches created so far."""
        if not self.rate:
            return _("it is off")
        sizes = _(" or ").join(map(str, self.sizes))
        waiting = _("; it waits for %(least)s active bots, there are %(bots)s")
        waiting %= {"least": min(self.sizes), "bots": self.bots}
        running = _("%(rate)s matches an hour at tables of %(sizes)s, %(called)s started so far")
        running %= {"rate": self.rate, "sizes": sizes, "called": self.called}
        return running + (waiting if self.waits else "")

    @property
    def waits(self) -> bool:
        """True if the ladder is on, but has too few bots for its smallest match."""
        return bool(self.rate) and self.bots < min(self.sizes)


def has_settings(name: str) -> bool:
    """Return True if settings are stored for a game's continuous ladder, even if it is switched off."""
    return ContinuousLadder.objects.filter(game=name).exists()


def list_benched(bot_slug: str) -> list[tuple[int, str]]:
    """Return (version number, reason) for each version of a bot that is excluded from the ladder."""
    rows = ContinuousLadderBotVersion.objects.filter(version__bot__slug=bot_slug).exclude(benched="")
    return list(rows.order_by("-version__number").values_list("version__number", "benched"))


def read_continuous(name: str) -> ContinuousLadderOverview:
    """Return the page data of a game's continuous ladder. Raise UnknownGameError if the game is not registered."""
    title = game_of(name).title
    ladder = ContinuousLadder.objects.filter(game=name).first() or ContinuousLadder(game=name)
    bouts = ladder.bouts.select_related("match").order_by("-number") if ladder.pk else None
    going = [bout.match for bout in bouts.filter(ended=False)[:MAX_SHOWN_BOUTS]] if bouts is not None else []
    ended = [bout.match for bout in bouts.filter(ended=True)[:MAX_SHOWN_BOUTS]] if bouts is not None else []
    return ContinuousLadderOverview(
        game=name,
        title=title,
        rate=ladder.rate,
        sizes=list(ladder.sizes),
        options=ladder.options,
        clock=ladder.clock,
        called=ladder.called,
        due=datetime.fromtimestamp(ladder.due, UTC) if ladder.rate else None,
        bots=len(list_available_versions(ladder)) if ladder.pk else 0,
        going=read_matches(going[::-1]),
        ended=read_matches(ended),
    )
