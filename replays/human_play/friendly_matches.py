"""Friendly matches (outside leagues): the person who orders the match plays by hand or with a remote bot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext

from bots.access.teams import is_author
from bots.author_quotas import quota_of
from bots.models import BotVersion
from bots.queries import find_newest_active
from bots.remote_bots import PERSON, get_bot_by_hand, runs_outside_server
from foundation.random_seeds import new_seed
from ftk_core.games import UnknownGameError
from ftk_core.log_entries import TimeControl
from replays.models import Match, MatchSeat
from replays.services import MatchRequest, order_matches

ENDED_STATUSES = (Match.Status.CLOSED, Match.Status.VOID)
DAY = timedelta(days=1)


class MatchRequestRefusedError(Exception):
    """Raised if a match cannot be ordered; `code` is a fixed word for programs, the message a sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class FriendlyMatchRequest:
    """Order of a friendly match (a match outside leagues)."""

    game: str
    bots: Sequence[str]
    """Names of bots by seat; an empty name stands for the ordering person, who plays by hand."""
    clock: TimeControl
    hand_ms: int | None = None
    """Milliseconds that the person has for each choice; None is unlimited."""
    options: str = ""


def order_friendly(person: User, wanted: FriendlyMatchRequest) -> Match:
    """Find the bots that a request names, order a friendly match between them, and return the new match.

    Raises MatchRequestRefusedError, with the reason, if a named bot cannot play this game, if the game cannot be played
    with these seats or options, or if `order_own_match` refuses the order.
    """
    try:
        versions = [_find_version(person, wanted.game, name) for name in wanted.bots]
        order = MatchRequest(
            game=wanted.game,
            versions=versions,
            seed=new_seed(),
            clock=wanted.clock,
            options=wanted.options,
            hand_ms=wanted.hand_ms,
        )
        return order_own_match(person, order)
    except (UnknownGameError, BotVersion.DoesNotExist, ValueError) as error:
        raise MatchRequestRefusedError("not_playable", str(error)) from error


def remaining_quota(person: User) -> int:
    """Return how many matches a person may order now: the daily quota less the orders of the last 24 hours.

    The matches of challenges, which an author orders for a bot against chosen opponents, count too.
    """
    asked = Match.objects.filter(asked_by=person, created_at__gt=timezone.now() - DAY).count()
    return max(0, quota_of(person).challenges - asked)


@transaction.atomic
def order_own_match(person: User, order: MatchRequest) -> Match:
    """Order a friendly match in which the ordering person plays a seat by hand or with a remote bot; return the match.

    Raises MatchRequestRefusedError in three cases: the person plays no seat, the authors of a bot do not let other
    people order matches against it, or the person has reached the limit of unfinished matches or of matches per day.
    Raises ValueError if the game cannot be played with these seats or options.
    """
    own = [
        version.bot
        for version in order.versions
        if version.bot.owner_id == person.pk and runs_outside_server(version.bot)
    ]
    if not own:
        raise MatchRequestRefusedError(
            "not_yours", gettext("one seat has to be yours: a remote bot, or an empty name for you, by hand")
        )
    _check_challenges_allowed(person, order.versions)
    User.objects.select_for_update().get(pk=person.pk)  # lock, so that a concurrent order is counted
    _check_open_matches(person, by_hand=any(bot.kind == PERSON for bot in own))
    return order_matches([replace(order, asked_by=person)])[0]


def _check_challenges_allowed(person: User, versions: Sequence[BotVersion]) -> None:
    """Raise MatchRequestRefusedError if the person may not order matches with one of the bots.

    A bot's authors may always do so, other people only if the authors allow it (`Bot.challenged`).
    """
    for version in versions:
        if not version.bot.challenged and not is_author(person.pk, version.bot.slug):
            raise MatchRequestRefusedError(
                "not_challenged",
                gettext("%(bot)s takes no challenges; its authors have said so") % {"bot": version.bot.slug},
            )


def _check_open_matches(person: User, *, by_hand: bool) -> None:
    if not remaining_quota(person):
        raise MatchRequestRefusedError(
            "quota",
            gettext("you may ask for %(most)s matches within 24 hours, and %(left)s are left; ask for fewer, or later")
            % {"most": quota_of(person).challenges, "left": 0},
        )
    going = Match.objects.filter(asked_by=person, outside=True).exclude(status__in=ENDED_STATUSES)
    hands = MatchSeat.objects.filter(match=OuterRef("pk"), version__bot__owner=person, version__bot__kind=PERSON)
    kind, most = (gettext("by hand"), "by_hand_each") if by_hand else (gettext("with a remote bot"), "friendlies_each")
    if going.filter(Exists(hands) if by_hand else ~Exists(hands)).count() >= settings.SEATS[most]:
        raise MatchRequestRefusedError(
            "too_many",
            gettext("%(seats)s matches %(kind)s of yours go on, and no more may; play one of them to its end")
            % {"seats": settings.SEATS[most], "kind": kind},
        )


def _find_version(person: User, game_name: str, name: str) -> BotVersion:
    """Return the newest active version of the bot `name`, or the version for the person if `name` is empty.

    A person who plays by hand is stored as a bot too, so that each seat of a match has a bot version. Raises
    MatchRequestRefusedError if the bot plays another game, or if it stands for another person. Raises UnknownGameError
    if the game does not exist, and BotVersion.DoesNotExist if the bot has no active version.
    """
    version = find_newest_active(name) if name else get_bot_by_hand(person, game_name)
    if version.bot.game != game_name:
        raise MatchRequestRefusedError(
            "wrong_game",
            gettext("%(name)s plays %(game)s, not %(other)s")
            % {"name": name, "game": version.bot.game, "other": game_name},
        )
    if version.bot.kind == PERSON and version.bot.owner_id != person.pk:
        raise MatchRequestRefusedError(
            "not_yours", gettext("%(name)s is another person, whom nobody seats but themselves") % {"name": name}
        )
    return version
