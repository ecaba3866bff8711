"""Leagues whose matches are played in this process and archived, and the bytes that a match leaves in the database."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection
from django.utils import timezone

from bots.models import BotVersion
from ftk_core.entries import Opened, choices_of, read
from ftk_core.games import build_of, game
from ftk_core.log import MemoryLog, lines_of
from ftk_core.players import RandomPlayer
from ftk_core.referee import play
from ftk_core.rng import seed_of
from replays import sums
from replays.archiving import archive_match, select_old
from replays.models import Match, MatchSeat
from replays.playing.leases import claim
from replays.playing.results import Tally, close
from replays.playing.runner import _begin, holder_name
from tests.support.factories import CLOCK, AuthorFactory, active_version
from tournaments import services
from tournaments.ladder_order import KEPT
from tournaments.ladder_pruning import prune_ladders
from tournaments.models import League
from tournaments.terms import Terms

MEMORY_BYTES = 12_345_678
GAMES = 20
"""Matches of each table: a round is as large as one of many bots, and few bots soon have all rows that are bounded."""
FEW_SEATS = 2
"""With more of them one table is enough."""
SIZES = """
SELECT relation.relname, pg_table_size(relation.oid), pg_indexes_size(relation.oid)
FROM pg_class AS relation JOIN pg_namespace AS space ON space.oid = relation.relnamespace
WHERE relation.relkind = 'r' AND space.nspname = 'public'
"""


class PlayerHere(RandomPlayer):
    """A random player with what a worker records of a bot."""

    def __init__(self, seed: bytes, name: str) -> None:
        super().__init__(seed, name)
        self.faults: list[tuple[int, str]] = []
        self.notes: list[tuple[int, str]] = []
        self.memory: int | None = MEMORY_BYTES
        self.stderr = ""


def play_here(match_id: str) -> None:
    """Play a match as a worker does, but for its bots."""
    lease = claim(match_id, holder_name())
    assert lease
    match = Match.objects.get(pk=match_id)
    seats = list(MatchSeat.objects.select_related("version__bot").filter(match=match).order_by("seat"))
    players = [PlayerHere(seed_of(match_id, seat.seat), seat.version.label) for seat in seats]
    log, build = MemoryLog(), build_of(match.game)
    result = play(game(match.game), players, bytes(match.seed), match=match_id, log=log, clock=CLOCK, build=build)
    lines = [line.rstrip(b"\n") + b"\n" for line in lines_of(log)]
    opened = read(lines[0])
    assert isinstance(opened, Opened)
    _begin(match, opened)
    lease.stream.append(lines, 0)
    tally = Tally(match, len(seats))
    tally.add(choices_of(lines))
    close(lease, seats, players, result, tally, set())


def play_league(slug: str, versions: Sequence[BotVersion], seats: int, rounds: int, games: int) -> League:
    """Play a league to its end; its results are recorded a round at a time."""
    name = versions[0].bot.game
    numbers = {"seats": seats, "rounds": rounds, "games": games}
    league = services.open_league(Terms(slug=slug, name=slug, game=name, season="2026", clock=CLOCK, **numbers))
    for version in versions:
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    league.refresh_from_db()
    while league.status != League.Status.CLOSED:
        waiting = list(league.tables.filter(match__status=Match.Status.WAITING).values_list("match_id", flat=True))
        assert waiting
        for match_id in waiting:
            play_here(match_id)
        services.record_match(waiting[0])
        league.refresh_from_db()
    return league


def archive_all() -> None:
    """Put every match into the archive, and bring what depends on it up to date."""
    sums.add_all()
    for match in select_old(timezone.now()):
        archive_match(match)
    while prune_ladders():
        pass


def measure_kept(name: str, seats: int, rounds: int) -> tuple[dict[str, tuple[float, float]], int]:
    """Return the bytes a match that stay in each table and in its indexes, and how many matches they are taken from.

    A first league fills what is bounded: the last matches of each bot on a ladder, who met whom.
    """
    bots = seats if seats > FEW_SEATS else 2 * seats
    owners = [AuthorFactory.create(username=f"kept-{name}-{number}") for number in range(bots)]
    versions = [active_version("print()", slug=f"kept-{owner.pk}", game=name, owner=owner) for owner in owners]
    play_league(f"kept-{versions[0].pk}", versions, seats, KEPT // GAMES, GAMES)
    archive_all()
    before, played = measure_tables(), Match.objects.count()
    play_league(f"kept-{versions[-1].pk}", versions, seats, rounds, GAMES)
    archive_all()
    after, matches = measure_tables(), Match.objects.count() - played
    grown = {name: (now[0] - old[0], now[1] - old[1]) for name, now in after.items() for old in [before[name]]}
    return {name: (rows / matches, indexes / matches) for name, (rows, indexes) in grown.items()}, matches


def measure_tables() -> dict[str, tuple[int, int]]:
    """Return the bytes of each table and of its indexes, without the room that is free in them."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM FULL")
        cursor.execute(SIZES)
        return {name: (table, indexes) for name, table, indexes in cursor.fetchall()}
