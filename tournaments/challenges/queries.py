"""Queries for an author's challenges, with their progress and results."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Min
from django.utils.translation import gettext

from ftk_core.analysis.confidence_intervals import share_interval
from ftk_core.kit.match_series.local_matches import PlayedMatch
from ftk_core.kit.match_series.series_statistics import BotStatistics, compute_statistics
from replays.human_play.friendly_matches import remaining_quota
from replays.queries import CLOSED
from tournaments.models.challenges import Challenge, ChallengeMatch

MAX_LISTED_CHALLENGES = 50
"""Maximum number of challenges in a list, the newest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeResult:
    """Result of one bot in a challenge."""

    name: str
    games: int
    share: float
    """Mean share of the opponents that finished behind the bot, from 0 to 1; a shared place counts half."""
    low: float
    """Lower end of the 95 % interval of `share`."""
    high: float
    """Upper end of the 95 % interval of `share`. With fewer than two matches or deals, the interval is 0 to 1."""
    wins: int
    excuses: int
    """Number of moves that the referee chose because the bot gave no valid answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeOverview:
    """One challenge with its progress and its results."""

    id: int
    game: str
    names: list[str]
    matches: int
    done: int
    """Number of ended matches, including void ones."""
    begun: bool
    """True if at least one match has begun."""
    ahead: int
    """Number of waiting matches of other challenges that were ordered before the first waiting match of this one.

    It is 0 if no match of this challenge waits.
    """
    duplicate: bool
    seed: str
    rated: bool
    """True if the matches are rated, on the ladder ``_friendly``; false if the author chose the seed of the deals."""
    at: datetime
    played: list[str]
    """Ids of its finished matches, in order."""
    shares: list[ChallengeResult]
    """Results of the bots, best first."""

    @property
    def state(self) -> str:
        """Progress of the challenge: ``waiting``, ``playing`` or ``over``."""
        if self.done == self.matches:
            return "over"
        return "playing" if self.begun else "waiting"


@dataclass(frozen=True, slots=True)
class ChallengesWithRemainingQuota:
    """Challenges of one person, and the number of further matches that the person may order now."""

    left: int
    """Number of matches that the person may still order, under the limit for each 24 hours."""
    rows: list[ChallengeOverview]


def list_challenges(person: User) -> ChallengesWithRemainingQuota:
    """Return the challenges of a person, newest first."""
    challenges = Challenge.objects.filter(by=person).order_by("-pk")[:MAX_LISTED_CHALLENGES]
    return ChallengesWithRemainingQuota(
        remaining_quota(person), [summarise_challenge(challenge) for challenge in challenges]
    )


def read_challenge(person: User, number: int) -> ChallengeOverview:
    """Return one challenge of a person; raises Challenge.DoesNotExist, also for a challenge of another person."""
    try:
        return summarise_challenge(Challenge.objects.get(by=person, pk=number))
    except Challenge.DoesNotExist:
        raise Challenge.DoesNotExist(gettext("you have no challenge %(number)s") % {"number": number}) from None


def summarise_challenge(challenge: Challenge) -> ChallengeOverview:
    """Return a challenge with its progress and its results."""
    ended = challenge.matches.filter(ended=True).count()
    closed = challenge.matches.filter(match__status=CLOSED).order_by("number")
    return ChallengeOverview(
        id=challenge.pk,
        game=challenge.game,
        names=challenge.names,
        matches=challenge.size,
        done=ended,
        begun=challenge.matches.exclude(match__status="waiting").exists(),
        ahead=_count_matches_ahead(challenge),
        duplicate=challenge.duplicate,
        seed=challenge.seed,
        rated=not challenge.seed,
        at=challenge.at,
        played=list(closed.values_list("match_id", flat=True)),
        shares=_compute_shares(challenge),
    )


def _count_matches_ahead(challenge: Challenge) -> int:
    first_waiting = ChallengeMatch.objects.filter(challenge=challenge, match__status="waiting").aggregate(
        first=Min("pk")
    )["first"]
    waiting = ChallengeMatch.objects.filter(ended=False, match__status="waiting")
    return waiting.filter(pk__lt=first_waiting).count() if first_waiting is not None else 0


def _compute_shares(challenge: Challenge) -> list[ChallengeResult]:
    """Return the result of each bot in a challenge, best first."""
    # With `Challenge.duplicate`, each random setup is played once from every seat. A setup counts once all its matches
    # have been played.
    seats = len(challenge.versions)
    per_deal = seats if challenge.duplicate else 1
    played = [
        (challenge_match.number, _convert_match(challenge, challenge_match))
        for challenge_match in _list_closed_matches(challenge)
    ]
    deals = [number // per_deal for number, _ in played]
    counted = [match for number, match in played if deals.count(number // per_deal) == per_deal]
    lines = compute_statistics(challenge.names, counted, together=per_deal)
    return [_make_result(line, line.games // per_deal) for line in lines]


def _make_result(line: BotStatistics, deals: int) -> ChallengeResult:
    low, high = share_interval(line.points, line.points_error, deals)
    return ChallengeResult(
        name=line.bot,
        games=line.games,
        share=line.points,
        low=low,
        high=high,
        wins=line.wins,
        excuses=line.faults,
    )


def _list_closed_matches(challenge: Challenge) -> list[ChallengeMatch]:
    closed = challenge.matches.filter(match__status=CLOSED).order_by("number")
    return list(closed.select_related("match").prefetch_related("match__seats"))


def _convert_match(challenge: Challenge, challenge_match: ChallengeMatch) -> PlayedMatch:
    seats = sorted(challenge_match.match.seats.all(), key=lambda seat: seat.seat)
    return PlayedMatch(
        seating=tuple(challenge.versions.index(seat.version_id) for seat in seats),
        places=tuple(seat.place or 0 for seat in seats),
        scores=tuple(seat.score or 0 for seat in seats),
        faults=tuple(seat.excuses for seat in seats),
        log=b"",
    )
