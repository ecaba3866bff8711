"""From facts to tables: what the pages read, written in the transaction that appends the facts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from ftk_core.entries import Clock
from ftk_core.league.deals import table_seed, turned
from ftk_core.league.facts import (
    BotEntered,
    BotWithdrew,
    LeagueClosed,
    LeagueFact,
    LeagueOpened,
    ResultRecorded,
    RoundPaired,
)
from ftk_core.league.standings import standings
from ftk_core.league.state import League, fold, read
from ftk_core.log import lines_of
from replays.queries import CLOSED
from replays.services import order_match
from replays.store import StreamLog
from tournaments.models import Entry, Table, Tournament


def load(tournament: Tournament) -> tuple[StreamLog, League, list[LeagueFact]]:
    """Return a league's stream, its fold and its facts."""
    stream = StreamLog(tournament.stream_id)
    facts = [read(line) for line in lines_of(stream)]
    return stream, fold(facts), facts


def project(tournament: Tournament, league: League, facts: Iterable[LeagueFact]) -> None:
    """Bring the tables up to date with facts that were just appended; `league` is the fold behind them."""
    for fact in facts:
        match fact:
            case LeagueOpened():
                tournament.season, tournament.entries_until = fact.season, _moment(fact.entries_until)
            case BotEntered():
                Entry.objects.create(tournament=tournament, number=fact.entry, version_id=fact.version, name=fact.name)
            case BotWithdrew():
                tournament.entries.filter(number=fact.entry).update(withdrawn=True)
            case RoundPaired():
                tournament.round, tournament.status = fact.round, Tournament.Status.RUNNING
            case ResultRecorded():
                tournament.tables.filter(round=fact.round, number=fact.table, game=fact.game).update(recorded=True)
            case LeagueClosed():
                tournament.status = Tournament.Status.CLOSED
            case _:
                pass
    tournament.save()
    _project_standings(tournament, league)


def _moment(seconds: int) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if seconds else None


def _project_standings(tournament: Tournament, league: League) -> None:
    entries = {entry.number: entry for entry in tournament.entries.all()}
    for row in standings(league):
        entry = entries[row.entry]
        entry.place, entry.points, entry.tiebreaks = row.place, str(row.points), [str(value) for value in row.tiebreaks]
        entry.played, entry.byes = row.played, row.byes
    Entry.objects.bulk_update(entries.values(), ("place", "points", "tiebreaks", "played", "byes"))


def order_tables(tournament: Tournament, league: League, paired: RoundPaired) -> None:
    """Order the matches of a round: those of one table share their deal and turn the seats."""
    header = league.header
    versions = {e.number: e.version for e in tournament.entries.select_related("version")}
    clock = Clock(header.move_ms, header.bank_ms)
    for table in paired.tables:
        seed = table_seed(bytes(tournament.secret), paired.round, table)
        for game in range(header.games):
            seats = [versions[entry] for entry in turned(table, game)]
            match = order_match(header.game, seats, seed, clock, header.options, header.pace_ms)
            Table.objects.create(tournament=tournament, round=paired.round, number=table.number, game=game, match=match)


def result_of(table: Table) -> ResultRecorded:
    """Return the fact that a closed match makes in its league."""
    seats = list(table.match.seats.order_by("seat"))
    numbers = {e.version_id: e.number for e in table.tournament.entries.all()}
    return ResultRecorded(
        round=table.round,
        table=table.number,
        game=table.game,
        match=table.match_id,
        seating=tuple(numbers[seat.version_id] for seat in seats),
        places=tuple(seat.place or 0 for seat in seats),
        scores=tuple(seat.score or 0 for seat in seats),
    )


def unrecorded() -> list[str]:
    """Return the matches of leagues that are closed but whose result no league has recorded."""
    rows = Table.objects.filter(recorded=False, match__status=CLOSED)
    return list(rows.values_list("match_id", flat=True)[:200])
