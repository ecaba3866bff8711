"""Friendly matches, which a person orders outside leagues."""

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
from bots.bot_bans import describe_ban
from bots.models import Bot, BotVersion
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
    """Raised if a match cannot be ordered. `code` tells API clients the reason, such as ``quota``."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class FriendlyMatchRequest:
    """Request for a friendly match (a match outside leagues)."""

    game: str
    bots: Sequence[str]
    """Names of bots by seat; an empty name stands for the ordering person, who plays by hand."""
    clock: TimeControl
    hand_ms: int | None = None
    """Milliseconds that the person has for each choice; None is unlimited."""
    options: str = ""


def order_friendly(person: User, wanted: FriendlyMatchRequest) -> Match:
    """Order a friendly match between the bots that `wanted` names, and return it. Raises MatchRequestRefusedError."""
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
    """Return how many more matches a person may order now."""
    # The quota counts the orders of the last 24 hours, challenges included.
    asked = Match.objects.filter(asked_by=person, created_at__gt=timezone.now() - DAY).count()
    return max(0, quota_of(person).challenges - asked)


@transaction.atomic
def order_own_match(person: User, order: MatchRequest) -> Match:
    """Order a match in which the person plays by hand or with a remote bot.

    Raises MatchRequestRefusedError, UnknownGameError, or ValueError for wrong seats or options.
    """
    own = [version.bot for version in order.versions if _is_played_by(version.bot, person)]
    if not own:
        raise MatchRequestRefusedError(
            "not_yours", gettext("one seat has to be yours: a remote bot, or an empty name for you, by hand")
        )
    for bot in own:  # a bot that is played by hand is not chosen by its status, which a ban changes
        if refusal := describe_ban(bot):
            raise MatchRequestRefusedError("banned", refusal)
    _check_challenges_allowed(person, order.versions)
    User.objects.select_for_update().get(pk=person.pk)  # lock, so that a concurrent order is counted
    _check_open_matches(person, by_hand=any(bot.kind == PERSON for bot in own))
    return order_matches([replace(order, asked_by=person)])[0]


def _is_played_by(bot: Bot, person: User) -> bool:
    """Return True if the person plays as this bot: by hand, or as an author of this remote bot."""
    if bot.kind == PERSON:
        return bot.owner_id == person.pk
    return runs_outside_server(bot) and is_author(person.pk, bot.slug)


def _check_challenges_allowed(person: User, versions: Sequence[BotVersion]) -> None:
    """Raise MatchRequestRefusedError if a bot's authors do not let the person order matches against it."""
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
            gettext("you have %(seats)s open matches %(kind)s, which is the limit; finish one of them first")
            % {"seats": settings.SEATS[most], "kind": kind},
        )


def _find_version(person: User, game_name: str, name: str) -> BotVersion:
    """Return the newest active version of the bot `name`. An empty name means the person, who plays by hand.

    Raises MatchRequestRefusedError, UnknownGameError or BotVersion.DoesNotExist.
    """
    # A person who plays by hand is stored as a bot too, so that each seat of a match has a bot version.
    version = find_newest_active(name) if name else get_bot_by_hand(person, game_name)
    if version.bot.game != game_name:
        raise MatchRequestRefusedError(
            "wrong_game",
            gettext("%(name)s plays %(game)s, not %(other)s")
            % {"name": name, "game": version.bot.game, "other": game_name},
        )
    if version.bot.kind == PERSON and version.bot.owner_id != person.pk:
        raise MatchRequestRefusedError(
            "not_yours",
            gettext("%(name)s is another person; only they can take a seat for themselves") % {"name": name},
        )
    return version
