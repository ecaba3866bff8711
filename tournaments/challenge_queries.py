"""Queries of an author's challenges: progress and results."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Min
from django.utils.translation import gettext

from ftk_core.kit.arena import PlayedMatch
from ftk_core.kit.scores import table
from ftk_core.league.court.fitting import SURE
from replays.friendlies import left_of
from replays.queries import CLOSED
from tournaments.challenge_models import Challenge, ChallengeMatch

SHOWN = 50
"""Maximum number of challenges listed, newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeShare:
    """Result of a bot in the matches of a challenge."""

    name: str
    games: int
    share: float
    """Mean share of opponents left behind, from 0 to 1; a shared place counts half."""
    low: float
    """Lower end of the interval of about 95 %."""
    high: float
    """Upper end; the interval is 0 to 1 with fewer than two matches, or deals."""
    wins: int
    excuses: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeRow:
    """A challenge."""

    id: int
    game: str
    names: list[str]
    matches: int
    done: int
    """Number of ended matches, including void ones."""
    ahead: int
    """Number of friendly matches queued before its first waiting one; 0 if none waits."""
    duplicate: bool
    seed: str
    rated: bool
    """True if it counts on the ladder of friendly matches."""
    at: datetime
    played: list[str]
    """Matches that can be watched, in order."""
    shares: list[ChallengeShare]
    """Best first."""

    @property
    def state(self) -> str:
        """``waiting``, ``playing`` or ``over``."""
        if self.done == self.matches:
            return "over"
        return "playing" if self.done or not self.ahead else "waiting"


@dataclass(frozen=True, slots=True)
class ChallengeList:
    """Challenges of a person."""

    left: int
    """Number of matches that they may still order within 24 hours."""
    rows: list[ChallengeRow]


def list_challenges(person: User) -> ChallengeList:
    """Return a person's challenges, newest first."""
    rows = Challenge.objects.filter(by=person).order_by("-pk")[:SHOWN]
    return ChallengeList(left_of(person), [read_row(row) for row in rows])


def read_challenge(person: User, number: int) -> ChallengeRow:
    """Return a person's challenge; raises Challenge.DoesNotExist."""
    try:
        return read_row(Challenge.objects.get(by=person, pk=number))
    except Challenge.DoesNotExist:
        raise Challenge.DoesNotExist(gettext("you have no challenge %(number)s") % {"number": number}) from None


def read_row(row: Challenge) -> ChallengeRow:
    """Return a challenge with its progress and results."""
    done = row.matches.filter(ended=True).count()
    closed = row.matches.filter(match__status=CLOSED).order_by("number")
    return ChallengeRow(
        id=row.pk,
        game=row.game,
        names=row.names,
        matches=row.size,
        done=done,
        ahead=_ahead(row),
        duplicate=row.duplicate,
        seed=row.seed,
        rated=not row.seed,
        at=row.at,
        played=list(closed.values_list("match_id", flat=True)),
        shares=_shares(row),
    )


def _ahead(row: Challenge) -> int:
    mine = ChallengeMatch.objects.filter(challenge=row, match__status="waiting").aggregate(first=Min("pk"))["first"]
    waiting = ChallengeMatch.objects.filter(ended=False, match__status="waiting")
    return waiting.filter(pk__lt=mine).count() if mine is not None else 0


def _shares(row: Challenge) -> list[ChallengeShare]:
    """Return the results of all bots; in duplicate a deal counts once it was played from every seat."""
    seats = len(row.versions)
    together = seats if row.duplicate else 1
    played = [(one.number, _played(row, one)) for one in _closed(row)]
    whole = [number // together for number, _ in played]
    counted = [match for number, match in played if whole.count(number // together) == together]
    return [
        ChallengeShare(
            name=line.bot,
            games=line.games,
            share=line.points,
            low=max(0.0, line.points - SURE * line.points_error) if line.games > together else 0.0,
            high=min(1.0, line.points + SURE * line.points_error) if line.games > together else 1.0,
            wins=line.wins,
            excuses=line.faults,
        )
        for line in table(row.names, counted, together=together)
    ]


def _closed(row: Challenge) -> list[ChallengeMatch]:
    closed = row.matches.filter(match__status=CLOSED).order_by("number")
    return list(closed.select_related("match").prefetch_related("match__seats"))


def _played(row: Challenge, one: ChallengeMatch) -> PlayedMatch:
    seats = sorted(one.match.seats.all(), key=lambda seat: seat.seat)
    return PlayedMatch(
        seating=tuple(row.versions.index(seat.version_id) for seat in seats),
        places=tuple(seat.place or 0 for seat in seats),
        scores=tuple(seat.score or 0 for seat in seats),
        faults=tuple(seat.excuses for seat in seats),
        log=b"",
    )
