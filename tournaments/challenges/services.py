"""Commands on challenges: an author orders matches of a bot against other bots."""
# Challenges have their own queue, with a limit of concurrent matches per author. They are rated on the rating list
# ``_friendly``, except if the author chose the seed: the random setup may then be known.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from bots.access.teams import is_author
from bots.author_quotas import quota_of
from bots.models import BotVersion
from bots.queries import find_newest_active
from bots.remote_bots import PERSON, runs_outside_server
from bots.versions.queries import NotAnAuthorError, find_own
from foundation.random_seeds import new_seed
from ftk_core.games import game as game_of
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.match_seating_and_random_seeds import rotate_seating
from ftk_core.log_entries import TimeControl
from ftk_core.random_streams import seed_of
from replays.background_work_retries import list_given_up, run_with_retries
from replays.human_play.friendly_matches import remaining_quota
from replays.queries import CLOSED, VOID
from replays.services import MatchRequest, order_matches, release_matches
from tournaments.continuous_ladder.continuous_ladder_settings import DEFAULT_SEATS
from tournaments.ladders.ladder_event_types import NonLeagueMatchRated
from tournaments.ladders.ladder_match_rating import rate_bouts
from tournaments.league_limits import CHALLENGES, CONTINUOUS
from tournaments.models import CourtRating
from tournaments.models.challenges import Challenge, ChallengeMatch
from tournaments.organisers.organiser_permission_checks import MissingRightError

