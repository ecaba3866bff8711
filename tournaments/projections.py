"""Projection of facts into tables, in the transaction that appends the facts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from itertools import groupby

import msgspec
from django.db import connection
from django.db.models import Exists, F, OuterRef, Q

from ftk_core.entries import Clock
from ftk_core.league.acts import (
    BotDisqualified,
    BotReturned,
    BotWithdrew,
    LeagueEnded,
    LeagueExtended,
    LeaguePaused,
    LeagueResumed,
    MatchReplaced,
    MatchVoided,
    ReplaysReleased,
    ResultOverruled,
    StageCut,
    VersionRenewed,
)
from ftk_core.league.commands import planned
from ftk_core.league.deals import is_public, is_shared, table_seed, turned
from ftk_core.league.facts import (
    BotEntered,
    LeagueClosed,
    LeagueFact,
    LeagueOpened,
    ResultRecorded,
    RoundClosed,
    RoundDrafted,
    RoundPaired,
    StageBegun,
)
from ftk_core.league.folding import read
from ftk_core.league.standings import standings
from ftk_core.league.state import LeagueState
from ftk_core.log import lines_of
from replays.queries import CLOSED
from replays.services import Order, order_matches, release_matches
from replays.store import StreamLog
from tournaments.folds import folded
from tournaments.models import Entrant, League, TableMatch

ENDS = RoundClosed, StageBegun, ResultOverruled, MatchVoided, BotDisqualified
"""Facts after which the standings change."""
OPENING = RoundClosed, LeagueClosed, ReplaysReleased
"""Facts after which more replays may be released."""
SETTLING = ResultRecorded, MatchVoided
"""Facts after which all matches of a table may have ended."""
SETTLED = Q(match__status=CLOSED) | Q(recorded=True)
"""Matches that have ended for good: none of them can be repeated on the same deal."""
CALLED = Q(round__lte=F("league__round"))
"""Matches whose round has come. Results of a round paired ahead wait for its turn."""
MILESTONES = LeagueOpened, StageBegun, RoundPaired, LeagueExtended, StageCut, LeagueEnded
"""Facts after which the number of rounds may be known more precisely."""


def load(league: League) -> tuple[StreamLog, LeagueState]:
    """Return a league's stream and its state."""
    stream = StreamLog(league.stream_id)
    return stream, folded(stream)


def etag_of(league: League) -> str:
    """Return a quoted ETag of a league's state, which changes with each of its events."""
    return f'"{sha256(StreamLog(league.stream_id).head + league.waits.encode()).hexdigest()[:32]}"'


def read_facts(league: League) -> list[LeagueFact]:
    """Return all facts of a league."""
    return [read(line) for line in lines_of(StreamLog(league.stream_id))]


def project(league: League, state: LeagueState, facts: Sequence[LeagueFact], ended: LeagueState | None = None) -> None:
    """Update the tables with new facts; `state` is the league after them.

    The standings are those of `ended`, if they are not to be those of `state`.
    """
    _project_many(league, facts)
    for fact in facts:
        _project_row(league, fact)
        _project_act(league, fact)
    if any(isinstance(fact, MILESTONES) for fact in facts):
        league.rounds = max(1, len(state.rounds), planned(state))
    if any(not isinstance(fact, ResultRecorded) for fact in facts):
        league.round = state.playing
        league.save()
    if any(isinstance(fact, ENDS) for fact in facts):
        _project_standings(league, ended or state)
    _project_release(league, state, facts)


def _project_release(league: League, state: LeagueState, facts: Sequence[LeagueFact]) -> None:
    """Release the matches due after new facts: of whole rounds, and of tables whose last match has ended."""
    rounds = {fact.round for fact in facts if isinstance(fact, SETTLING) and is_shared(state.terms_of(fact.round))}
    if any(isinstance(fact, OPENING) for fact in facts) and (state.header.release != "at_once" or state.closed):
        rounds.update(range(1, len(state.rounds) + 1))
    released = [number for number in sorted(rounds) if state.is_released(number)]
    if not released:
        return
    going = TableMatch.objects.filter(~SETTLED, league=league, round=OuterRef("round"), number=OuterRef("number"))
    rows = league.tables.filter(round__in=released, match__released=False)
    alone = [number for number in released if not is_shared(state.terms_of(number))]
    release_matches(rows.filter(Q(round__in=alone) | ~Exists(going)).values_list("match_id", flat=True))
    _release_replaced(league, state, released)


def _release_replaced(league: League, state: LeagueState, rounds: Sequence[int]) -> None:
    """Release the replaced matches of tables where every match has ended for good."""
    replaced = [fact for fact in state.noted if isinstance(fact, MatchReplaced) and fact.round in rounds]
    if replaced:
        going = set(league.tables.filter(~SETTLED, round__in=rounds).values_list("round", "number"))
        release_matches([fact.old for fact in replaced if (fact.round, fact.table) not in going])


