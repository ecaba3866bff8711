"""Reader that turns logged events into webhook deliveries and notices."""
# One transaction stores the results and the read position, so that each event is processed exactly once.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext_noop

from bots.access.teams import list_members
from bots.versions.queries import PublicTrialMatchResult, find_last_decided_key, list_trial_results, list_versions
from ftk_core.league.league_facts import ResultRecorded
from ftk_core.league.league_state_from_events import decode_fact
from notices import unreleased_match_events
from notices.follower_notices import notify_followers, notify_of_lost_leads, notify_of_new_bot
from notices.models import EventLogReadPosition, WebhookDelivery, WebhookEndpoint
from notices.notice_preferences import NoticeContent, notify
from notices.public_events import LeagueIdentity, PublicNotificationEvent, list_events
from notices.webhooks.webhook_endpoints import MAX_PENDING_DELIVERIES, disable, enqueue
from replays.background_work_retries import run_with_retries
from replays.event_stream_queries import list_unread_streams
from replays.event_stream_storage import pages_of
from replays.queries import list_released
from tournaments.continuous_ladder import continuous_ladder_facts as continuous_facts
from tournaments.leagues.entrant_queries import EntrantWithAuthors, find_league, list_entrants

LEAGUE_STREAMS, BOUT_STREAMS, TRIALS_CURSOR = "tournament/", continuous_facts.stream_of(""), "trials"
LEADS = "leads"
"""Subject of the work "detect new ladder leaders" in the retry table (`replays.background_work_retries`)."""
STREAM_WORK: Final = "notices"
"""Kind of all work of this module in the retry table. The subject is an event log, ``trials`` or `LEADS`."""
LEAGUE_NOTICES: Mapping[str, tuple[str, str, str]] = {
    "announcement.made": (
        "announcement",
        "%(slug)s/%(at)s/%(text)s",
        gettext_noop("Message to the entrants of %(league)s: %(text)s"),
    ),
    "league.cancelled": ("cancelled", "%(slug)s", gettext_noop("%(league)s was cancelled. Reason: %(why)s")),
    "league.begun": ("league-begun", "%(slug)s", gettext_noop("%(league)s began.")),
    "round.ended": ("round-ended", "%(slug)s/%(round)s", gettext_noop("Round %(round)s of %(league)s ended.")),
    "bot.crashed": (
        "crash",
        "%(slug)s/%(round)s/%(bot)s",
        gettext_noop("%(bot)s gave no valid answer in a match of round %(round)s of %(league)s."),
    ),
}
"""Kind of league event -> (kind of notice, pattern of the notice's key, pattern of its sentence)."""
MIN_LINES_PER_TRANSACTION, MAX_TRANSACTIONS_PER_SWEEP = 200, 50
"""Number of log lines after which a transaction reads no more, and maximum number of transactions per run."""
MAX_UNCOMMITTED_TIME = timedelta(minutes=10)
"""Maximum duration of the transaction that stores an upload.

Versions may be committed in another order than that of their primary keys. If a key is still missing after this time,
no version will get it, so the read position can move past it.
"""


def process_new_events(now: datetime) -> int:
    """Process new log lines and trial results, up to a limit. Return their total number."""
    # An error in one event log does not stop the others.
    read_lengths = EventLogReadPosition.objects.filter(name=OuterRef("pk")).values("length")
    grown_streams, processed = (
        [*list_unread_streams(LEAGUE_STREAMS, read_lengths), *list_unread_streams(BOUT_STREAMS, read_lengths)],
        0,
    )
    processed += run_with_retries(STREAM_WORK, TRIALS_CURSOR, partial(_process_trial_results, now), otherwise=0)
    run_with_retries(STREAM_WORK, LEADS, partial(notify_of_lost_leads, now), otherwise=None)
    for _ in range(MAX_TRANSACTIONS_PER_SWEEP):
        if not grown_streams:
            break
        lines = _process_with_retries(grown_streams[0], now)
        processed += lines
        grown_streams = grown_streams if lines else grown_streams[1:]
    return processed