MAX_CHALLENGE_MATCHES = 200
"""Maximum number of matches in one challenge."""
MAX_SEED_CHARACTERS = 60
FRIENDLY_RESULT: Final = "friendly result"
"""Value of `FailedWork.kind` for challenge matches whose result could not be recorded; the recording is retried."""
CHALLENGE_CLOCK = TimeControl(1000, 10_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeRequest:
    """Request for a challenge: the author's bot, its opponents, and the number of matches."""

    bot: str
    against: tuple[str, ...] = ()
    """Slugs of the opponents; empty with `neighbours`."""
    neighbours: bool = False
    """True to choose the bots with the nearest ratings on the continuous ladder instead of `against`."""
    matches: int = 20
    duplicate: bool = False
    """True to play each deal several times, once from every seat."""
    seed: str = ""
    """Seed of the deals; empty for secret deals."""


@transaction.atomic
def challenge(person: User, request: ChallengeRequest) -> Challenge:
    """Store a challenge and create its matches.

    Raises MissingRightError for another author's bot, BotVersion.DoesNotExist without an active version, and
    CommandRejected for an impossible request or an exhausted quota.
    """
    User.objects.select_for_update().get(pk=person.pk)  # so that a concurrent challenge counts these matches
    own = _find_challenger(person, request.bot)
    _check_matches_and_seed(person, request)
    versions = [own, *(_find_neighbours(own) if request.neighbours else _find_opponents(person, own, request))]
    if request.duplicate and request.matches % len(versions):
        raise CommandRejected(
            gettext("in duplicate each deal takes %(seats)s matches: ask for a multiple of that")
            % {"seats": len(versions)}
        )
    if request.duplicate and (outside := next((one for one in versions if runs_outside_server(one.bot)), None)):
        raise CommandRejected(
            gettext(
                "%(bot)s does not run in the sandbox and could remember a deal: order matches without duplicate deals."
            )
            % {"bot": outside.bot.slug}
        )
    order = Challenge.objects.create(
        by=person,
        game=own.bot.game,
        versions=[version.pk for version in versions],
        names=[version.label for version in versions],
        size=request.matches,
        duplicate=request.duplicate,
        seed=request.seed,
    )
    try:
        matches = order_matches(_make_orders(order, versions, person))
    except ValueError as error:
        raise CommandRejected(str(error)) from None
    ChallengeMatch.objects.bulk_create(
        ChallengeMatch(challenge=order, number=number, match=match) for number, match in enumerate(matches)
    )
    return order


def _find_challenger(person: User, slug: str) -> BotVersion:
    """Return the newest active version of the person's own bot.

    Raises MissingRightError for another author's bot, and CommandRejected for a human player.
    """
    try:
        own = find_own(person.pk, slug)
    except NotAnAuthorError:
        raise MissingRightError(
            gettext("%(bot)s is somebody else's bot; only its authors challenge with it") % {"bot": slug}
        ) from None
    if own.bot.kind == PERSON:
        raise CommandRejected(
            gettext("%(bot)s stands for you as a player: play by hand at /play/%(game)s/; only programs can challenge")
            % {"bot": slug, "game": own.bot.game}
        )
    return own


def _check_matches_and_seed(person: User, request: ChallengeRequest) -> None:
    if not 1 <= request.matches <= MAX_CHALLENGE_MATCHES:
        raise CommandRejected(
            gettext("a challenge has 1 to %(most)s matches, not %(matches)s")
            % {"most": MAX_CHALLENGE_MATCHES, "matches": request.matches}
        )
    if len(request.seed) > MAX_SEED_CHARACTERS or not request.seed.isprintable():
        raise CommandRejected(gettext("a seed has up to %(most)s printable letters") % {"most": MAX_SEED_CHARACTERS})
    if request.matches > (remaining := remaining_quota(person)):
        most = quota_of(person).challenges
        raise CommandRejected(
            gettext("you may ask for %(most)s matches within 24 hours, and %(left)s are left; ask for fewer, or later")
            % {"most": most, "left": remaining}
        )


def _find_opponents(by: User, own: BotVersion, request: ChallengeRequest) -> list[BotVersion]:
    names = request.against
    if not names:
        raise CommandRejected(gettext("say whom to challenge: names of bots, or the neighbours"))
    if own.bot.slug in names or len(set(names)) < len(names):
        raise CommandRejected(gettext("name each bot only once, and do not name the bot that challenges"))
    versions = [find_newest_active(name) for name in names]
    for version in versions:
        if version.bot.game != own.bot.game:
            raise CommandRejected(
                gettext("%(bot)s plays %(game)s, %(own)s plays %(other)s")
                % {"bot": version.bot.slug, "game": version.bot.game, "own": own.bot.slug, "other": own.bot.game}
            )
        if version.bot.kind == PERSON:
            raise CommandRejected(
                gettext("%(bot)s is a person and cannot be challenged; choose a bot") % {"bot": version.bot.slug}
            )
        if not version.bot.challenged and not is_author(by.pk, version.bot.slug):
            raise CommandRejected(
                gettext("%(bot)s takes no challenges; its authors have said so") % {"bot": version.bot.slug}
            )
    return versions


def _find_neighbours(own: BotVersion) -> list[BotVersion]:
    """Return opponents whose ratings are nearest to the rating of the bot `own`.

    Raises CommandRejected if `own` is unrated, or if too few rated bots accept challenges.
    """
    rated = dict(
        CourtRating.objects.filter(game=own.bot.game, season=CONTINUOUS, bot__versions__status="active")
        .filter(Q(bot__challenged=True) | Q(bot=own.bot))
        .values_list("bot__slug", "value")
    )
    if own.bot.slug not in rated:
        raise CommandRejected(
            gettext("%(bot)s has no neighbours yet: it is not rated on the continuous ladder of its game")
            % {"bot": own.bot.slug}
        )
    own_rating, seats = rated.pop(own.bot.slug), game_of(own.bot.game).seats
    order = sorted(rated, key=lambda slug: (abs(rated[slug] - own_rating), slug))
    table_size = min(max(DEFAULT_SEATS, seats.start), seats.stop - 1)
    if len(order) < max(2, seats.start) - 1:
        raise CommandRejected(
            gettext("%(bot)s has too few neighbours on the continuous ladder: %(count)s")
            % {"bot": own.bot.slug, "count": len(order)}
        )
    return [find_newest_active(slug) for slug in order[: table_size - 1]]


def _make_orders(order: Challenge, versions: Sequence[BotVersion], person: User) -> list[MatchRequest]:
    """Return a request for each match of a challenge. The bots change seats from match to match."""
    # With `duplicate`, each random setup is played once from every seat.
    secret, seats = new_seed().hex(), len(versions)
    return [
        MatchRequest(
            game=order.game,
            versions=[versions[place] for place in rotate_seating(range(seats), number)],
            seed=seed_of("challenge", order.seed or secret, number // seats if order.duplicate else number),
            clock=CHALLENGE_CLOCK,
            asked_by=person,
            released=not order.duplicate,
        )
        for number in range(order.size)
    ]


def sweep(limit: int = 100) -> int:
    """Record finished challenge matches that no task has recorded; return their number."""
    # A task can be lost, for example if its worker dies.
    ended_matches = ChallengeMatch.objects.filter(ended=False, match__status__in=(CLOSED, VOID))
    unrecorded = ended_matches.exclude(match_id__in=list_given_up(FRIENDLY_RESULT)).order_by("pk")
    matches = list(unrecorded.values_list("match_id", flat=True)[:limit])
    return sum(run_with_retries(FRIENDLY_RESULT, match, partial(record, match), otherwise=False) for match in matches)


@transaction.atomic
def record(match_id: str) -> bool:
    """Record and rate a finished challenge match; return False if there is nothing to record."""
    ended_matches = ChallengeMatch.objects.filter(match_id=match_id, ended=False, match__status__in=(CLOSED, VOID))
    found = ended_matches.select_related("challenge").first()
    if found is None:
        return False
    # All matches of a deal are locked at once, in a fixed order. If two end at the same time, the later transaction
    # sees both of them as ended.
    deal_matches = list(_select_deal(found).select_for_update(of=("self",)).order_by("pk"))
    challenge_match = next(match for match in deal_matches if match.pk == found.pk)
    if challenge_match.ended:  # another process was quicker
        return False
    challenge_match.ended = True
    challenge_match.save(update_fields=("ended",))
    if challenge_match.match.status == CLOSED and not challenge_match.challenge.seed:
        seats = list(challenge_match.match.seats.order_by("seat").values_list("version__bot__slug", "place"))
        names, places = tuple(name for name, _ in seats), tuple(place or 0 for _, place in seats)
        counted = NonLeagueMatchRated(match=match_id, number=challenge_match.pk, names=names, places=places)
        rate_bouts(challenge_match.challenge.game, CHALLENGES, [counted])
    if challenge_match.challenge.duplicate and all(match.ended for match in deal_matches):
        release_matches([match.match_id for match in deal_matches])
    return True


def _select_deal(challenge_match: ChallengeMatch) -> QuerySet[ChallengeMatch]:
    """Return a query for this match and all matches of its challenge with the same random setup."""
    every = ChallengeMatch.objects.select_related("match", "challenge").filter(challenge=challenge_match.challenge)
    if not challenge_match.challenge.duplicate:
        return every.filter(pk=challenge_match.pk)
    seats = len(challenge_match.challenge.versions)
    first = challenge_match.number // seats * seats
    return every.filter(number__range=(first, first + seats - 1))
