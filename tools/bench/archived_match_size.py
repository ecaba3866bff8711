"""Measurement of the bytes that an archived match leaves in the database."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection
from django.utils import timezone

from bots.models import BotVersion
from ftk_core.games import build_of, game
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.log_entries import MatchOpened, choices_of, read
from ftk_core.players import RandomPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import play
from replays import result_totals_by_seat
from replays.match_archiving import archive_match, select_old
from replays.models import Match, MatchSeat
from replays.playing.match_leases import claim
from replays.playing.match_results import TimeAndMissedAnswersBySeat, close_match
from replays.playing.match_runner import _begin, holder_name
from tests.support.factories import CLOCK, AuthorFactory, create_active_version
from tournaments.ladders.ladder_row_pruning import prune_ladders
from tournaments.ladders.match_rating_order import MAX_KEPT_MATCHES
from tournaments.leagues import services
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import League

MEMORY_BYTES = 12_345_678
GAMES = 20
"""Number of matches that each table (group of bots) plays in a round. With many matches per table, the few bots soon
reach the maximum number of stored rows per bot."""
FEW_SEATS = 2
"""Number of seats up to which a league has two tables; a league with more seats has one table."""
SIZES = """
SELECT relation.relname, pg_table_size(relation.oid), pg_indexes_size(relation.oid)
FROM pg_class AS relation JOIN pg_namespace AS space ON space.oid = relation.relnamespace
WHERE relation.relkind = 'r' AND space.nspname = 'public'
"""


class RandomPlayerWithDiagnostics(RandomPlayer):
    """Random player that reports faults, memory and stderr as a bot in a sandbox does."""

    # A worker stores these reports with the match, so they belong to the measured bytes.

    def __init__(self, seed: bytes, name: str) -> None:
        super().__init__(seed, name)
        self.faults: list[tuple[int, str]] = []
        self.notes: list[tuple[int, str]] = []
        self.memory: int | None = MEMORY_BYTES
        self.stderr = ""


def play_match_in_process(match_id: str) -> None:
    """Play a match of random players in this process, and store it as a worker does."""
    lease = claim(match_id, holder_name())
    assert lease
    match = Match.objects.get(pk=match_id)
    seats = list(MatchSeat.objects.select_related("version__bot").filter(match=match).order_by("seat"))
    players = [RandomPlayerWithDiagnostics(seed_of(match_id, seat.seat), seat.version.label) for seat in seats]
    log, build = InMemoryLog(), build_of(match.game)
    result = play(game(match.game), players, bytes(match.seed), match=match_id, log=log, clock=CLOCK, build=build)
    lines = [line.rstrip(b"\n") + b"\n" for line in lines_of(log)]
    opened = read(lines[0])
    assert isinstance(opened, MatchOpened)
    _begin(match, opened)
    lease.stream.append(lines, 0)
    tally = TimeAndMissedAnswersBySeat(match, len(seats))
    tally.add(choices_of(lines))
    close_match(lease, seats, players, result, tally, set())


def play_league(slug: str, versions: Sequence[BotVersion], seats: int, rounds: int, games: int) -> League:
    """Play a league to its end with random players, and return it."""
    name = versions[0].bot.game
    numbers = {"seats": seats, "rounds": rounds, "games": games}
    league = services.open_league(
        LeagueSettings(slug=slug, name=slug, game=name, season="2026", clock=CLOCK, **numbers)
    )
    for version in versions:
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    league.refresh_from_db()
    while league.status != League.Status.CLOSED:
        waiting = list(league.tables.filter(match__status=Match.Status.WAITING).values_list("match_id", flat=True))
        assert waiting
        for match_id in waiting:
            play_match_in_process(match_id)
        services.record_match(waiting[0])
        league.refresh_from_db()
    return league


def archive_all() -> None:
    """Archive all finished matches now, instead of in later periodic tasks."""
    result_totals_by_seat.add_all()
    for match in select_old(timezone.now()):
        archive_match(match)
    while prune_ladders():
        pass


def measure_stored_bytes_by_table(name: str, seats: int, rounds: int) -> tuple[dict[str, tuple[float, float]], int]:
    """Play and archive a league. Return the bytes per match that stay in each table, and the number of matches.

    The bytes are a dict: table name -> (mean table bytes per match, mean index bytes per match).
    """
    # A first league fills the tables whose rows per bot are bounded, so that the measured league does not make them
    # grow.
    bots = seats if seats > FEW_SEATS else 2 * seats
    owners = [AuthorFactory.create(username=f"kept-{name}-{number}") for number in range(bots)]
    versions = [create_active_version("print()", slug=f"kept-{owner.pk}", game=name, owner=owner) for owner in owners]
    play_league(f"kept-{versions[0].pk}", versions, seats, MAX_KEPT_MATCHES // GAMES, GAMES)
    archive_all()
    before, played = measure_tables(), Match.objects.count()
    play_league(f"kept-{versions[-1].pk}", versions, seats, rounds, GAMES)
    archive_all()
    after, matches = measure_tables(), Match.objects.count() - played
    grown = {name: (now[0] - old[0], now[1] - old[1]) for name, now in after.items() for old in [before[name]]}
    return {name: (rows / matches, indexes / matches) for name, (rows, indexes) in grown.items()}, matches


def measure_tables() -> dict[str, tuple[int, int]]:
    """Return (table bytes, index bytes) of each database table, after removing free space."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM FULL")
        cursor.execute(SIZES)
        return {name: (table, indexes) for name, table, indexes in cursor.fetchall()}