def _process_with_retries(stream: str, now: datetime) -> int:
    return run_with_retries(STREAM_WORK, stream, partial(follow, stream, now), otherwise=0)


@transaction.atomic
def follow(stream: str, now: datetime) -> int:
    """Create webhook deliveries and notices from the next unread lines of a log. Return the number of lines read."""
    cursor = _lock_cursor(stream)
    lines: list[bytes] = []
    for page in pages_of(stream, cursor.length - 1):
        lines += page.lines[max(0, cursor.length - page.first) :]
        if len(lines) >= MIN_LINES_PER_TRANSACTION:
            break
    if not lines:
        return 0
    _publish_facts(stream, lines, now)
    cursor.length += len(lines)
    cursor.save(update_fields=("length",))
    return len(lines)


def _publish_facts(stream: str, lines: Sequence[bytes], now: datetime) -> None:
    if stream.startswith(BOUT_STREAMS):
        _publish_benched(stream.removeprefix(BOUT_STREAMS), lines, now)
        return
    league = find_league(stream)
    entrants = list_entrants(league.pk)
    names = {number: entrant.name for number, entrant in entrants.items()}
    league_names = LeagueIdentity(league.pk, league.slug, league.name, league.game)
    facts = [decode_fact(line) for line in lines]
    released = list_released([fact.match for fact in facts if isinstance(fact, ResultRecorded)])
    released_events = unreleased_match_events.take_released(league.pk)
    events = list(list_events(facts, league_names, names, released, now))
    public = [event for event in events if not event.within or event.within in released]
    unreleased_match_events.store_withheld(league.pk, [event for event in events if event not in public])
    enqueue_for_endpoints([*released_events, *public], now)
    # nobody could read of a released event before, so its notice is as old as its release
    for event, at in [*((event, now) for event in released_events), *((event, event.at) for event in public)]:
        _notify_authors(event, league_names, entrants, at)
        notify_followers(event, league_names, entrants, at)


def _publish_benched(game: str, lines: Sequence[bytes], now: datetime) -> None:
    """Send webhook events and notices about bot versions that were excluded for crashing too often."""
    facts = [
        fact for line in lines if isinstance(fact := continuous_facts.read(line), continuous_facts.BotVersionExcluded)
    ]
    versions = {version.id: version for version in list_versions([fact.version for fact in facts])}
    members = list_members({version.bot_id for version in versions.values()})
    for fact in facts:
        version, at = versions[fact.version], datetime.fromtimestamp(fact.at, UTC)
        bot = fact.name.split(" ", maxsplit=1)[0]
        data = {"bot": bot, "game": game, "version": version.number, "why": fact.why}
        enqueue_for_endpoints([PublicNotificationEvent(kind="bot.benched", at=at, told=data)], now)
        words: dict[str, Any] = {"name": fact.name, "why": (fact.why, {})}
        pattern = gettext_noop("%(name)s is benched: %(why)s.")
        notification = NoticeContent(
            kind="benched",
            key=f"{fact.version}/{fact.at}",
            pattern=pattern,
            link=reverse("bot", args=[bot]),
            words=words,
        )
        notify(members[version.bot_id], notification, now)


def _lock_cursor(name: str) -> EventLogReadPosition:
    EventLogReadPosition.objects.get_or_create(name=name)
    return EventLogReadPosition.objects.select_for_update().get(name=name)


