"""Notices for people who follow a bot, an author, a league or a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext_noop

from bots.versions.queries import PublicTrialMatchResult
from ftk_core.games import list_games
from notices.follow_subscriptions import list_followers
from notices.models import LastSeenLadderLeader
from notices.notice_preferences import NoticeContent, notify
from notices.public_events import LeagueIdentity, PublicNotificationEvent
from tournaments.ladders.rating_history import find_leaders
from tournaments.leagues.entrant_queries import EntrantWithAuthors

LEAGUE_SENTENCES = {
    "league.begun": gettext_noop("%(league)s began."),
    "league.cancelled": gettext_noop("%(league)s was cancelled. Reason: %(why)s"),
    "league.ended": gettext_noop("%(league)s ended."),
}
"""Sentences for followers of a league, by kind of event."""
OPENED, ENTERED, WON, NEW_BOT, RESULT, LEAD_LOST = (
    gettext_noop("%(league)s is open for entries."),
    gettext_noop("%(bot)s entered %(league)s."),
    gettext_noop("%(bot)s won %(league)s."),
    gettext_noop("%(author)s has a new bot: %(bot)s."),
    gettext_noop("%(league)s ended. First place: %(winners)s."),
    gettext_noop("%(bot)s lost the first place of the %(game)s ladder to %(leader)s."),
)
MAX_NAMED_WINNERS = 3
Message = tuple[str, str, str, dict[str, Any]]
"""Message to followers: (kind of follow, followed subject, sentence with placeholders, values of the placeholders)."""


def notify_followers(
    event: PublicNotificationEvent,
    league_names: LeagueIdentity,
    entrants: Mapping[int, EntrantWithAuthors],
    at: datetime,
) -> None:
    """Notify the followers of a league, of its game and of its bots about an event."""
    link = reverse("league", args=[league_names.slug])
    for kind, subject, pattern, words in _list_messages(event, league_names, entrants):
        notification = NoticeContent(
            kind=f"followed-{kind}",
            key=f"{event.kind}/{league_names.slug}/{subject}",
            pattern=pattern,
            link=link,
            words={"league": league_names.name} | words,
        )
        notify(list_followers(kind, subject), notification, at)


def _list_messages(
    event: PublicNotificationEvent, league_names: LeagueIdentity, entrants: Mapping[int, EntrantWithAuthors]
) -> Iterator[Message]:
    winners = [entrant for entrant in entrants.values() if entrant.place == 1]
    if event.kind == "league.opened":
        yield "game", league_names.game, OPENED, {}
    if event.kind == "league.ended" and winners:
        yield from _list_result_messages(league_names, winners)
    elif event.kind in LEAGUE_SENTENCES:
        words = {"why": event.told["why"]} if "why" in event.told else {}
        yield "league", league_names.slug, LEAGUE_SENTENCES[event.kind], words
    if event.kind == "entry.came":
        for entrant in (entrants[number] for number in event.entries if number in entrants):
            yield "bot", entrant.bot, ENTERED, {"bot": entrant.name}


def _list_result_messages(league_names: LeagueIdentity, winners: Sequence[EntrantWithAuthors]) -> Iterator[Message]:
    names = ", ".join(winner.name for winner in winners[:MAX_NAMED_WINNERS])
    yield "league", league_names.slug, RESULT, {"winners": names}
    for winner in winners:
        yield "bot", winner.bot, WON, {"bot": winner.name}


def notify_of_new_bot(version: PublicTrialMatchResult, at: datetime) -> None:
    """Notify the followers of an author whose new bot has passed its trial match."""
    if not version.first:
        return
    notification = NoticeContent(
        kind="followed-author",
        key=version.bot,
        pattern=NEW_BOT,
        link=reverse("bot", args=[version.bot]),
        words={"author": version.owner, "bot": version.bot},
    )
    notify(list_followers("author", str(version.owner_id)), notification, at)


@transaction.atomic
def notify_of_lost_leads(now: datetime) -> None:
    """Notify the followers of each bot that has lost the first place in a game's all-time ranking."""
    leaders = find_leaders()
    known = {lead.game: lead.bot for lead in LastSeenLadderLeader.objects.select_for_update().filter(game__in=leaders)}
    for game, leader in leaders.items():
        before = known.get(game, "")
        if before != leader:
            LastSeenLadderLeader.objects.update_or_create(game=game, defaults={"bot": leader})
        if before not in ("", leader):
            _notify_of_lost_lead(game, before, leader, now)


def _notify_of_lost_lead(game: str, bot: str, leader: str, now: datetime) -> None:
    notification = NoticeContent(
        kind="followed-bot",
        key=f"lead/{game}/{bot}/{now:%Y-%m-%d}",
        pattern=LEAD_LOST,
        link=reverse("leaderboard", args=[game]),
        words={"bot": bot, "game": list_games()[game].title, "leader": leader},
    )
    notify(list_followers("bot", bot), notification, now)
