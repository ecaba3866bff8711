"""Queries of continuous ladders: settings, bouts and the next call."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.translation import gettext as _

from ftk_core.games import game as game_of
from replays.queries import MatchOverview, read_matches
from tournaments.bout_models import CalledVersion, ContinuousLadder
from tournaments.calling import list_free

SHOWN = 20
"""Maximum number of open and of ended bouts shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Continuous:
    """A game's continuous ladder for its page."""

    game: str
    title: str
    rate: int
    """Bouts an hour; 0 is off."""
    sizes: list[int]
    options: str
    move_ms: int
    bank_ms: int
    called: int
    due: datetime | None
    """Earliest time of the next call; None if it is off."""
    bots: int
    """Number of bots available."""
    going: list[MatchOverview]
    """Open bouts, oldest first."""
    ended: list[MatchOverview]
    """The latest ones."""

    @property
    def told(self) -> str:
        """The schedule as a sentence."""
        if not self.rate:
            return _("it is off")
        sizes = _(" or ").join(map(str, self.sizes))
        lacks = _("; it waits for %(least)s active bots, there are %(bots)s")
        lacks %= {"least": min(self.sizes), "bots": self.bots}
        goes = _("%(rate)s bouts an hour at tables of %(sizes)s, %(called)s called so far")
        goes %= {"rate": self.rate, "sizes": sizes, "called": self.called}
        return goes + (lacks if self.waits else "")

    @property
    def waits(self) -> bool:
        """True if there are too few bots."""
        return bool(self.rate) and self.bots < min(self.sizes)


def is_set(name: str) -> bool:
    """Return True if a game's continuous ladder has settings, even if it is off."""
    return ContinuousLadder.objects.filter(game=name).exists()


def list_benched(bot_slug: str) -> list[tuple[int, str]]:
    """Return (number, reason) of a bot's benched versions, newest first."""
    rows = CalledVersion.objects.filter(version__bot__slug=bot_slug).exclude(benched="")
    return list(rows.order_by("-version__number").values_list("version__number", "benched"))


def read_continuous(name: str) -> Continuous:
    """Return a game's continuous ladder; raises UnknownGame."""
    title = game_of(name).title
    row = ContinuousLadder.objects.filter(game=name).first() or ContinuousLadder(game=name)
    bouts = row.bouts.select_related("match").order_by("-number") if row.pk else None
    going = [bout.match for bout in bouts.filter(ended=False)[:SHOWN]] if bouts is not None else []
    ended = [bout.match for bout in bouts.filter(ended=True)[:SHOWN]] if bouts is not None else []
    return Continuous(
        game=name,
        title=title,
        rate=row.rate,
        sizes=list(row.sizes),
        options=row.options,
        move_ms=row.move_ms,
        bank_ms=row.bank_ms,
        called=row.called,
        due=datetime.fromtimestamp(row.due, UTC) if row.rate else None,
        bots=len(list_free(row)) if row.pk else 0,
        going=read_matches(going[::-1]),
        ended=read_matches(ended),
    )
