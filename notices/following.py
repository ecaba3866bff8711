"""A reader of league streams and trial results that creates deliveries and notices, exactly once for each event.

The events and the read position are stored in one transaction. It polls; nothing calls it when an event happens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext_noop

from bots.teams import list_members
from bots.version_queries import Decided, find_settled, list_decided, list_versions
from ftk_core.league.facts import ResultRecorded
from ftk_core.league.folding import read
from notices import withheld
from notices.endpoints import MOST_WAITING, disable, enqueue
from notices.happenings import Happening, NamedLeague, happenings_of
from notices.models import Cursor, Delivery, Endpoint
from notices.wishes import Telling, notify
from replays.failed_work import run_bounded
from replays.queries import list_grown, list_released
from replays.store import pages_of
from tournaments import bout_facts
from tournaments.entrants import EntrantOf, find_league, list_entrants

LEAGUES, BOUTS, TRIALS = "tournament/", bout_facts.stream_of(""), "trials"
NOTICES: Final = "notices"
"""Kind of work: reading one stream."""
LINES, PIECES = 200, 50
"""Minimum number of lines per transaction (plus the rest of their page); maximum number of transactions per sweep."""
SETTLED = timedelta(minutes=10)
"""Maximum age of an uncommitted upload; a primary key that is missing for longer will not appear."""


def follow_all(now: datetime) -> int:
    """Process all new events; returns the number of lines and trial results.

    An error in one stream does not stop the others; the stream is skipped after some attempts.
    """
    read_of = Cursor.objects.filter(name=OuterRef("pk")).values("length")
    grown, told = [*list_grown(LEAGUES, read_of), *list_grown(BOUTS, read_of)], 0
    told += run_bounded(NOTICES, TRIALS, partial(_follow_trials, now), otherwise=0)
    for _ in range(PIECES):
        if not grown:
            break
        lines = _followed(grown[0], now)
        told += lines
        grown = grown if lines else grown[1:]
    return told


def _followed(stream: str, now: datetime) -> int:
    return run_bounded(NOTICES, stream, partial(follow, stream, now), otherwise=0)


@transaction.atomic
def follow(stream: str, now: datetime) -> int:
    """Process the next part of a league's or ladder's stream; returns the number of lines, 0 at its end."""
    cursor = _locked(stream)
    lines: list[bytes] = []
    for page in pages_of(stream, cursor.length - 1):
        lines += page.lines[max(0, cursor.length - page.first) :]
        if len(lines) >= LINES:
            break
    if not lines:
        return 0
    _tell(stream, lines, now)
    cursor.length += len(lines)
    cursor.save(update_fields=("length",))
    return len(lines)


def _tell(stream: str, lines: Sequence[bytes], now: datetime) -> None:
    if stream.startswith(BOUTS):
        _tell_benched(stream.removeprefix(BOUTS), lines, now)
        return
    league = find_league(stream)
    entrants = list_entrants(league.pk)
    names = {number: entrant.name for number, entrant in entrants.items()}
    where = NamedLeague(league.pk, league.slug, league.name, league.game)
    facts = [read(line) for line in lines]
    released = list_released([fact.match for fact in facts if isinstance(fact, ResultRecorded)])
    happened = [*withheld.take_released(league.pk), *happenings_of(facts, where, names, released, now)]
    public = [one for one in happened if not one.within or one.within in released]
    withheld.keep(league.pk, [one for one in happened if one not in public])
    tell_endpoints(public, now)
    for happening in public:
        _tell_people(happening, where, entrants)


def _tell_benched(game: str, lines: Sequence[bytes], now: datetime) -> None:
    """Notify the authors of a version that the ladder no longer plays."""
    facts = [fact for line in lines if isinstance(fact := bout_facts.read(line), bout_facts.VersionBenched)]
    versions = {row.id: row for row in list_versions([fact.version for fact in facts])}
    members = list_members({row.bot_id for row in versions.values()})
    for fact in facts:
        row, at = versions[fact.version], datetime.fromtimestamp(fact.at, UTC)
        bot = fact.name.split(" ", maxsplit=1)[0]
        told = {"bot": bot, "game": game, "version": row.number, "why": fact.why}
        tell_endpoints([Happening(kind="bot.benched", at=at, told=told)], now)
        words: dict[str, Any] = {"name": fact.name, "why": (fact.why, {})}
        said = gettext_noop("%(name)s is benched: %(why)s.")
        telling = Telling(
            kind="benched", key=f"{fact.version}/{fact.at}", pattern=said, link=reverse("bot", args=[bot]), words=words
        )
        notify(members[row.bot_id], telling, now)


def _locked(name: str) -> Cursor:
    Cursor.objects.get_or_create(name=name)
    return Cursor.objects.select_for_update().get(name=name)


def tell_endpoints(happened: Sequence[Happening], now: datetime) -> None:
    """Create deliveries of events for all subscribed endpoints; disable those with too many pending deliveries."""
    if not happened:
        return
    kinds = list({happening.kind for happening in happened})
    wanted = Endpoint.objects.filter(disabled_at=None, owner__is_active=True, kinds__overlap=kinds)
    for row in wanted.select_for_update(of=("self",)).order_by("pk"):
        mine = [h for h in happened if h.kind in row.kinds and row.league_id in (None, h.league)]
        enqueue(row, [(h.kind, h.at, h.told) for h in mine])
    waits = Count("deliveries", filter=Q(deliveries__status=Delivery.Status.WAITING))
    for row in wanted.annotate(waits=waits).filter(waits__gt=MOST_WAITING):
        why = gettext_noop("more than %(most)s deliveries wait for %(url)s")
        disable(row, why, {"most": MOST_WAITING, "url": row.url}, now)


def _tell_people(happening: Happening, where: NamedLeague, entrants: Mapping[int, EntrantOf]) -> None:
    """Notify the people whose bots an event concerns."""
    words: dict[str, Any]
    told, league = happening.told, reverse("league", args=[where.slug])
    match happening.kind:
        case "league.begun":
            words, said = {"league": where.name}, gettext_noop("%(league)s began.")
            telling = Telling(kind="league-begun", key=where.slug, pattern=said, link=league, words=words)
            concerned = [entrant for entrant in entrants.values() if not entrant.withdrawn]
        case "round.ended":
            words = {"round": told["round"], "league": where.name}
            said = gettext_noop("Round %(round)s of %(league)s ended.")
            telling = Telling(
                kind="round-ended", key=f"{where.slug}/{told['round']}", pattern=said, link=league, words=words
            )
            concerned = [entrant for entrant in entrants.values() if not entrant.withdrawn]
        case "bot.crashed":
            words = {"bot": told["bot"], "round": told["round"], "league": where.name}
            said = gettext_noop("%(bot)s gave no valid answer in a match of round %(round)s of %(league)s.")
            key = f"{where.slug}/{told['round']}/{told['bot']}"
            telling = Telling(
                kind="crash", key=key, pattern=said, link=reverse("match", args=[told["match"]]), words=words
            )
            concerned = [entrants[number] for number in happening.entries if number in entrants]
        case _:
            return
    notify({person for entrant in concerned for person in entrant.people}, telling, happening.at)


@transaction.atomic
def _follow_trials(now: datetime) -> int:
    """Process the new trial results; returns their number."""
    cursor = _locked(TRIALS)
    decided = list_decided(cursor.length, cursor.ahead, LINES)
    tell_endpoints([_verdict(version, now) for version in decided], now)
    members = list_members({version.bot_id for version in decided})
    for version in decided:
        notify(members[version.bot_id], _telling(version), now)
    settled = find_settled(now - SETTLED)
    whole = len(decided) < LINES
    cursor.length = max(cursor.length, settled if whole else min(settled, decided[-1].id))
    cursor.ahead = [key for key in (*cursor.ahead, *(version.id for version in decided)) if key > cursor.length]
    cursor.save(update_fields=("length", "ahead"))
    return len(decided)


def _verdict(version: Decided, now: datetime) -> Happening:
    told = {"bot": version.bot, "game": version.game, "version": version.number}
    return Happening(kind="trial.decided", at=now, told=told | {"passed": version.passed, "reason": version.reason})


def _telling(version: Decided) -> Telling:
    passed, refused = (
        gettext_noop("%(bot)s %(number)s passed its trial."),
        gettext_noop("%(bot)s %(number)s was refused: %(reason)s."),
    )
    words = {"bot": version.bot, "number": version.number, "reason": (version.reason, {})}
    link = reverse("trial", args=[version.bot, version.number])
    return Telling(
        kind="trial", key=str(version.id), pattern=passed if version.passed else refused, link=link, words=words
    )
