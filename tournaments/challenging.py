"""Challenges: matches of an author's bot against chosen bots, or its neighbours on the continuous ladder.

They are friendly matches with their own queue and a limit of concurrent ones per author. They count only on the ladder
``_friendly``; those on named deals count nowhere, because an author may choose a known deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from bots.models import BotVersion
from bots.outside import PERSON, is_outside
from bots.queries import find_newest_active
from bots.quotas import quota_of
from bots.teams import is_author
from bots.version_queries import NotAnAuthor, find_own
from foundation.seeds import new_seed
from ftk_core.entries import Clock
from ftk_core.games import game as game_of
from ftk_core.kit.arena import turned
from ftk_core.league.state import NotNow
from ftk_core.rng import seed_of
from replays.failed_work import list_left, run_bounded
from replays.friendlies import left_of
from replays.queries import CLOSED, VOID
from replays.services import Order, order_matches, release_matches
from tournaments.bounds import CONTINUOUS, FRIENDLY
from tournaments.bout_terms import SEATS
from tournaments.challenge_models import Challenge, ChallengeMatch
from tournaments.desk import Refused
from tournaments.ladder import rate_bouts
from tournaments.ladder_facts import BoutCounted
from tournaments.models import CourtRating

MOST = 200
"""Maximum number of matches of one challenge."""
LONGEST_SEED = 60
FRIENDLY_RESULT: Final = "friendly result"
"""Kind of failed work for the recording of one match of a challenge."""
CLOCK = Clock(1000, 10_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """An order of a challenge."""

    bot: str
    against: tuple[str, ...] = ()
    """Slugs of bots."""
    neighbours: bool = False
    """Instead of `against`: the nearest bots on the continuous ladder, as many as fill a table."""
    matches: int = 20
    duplicate: bool = False
    """If True, each deal is played from every seat."""
    seed: str = ""
    """Seed of the deals; empty for secret deals."""


@transaction.atomic
def challenge(person: User, wanted: Wanted) -> Challenge:
    """Order the matches of a challenge.

    Raises Refused for a bot of others, BotVersion.DoesNotExist, or NotNow for an impossible order or an exhausted
    quota.
    """
    User.objects.select_for_update().get(pk=person.pk)  # the second of two challenges sees the first
    own = _own(person, wanted.bot)
    _check_number(person, wanted)
    versions = [own, *(_neighbours(own) if wanted.neighbours else _chosen(person, own, wanted))]
    if wanted.duplicate and wanted.matches % len(versions):
        raise NotNow(
            gettext("in duplicate each deal takes %(seats)s matches: ask for a multiple of that")
            % {"seats": len(versions)}
        )
    if wanted.duplicate and (outside := next((one for one in versions if is_outside(one.bot)), None)):
        raise NotNow(
            gettext("%(bot)s plays from outside and remembers a deal: ask for matches that are not duplicate.")
            % {"bot": outside.bot.slug}
        )
    row = Challenge.objects.create(
        by=person,
        game=own.bot.game,
        versions=[version.pk for version in versions],
        names=[version.label for version in versions],
        size=wanted.matches,
        duplicate=wanted.duplicate,
        seed=wanted.seed,
    )
    try:
        matches = order_matches(_orders(row, versions, person))
    except ValueError as error:
        raise NotNow(str(error)) from None
    ChallengeMatch.objects.bulk_create(
        ChallengeMatch(challenge=row, number=number, match=match) for number, match in enumerate(matches)
    )
    return row


def _own(person: User, slug: str) -> BotVersion:
    """Return the challenger's version; raises Refused or NotNow."""
    try:
        own = find_own(person.pk, slug)
    except NotAnAuthor:
        raise Refused(
            gettext("%(bot)s is somebody else's bot; only its authors challenge with it") % {"bot": slug}
        ) from None
    if own.bot.kind == PERSON:
        raise NotNow(
            gettext("%(bot)s is you: sit down at /play/%(game)s/; challenges are for programs")
            % {"bot": slug, "game": own.bot.game}
        )
    return own


def _check_number(person: User, wanted: Wanted) -> None:
    if not 1 <= wanted.matches <= MOST:
        raise NotNow(
            gettext("a challenge has 1 to %(most)s matches, not %(matches)s")
            % {"most": MOST, "matches": wanted.matches}
        )
    if len(wanted.seed) > LONGEST_SEED or not wanted.seed.isprintable():
        raise NotNow(gettext("a seed has up to %(most)s printable letters") % {"most": LONGEST_SEED})
    if wanted.matches > (left := left_of(person)):
        most = quota_of(person).challenges
        raise NotNow(
            gettext("you may ask for %(most)s matches within 24 hours, and %(left)s are left; ask for fewer, or later")
            % {"most": most, "left": left}
        )