def _project_row(league: League, fact: LeagueFact) -> None:
    """Apply a fact to the league's own row; the caller saves it."""
    match fact:
        case LeagueOpened():
            league.season, league.entries_until = fact.season, _moment(fact.entries_until)
        case RoundDrafted() | RoundPaired():
            league.status, league.waits = League.Status.RUNNING, ""
        case LeaguePaused() | LeagueResumed():
            league.paused = isinstance(fact, LeaguePaused)
        case LeagueClosed():
            league.status, league.waits = League.Status.CLOSED, ""
        case _:
            pass


def _project_act(league: League, fact: LeagueFact) -> None:
    """Apply an act to the rows of entries and matches."""
    match fact:
        case BotWithdrew() | BotDisqualified() | BotReturned():
            league.entrants.filter(number=fact.entry).update(withdrawn=not isinstance(fact, BotReturned))
        case VersionRenewed():
            league.entrants.filter(number=fact.entry).update(version=fact.version, name=fact.name)
        case MatchVoided():
            league.tables.filter(match_id=fact.match).update(recorded=True)
        case MatchReplaced():
            league.tables.filter(match_id=fact.new).update(recorded=False)
        case _:
            pass


def _project_many(league: League, facts: Sequence[LeagueFact]) -> None:
    """Store entries and results, which come in hundreds, in a statement each."""
    entered = (fact for fact in facts if isinstance(fact, BotEntered))
    Entrant.objects.bulk_create(
        Entrant(league=league, number=fact.entry, version_id=fact.version, name=fact.name) for fact in entered
    )
    ended = [fact.match for fact in facts if isinstance(fact, ResultRecorded)]
    if ended:
        league.tables.filter(match__in=ended).update(recorded=True)


def _moment(seconds: int) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if seconds else None


STANDINGS = """
UPDATE tournaments_entrant AS entrant
SET place = new.place, points = new.points, tiebreaks = new.tiebreaks, played = new.played, byes = new.byes
FROM jsonb_to_recordset(%s::jsonb) AS new(number int, place int, points text, tiebreaks text[], played int, byes int)
WHERE entrant.league_id = %s AND entrant.number = new.number
AND (entrant.place, entrant.points, entrant.tiebreaks, entrant.played, entrant.byes)
    IS DISTINCT FROM (new.place, new.points, new.tiebreaks, new.played, new.byes)
"""


def _project_standings(league: League, state: LeagueState) -> None:
    """Store the changed standings at the end of a round, in one statement."""
    rows = [
        {
            "number": row.entry,
            "place": row.place,
            "points": str(row.points),
            "tiebreaks": [str(value) for value in row.tiebreaks],
            "played": row.played,
            "byes": row.byes,
        }
        for row in standings(state)
    ]
    with connection.cursor() as cursor:
        cursor.execute(STANDINGS, [msgspec.json.encode(rows).decode(), league.pk])


def order_tables(league: League, state: LeagueState, paired: RoundPaired) -> None:
    """Order the matches of a round: those of one table share their deal and rotate the seats."""
    header = state.header
    stage = state.terms_of(paired.round)
    versions = {e.number: e.version for e in league.entrants.select_related("version__bot")}
    clock = Clock(header.move_ms, header.bank_ms)
    plans = [(table, game) for table in paired.tables for game in range(stage.games)]
    matches = order_matches(
        Order(
            game=header.game,
            versions=[versions[entry] for entry in turned(table, game)],
            seed=table_seed(bytes(league.secret), paired.round, table, stage, game=game),
            clock=clock,
            options=header.options,
            pace_ms=header.pace_ms,
            released=is_public(state, paired.round),
        )
        for table, game in plans
    )
    TableMatch.objects.bulk_create(
        TableMatch(league=league, round=paired.round, number=table.number, game=game, match=match)
        for (table, game), match in zip(plans, matches, strict=True)
    )


def waiting_results(league: League, state: LeagueState) -> list[ResultRecorded]:
    """Return the facts of closed but unrecorded matches in the current round, in table order."""
    here = league.tables.filter(round=state.playing, recorded=False, match__status=CLOSED)
    seats = here.order_by("number", "game", "match__seats__seat").values_list(
        "number", "game", "match_id", "match__seats__place", "match__seats__score", "match__seats__excuses"
    )
    return [
        _result(state, number, game, match, [row[3:] for row in rows])
        for (number, game, match), rows in groupby(seats, lambda row: row[:3])
    ]


def _result(
    state: LeagueState, number: int, game: int, match: str, seats: Sequence[tuple[int | None, int | None, int]]
) -> ResultRecorded:
    places, scores, excuses = zip(*seats, strict=True)
    return ResultRecorded(
        round=state.playing,
        table=number,
        game=game,
        match=match,
        seating=turned(state.rounds[state.playing - 1].tables[number - 1], game),
        places=tuple(place or 0 for place in places),
        scores=tuple(score or 0 for score in scores),
        excuses=excuses if any(excuses) else (),
    )