def enqueue_for_endpoints(events: Sequence[PublicNotificationEvent], now: datetime) -> None:
    """Create deliveries of events to all subscribed webhooks."""
    # Endpoints with more than MAX_PENDING_DELIVERIES pending deliveries are disabled.
    if not events:
        return
    kinds = list({event.kind for event in events})
    subscribed = WebhookEndpoint.objects.filter(disabled_at=None, owner__is_active=True, kinds__overlap=kinds)
    for endpoint in subscribed.select_for_update(of=("self",)).order_by("pk"):
        endpoint_events = [
            event for event in events if event.kind in endpoint.kinds and endpoint.league_id in (None, event.league)
        ]
        enqueue(
            endpoint,
            [(event.kind, event.at, event.told) for event in endpoint_events],
        )
    pending = Count("deliveries", filter=Q(deliveries__status=WebhookDelivery.Status.WAITING))
    for endpoint in subscribed.annotate(waits=pending).filter(waits__gt=MAX_PENDING_DELIVERIES):
        reason = gettext_noop("more than %(most)s deliveries wait for %(url)s")
        disable(endpoint, reason, {"most": MAX_PENDING_DELIVERIES, "url": endpoint.url}, now)


def _notify_authors(
    event: PublicNotificationEvent,
    league_names: LeagueIdentity,
    entrants: Mapping[int, EntrantWithAuthors],
    at: datetime,
) -> None:
    """Notify the authors of the bots that a league's event concerns."""
    # An event without `entries` concerns all bots that are not withdrawn.
    if event.kind not in LEAGUE_NOTICES:
        return
    kind, key, pattern = LEAGUE_NOTICES[event.kind]
    values = {**event.told, "slug": league_names.slug, "league": league_names.name, "at": int(event.at.timestamp())}
    match = event.told.get("match")
    notification = NoticeContent(
        kind=kind,
        key=key % values,
        pattern=pattern,
        link=reverse("match", args=[match]) if match else reverse("league", args=[league_names.slug]),
        words={name: value for name, value in values.items() if f"%({name})s" in pattern},
    )
    active = [number for number, entrant in entrants.items() if not entrant.withdrawn]
    concerned = [entrants[number] for number in event.entries or active if number in entrants]
    notify({person for entrant in concerned for person in entrant.people}, notification, at)


@transaction.atomic
def _process_trial_results(now: datetime) -> int:
    """Process new results of trials (tests of uploaded bot versions); return their number."""
    cursor = _lock_cursor(TRIALS_CURSOR)
    # read before the results, so that a trial that ends between the two queries is not passed over
    settled_key = find_last_decided_key(now - MAX_UNCOMMITTED_TIME)
    decided = list_trial_results(cursor.length, cursor.ahead, MIN_LINES_PER_TRANSACTION)
    tried = [version for version in decided if version.had_trial]
    enqueue_for_endpoints([_make_trial_event(version, now) for version in tried], now)
    members = list_members({version.bot_id for version in tried})
    for version in tried:
        notify(members[version.bot_id], _make_trial_notification(version), now)
    for version in decided:
        notify_of_new_bot(version, now)
    is_last_part = len(decided) < MIN_LINES_PER_TRANSACTION
    cursor.length = max(cursor.length, settled_key if is_last_part else min(settled_key, decided[-1].id))
    cursor.ahead = [key for key in (*cursor.ahead, *(version.id for version in decided)) if key > cursor.length]
    cursor.save(update_fields=("length", "ahead"))
    return len(decided)


def _make_trial_event(version: PublicTrialMatchResult, now: datetime) -> PublicNotificationEvent:
    data = {"bot": version.bot, "game": version.game, "version": version.number}
    return PublicNotificationEvent(
        kind="trial.decided", at=now, told=data | {"passed": version.passed, "reason": version.reason}
    )


def _make_trial_notification(version: PublicTrialMatchResult) -> NoticeContent:
    passed, refused = (
        gettext_noop("%(bot)s %(number)s passed its trial."),
        gettext_noop("%(bot)s %(number)s was refused: %(reason)s."),
    )
    words = {"bot": version.bot, "number": version.number, "reason": (version.reason, {})}
    link = reverse("trial", args=[version.bot, version.number])
    return NoticeContent(
        kind="trial", key=str(version.id), pattern=passed if version.passed else refused, link=link, words=words
    )