def _chosen(by: User, own: BotVersion, wanted: Wanted) -> list[BotVersion]:
    names = wanted.against
    if not names:
        raise NotNow(gettext("say whom to challenge: names of bots, or the neighbours"))
    if own.bot.slug in names or len(set(names)) < len(names):
        raise NotNow(gettext("say each bot once, and not your own that challenges"))
    versions = [find_newest_active(name) for name in names]
    for version in versions:
        if version.bot.game != own.bot.game:
            raise NotNow(
                gettext("%(bot)s plays %(game)s, %(own)s plays %(other)s")
                % {"bot": version.bot.slug, "game": version.bot.game, "own": own.bot.slug, "other": own.bot.game}
            )
        if version.bot.kind == PERSON:
            raise NotNow(gettext("%(bot)s is a person, whom nobody seats but themselves") % {"bot": version.bot.slug})
        if not version.bot.challenged and not is_author(by.pk, version.bot.slug):
            raise NotNow(gettext("%(bot)s takes no challenges; its authors have said so") % {"bot": version.bot.slug})
    return versions


def _neighbours(own: BotVersion) -> list[BotVersion]:
    """Return the nearest bots, as many as fill a table, or as exist."""
    rated = dict(
        CourtRating.objects.filter(game=own.bot.game, season=CONTINUOUS, bot__versions__status="active")
        .filter(Q(bot__challenged=True) | Q(bot=own.bot))
        .values_list("bot__slug", "value")
    )
    if own.bot.slug not in rated:
        raise NotNow(
            gettext("%(bot)s has no neighbours yet: it is not rated on the continuous ladder of its game")
            % {"bot": own.bot.slug}
        )
    mine, seats = rated.pop(own.bot.slug), game_of(own.bot.game).seats
    order = sorted(rated, key=lambda slug: (abs(rated[slug] - mine), slug))
    full = min(max(SEATS, seats.start), seats.stop - 1)
    if len(order) < max(2, seats.start) - 1:
        raise NotNow(
            gettext("%(bot)s has too few neighbours on the continuous ladder: %(count)s")
            % {"bot": own.bot.slug, "count": len(order)}
        )
    return [find_newest_active(slug) for slug in order[: full - 1]]


def _orders(row: Challenge, versions: Sequence[BotVersion], person: User) -> list[Order]:
    """Return the orders: seats rotate, in duplicate on one deal until everybody sat everywhere."""
    secret, seats = new_seed().hex(), len(versions)
    return [
        Order(
            game=row.game,
            versions=[versions[place] for place in turned(range(seats), number)],
            seed=seed_of("challenge", row.seed or secret, number // seats if row.duplicate else number),
            clock=CLOCK,
            asked_by=person,
            released=not row.duplicate,
        )
        for number in range(row.size)
    ]


def sweep(most: int = 100) -> int:
    """Record ended matches whose signal was missed; return their number."""
    over = ChallengeMatch.objects.filter(ended=False, match__status__in=(CLOSED, VOID))
    unheard = over.exclude(match_id__in=list_left(FRIENDLY_RESULT)).order_by("pk")
    matches = list(unheard.values_list("match_id", flat=True)[:most])
    return sum(run_bounded(FRIENDLY_RESULT, match, partial(record, match), otherwise=False) for match in matches)


@transaction.atomic
def record(match_id: str) -> bool:
    """Count an ended match of a challenge, once; ignore other matches."""
    over = ChallengeMatch.objects.filter(match_id=match_id, ended=False, match__status__in=(CLOSED, VOID))
    row = over.select_for_update(of=("self",)).select_related("match", "challenge").first()
    if row is None:
        return False
    row.ended = True
    row.save(update_fields=("ended",))
    if row.match.status == CLOSED and not row.challenge.seed:
        seats = list(row.match.seats.order_by("seat").values_list("version__bot__slug", "place"))
        names, places = tuple(name for name, _ in seats), tuple(place or 0 for _, place in seats)
        counted = BoutCounted(match=match_id, number=row.pk, names=names, places=places)
        rate_bouts(row.challenge.game, FRIENDLY, [counted])
    if row.challenge.duplicate:
        _release_deal(row)
    return True


def _release_deal(row: ChallengeMatch) -> None:
    """Release the matches on a deal once all of them have ended."""
    seats = len(row.challenge.versions)
    first = row.number // seats * seats
    alike = ChallengeMatch.objects.filter(challenge=row.challenge, number__range=(first, first + seats - 1))
    # locked in a fixed order, so that the second of two concurrent ends sees the first
    matches = list(alike.select_for_update().order_by("pk"))
    if all(one.ended for one in matches):
        release_matches([one.match_id for one in matches])
