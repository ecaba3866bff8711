"""Generator of large leagues with event logs and database rows, but without played matches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from random import Random

from django.db import connection
from django.utils import timezone

from bots.models import Bot, BotVersion
from ftk_core.hash_chained_log import next_page
from ftk_core.league.event_fields import TableSeating
from ftk_core.league.league_facts import BotEntered, LeagueFact, ResultRecorded, RoundClosed, RoundPaired
from ftk_core.league.league_state_from_events import encode_fact
from ftk_core.log_entries import stream_of
from replays.event_stream_storage import EventAppender
from replays.models import EventStream, EventStreamPage, Match, MatchSeat
from tests.support.factories import AuthorFactory, create_package
from tournaments.ladders.elo_ratings import START_RATING
from tournaments.leagues import finished_league_export, services
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import ALL_TIME, League, LeagueMatch, Rating

SEATS = 2
"""Number of bots at each table."""
POINTS = 100
"""Upper bound of the scores in a match."""


def create_large_league(entries: int, rounds: int, after: int, names: Sequence[str] = ()) -> League:
    """Create a league of `entries` bots in which `after` rounds are over, except for one match."""
    # With `names`, the league and the bots' owner have the first name, and the bots have all names in turn.
    slug, draw = f"l{entries}", Random(f"{entries}/{after}")
    versions = _versions(slug, entries, names[0] if names else slug)
    league = services.open_league(
        LeagueSettings(slug=slug, name=names[0] if names else slug, game="pig", seats=SEATS, rounds=rounds)
    )
    facts: list[LeagueFact] = [
        BotEntered(entry=number, version=v.pk, name=names[number % len(names)] if names else v.label)
        for number, v in enumerate(versions, 1)
    ]
    for number in range(1, after + 1):
        facts.extend(_round(slug, number, entries, draw))
    _grow(league.stream_id, facts[:-2])
    _store_rows(league, versions, [fact for fact in facts if isinstance(fact, ResultRecorded)])
    services.rebuild(league.pk)
    finished_league_export.sign_roots(league.pk)
    league.refresh_from_db()
    Rating.objects.bulk_create(
        Rating(bot=version.bot, game=league.game, season=season, value=START_RATING)
        for version in versions
        for season in (ALL_TIME, league.season)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # autovacuum would do this after a while
    return league


def _versions(slug: str, entries: int, owner_name: str) -> list[BotVersion]:
    owner, package = AuthorFactory.create(username=owner_name), create_package("print()")
    bots = Bot.objects.bulk_create(Bot(slug=f"{slug}-{n}", game="pig", owner=owner) for n in range(entries))
    return BotVersion.objects.bulk_create(
        BotVersion(bot=bot, number=1, package=package, status=BotVersion.Status.ACTIVE) for bot in bots
    )


def _round(slug: str, number: int, entries: int, draw: Random) -> Iterable[LeagueFact]:
    """Yield the events of a round with random pairings and scores."""
    order = list(range(1, entries + 1))
    draw.shuffle(order)
    tables = [TableSeating(table, tuple(seating)) for table, seating in enumerate(_pairs(order), 1)]
    yield RoundPaired(round=number, tables=tuple(tables))
    for table in tables:
        scores = tuple(draw.randrange(POINTS) for _ in table.seating)
        yield ResultRecorded(
            round=number,
            table=table.number,
            game=0,
            match=sha256(f"{slug}/{number}/{table.number}".encode()).hexdigest()[:12],
            seating=table.seating,
            places=tuple(1 + sum(other > score for other in scores) for score in scores),
            scores=scores,
        )
    yield RoundClosed(number)


def _pairs(order: Sequence[int]) -> Iterable[Sequence[int]]:
    return zip(order[::2], order[1::2], strict=True)


def _grow(stream_id: str, facts: Sequence[LeagueFact]) -> None:
    """Append events to a league's log, and store each of them in a database row of its own."""
    # That is how a log looks whose results came one by one.
    stream = EventAppender(stream_id)
    length, head = stream.length, stream.head
    pages = []
    for fact in facts:
        page = next_page(length, head, [encode_fact(fact)])
        pages.append(
            EventStreamPage(stream_id=stream_id, first=page.first, last=page.last, body=page.body, head=page.head)
        )
        length, head = page.last + 1, page.head
    EventStreamPage.objects.bulk_create(pages)
    EventStream.objects.filter(pk=stream_id).update(length=length, head=head)


def _store_rows(league: League, versions: Sequence[BotVersion], results: Sequence[ResultRecorded]) -> None:
    Match.objects.bulk_create(
        Match(id=r.match, game=league.game, status=Match.Status.CLOSED, closed_at=timezone.now()) for r in results
    )
    MatchSeat.objects.bulk_create(
        MatchSeat(match_id=r.match, seat=seat, version=versions[entry - 1], place=r.places[seat], score=r.scores[seat])
        for r in results
        for seat, entry in enumerate(r.seating)
    )
    LeagueMatch.objects.bulk_create(
        LeagueMatch(league=league, round=r.round, number=r.table, match_id=r.match) for r in results
    )
    _give_heads([r.match for r in results])


def _give_heads(matches: Iterable[str]) -> None:
    EventStream.objects.bulk_create(
        EventStream(id=stream_of(match), length=1, head=sha256(match.encode()).digest()) for match in matches
    )


def end_matches(league: League, most: int | None = None) -> list[str]:
    """End up to `most` matches that no worker has begun, with made-up places and scores. Return the match ids."""
    waiting = league.tables.filter(match__status=Match.Status.WAITING).order_by("number")
    matches = list(waiting.values_list("match_id", flat=True)[:most])
    Match.objects.filter(pk__in=matches).update(status=Match.Status.CLOSED, closed_at=timezone.now())
    for seat in range(SEATS):
        seats = MatchSeat.objects.filter(match__in=matches, seat=seat)
        seats.update(place=seat + 1, score=POINTS - seat)
    _give_heads(matches)
    return matches
