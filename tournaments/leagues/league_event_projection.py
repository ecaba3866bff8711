"""Projection of a league's events into database tables."""
# The tables are updated in the transaction that appends the events to the stream.

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec
from django.db import connection
from django.db.models import Exists, F, OuterRef, Q
from django.utils.crypto import salted_hmac

from ftk_core.hash_chained_log import lines_of
from ftk_core.league.intervention_facts import (
    BotDisqualified,
    BotWithdrew,
    EntrantBotVersionUpdated,
    LeagueCancelled,
    LeagueCorrected,
    LeagueEndedEarly,
    LeagueExtended,
    LeaguePaused,
    LeagueResumed,
    MatchReplaced,
    MatchVoided,
    ReplaysReleased,
    ResultOverruled,
    StageEndedEarly,
    WithdrawnBotReturned,
)
from ftk_core.league.league_command_handlers import planned_rounds
from ftk_core.league.league_facts import (
    BotEntered,
    LeagueClosed,
    LeagueFact,
    LeagueOpened,
    ResultRecorded,
    RoundClosed,
    RoundDrafted,
    RoundPaired,
    StageBegun,
    StageEnded,
)
from ftk_core.league.league_state import LeagueState
from ftk_core.league.league_state_from_events import decode_fact
from ftk_core.league.match_seating_and_random_seeds import is_deal_shared
from ftk_core.league.standings import standings
from replays.event_stream_storage import EventAppender
from replays.queries import CLOSED
from replays.services import release_matches
from tournaments.event_stream_state_cache import fold_stream
from tournaments.leagues.prediction_points import settle_predictions
from tournaments.models import Entrant, League, LeagueMatch

STANDINGS_FACTS = RoundClosed, StageBegun, StageEnded, LeagueClosed, ResultOverruled, MatchVoided, BotDisqualified
"""Types of facts (events) after which the standings are computed again."""
RELEASE_FACTS = RoundClosed, LeagueClosed, ReplaysReleased
"""Types of facts after which the replays of a whole round can become public."""
SETTLEMENTS = ResultRecorded, MatchVoided
"""Types of facts that settle a match. The replays of a table can become public once all its matches are settled."""
CORRECTED_FACTS = RoundClosed, ResultOverruled, MatchVoided
"""Types of facts after which the points for the predictions of a closed round are computed."""
IS_SETTLED = Q(match__status=CLOSED) | Q(recorded=True)
"""Query condition on `LeagueMatch`: the match was played to its end or its result is recorded, so it is settled."""
HAS_BEGUN = Q(round__lte=F("league__round"))
"""Query condition on `LeagueMatch`: the round of the match has begun. A round can be paired before it begins."""
MILESTONE_FACTS = (
    *(LeagueOpened, StageBegun, RoundPaired),
    *(LeagueExtended, StageEndedEarly, LeagueEndedEarly, LeagueCancelled),
)
"""Types of facts that can change the expected number of rounds of a league."""


def load(league: League) -> tuple[EventAppender, LeagueState]:
    """Return the event stream of a league, and the league's state computed from all events."""
    stream = EventAppender(league.stream_id)
    return stream, fold_stream(stream)


def compute_etag(league: League) -> str:
    """Return the HTTP ETag of a league, with quotes. It depends on the event stream and `League.waits`."""
    # No event contains `League.waits`. Without a key in the hash, readers could find out hidden results by trial.
    head = EventAppender(league.stream_id).head + league.waits.encode()
    return f'"{salted_hmac("league etag", head, algorithm="sha256").hexdigest()[:32]}"'


def read_facts(league: League) -> list[LeagueFact]:
    """Return all events in the stream of a league."""
    return [decode_fact(line) for line in lines_of(EventAppender(league.stream_id))]


def project(league: League, state: LeagueState, facts: Sequence[LeagueFact], ended: LeagueState | None = None) -> None:
    """Update the database tables of a league after new events.

    `state` is the league's state after these events. Standings are computed from `ended`, by default from `state`.
    """
    # A rebuild passes as `ended` the state when the standings were last stored: later results do not change them.
    _project_entries_and_results(league, facts)
    for fact in facts:
        _project_league(league, fact)
        _project_act(league, fact)
    if any(isinstance(fact, MILESTONE_FACTS) for fact in facts):
        league.rounds = max(1, len(state.rounds), planned_rounds(state))
    if any(not isinstance(fact, ResultRecorded) for fact in facts):
        league.round = state.playing
        league.save()
    if any(isinstance(fact, STANDINGS_FACTS) for fact in facts):
        _project_standings(league, ended or state)
    _project_release(league, state, facts)
    settled = {fact.round for fact in facts if isinstance(fact, CORRECTED_FACTS) and fact.round <= state.closed_rounds}
    if settled:
        settle_predictions(league, state, settled)


def _project_release(league: League, state: LeagueState, facts: Sequence[LeagueFact]) -> None:
    """Publish the replays that become public through these events, such as the end of a round."""
    # The league's settings say when replays become public. Replays of matches with a shared random setup also wait
    # until all these matches are over or decided without play.
    settled = {fact.round for fact in facts if isinstance(fact, SETTLEMENTS)}
    rounds = {number for number in settled if is_deal_shared(state.terms_of(number))}
    if any(isinstance(fact, RELEASE_FACTS) for fact in facts) and (state.header.release != "at_once" or state.closed):
        rounds.update(range(1, len(state.rounds) + 1))
    released = [number for number in sorted(rounds) if state.is_released(number)]
    if not released:
        return
    unsettled = LeagueMatch.objects.filter(
        ~IS_SETTLED, league=league, round=OuterRef("round"), number=OuterRef("number")
    )
    rows = league.tables.filter(round__in=released, match__released=False)
    unshared = [number for number in released if not is_deal_shared(state.terms_of(number))]
    release_matches(rows.filter(Q(round__in=unshared) | ~Exists(unsettled)).values_list("match_id", flat=True))
    _release_replaced(league, state, released)


def _release_replaced(league: League, state: LeagueState, rounds: Sequence[int]) -> None:
    """Publish the replays of replaced matches. They wait until all matches at their table are settled."""
    replaced = [fact for fact in state.noted if isinstance(fact, MatchReplaced) and fact.round in rounds]
    if replaced:
        unsettled = set(league.tables.filter(~IS_SETTLED, round__in=rounds).values_list("round", "number"))
        release_matches([fact.old for fact in replaced if (fact.round, fact.table) not in unsettled])


def _project_league(league: League, fact: LeagueFact) -> None:
    """Apply an event to the fields of the league, without saving the league."""
    match fact:
        case LeagueOpened():
            league.name, league.season, league.cancelled = fact.name, fact.season, ""
            league.entries_until = read_time(fact.entries_until)
        case LeagueCorrected():
            league.name = league.name if fact.name is None else fact.name
            if fact.entries_until is not None:
                league.entries_until = read_time(fact.entries_until)
        case RoundDrafted() | RoundPaired():
            league.status, league.waits = League.Status.RUNNING, ""
        case LeaguePaused() | LeagueResumed():
            league.paused = isinstance(fact, LeaguePaused)
        case LeagueCancelled():
            league.cancelled = fact.why
        case LeagueClosed():
            league.status, league.waits = League.Status.CLOSED, ""
        case _:
            pass


def _project_act(league: League, fact: LeagueFact) -> None:
    """Apply an event about one entry or match, such as a withdrawal, to its database row."""
    match fact:
        case BotWithdrew() | BotDisqualified() | WithdrawnBotReturned():
            league.entrants.filter(number=fact.entry).update(withdrawn=not isinstance(fact, WithdrawnBotReturned))
        case EntrantBotVersionUpdated():
            league.entrants.filter(number=fact.entry).update(version=fact.version, name=fact.name)
        case MatchVoided():
            league.tables.filter(match_id=fact.match).update(recorded=True)
        case _:
            pass


def _project_entries_and_results(league: League, facts: Sequence[LeagueFact]) -> None:
    """Store new entries and results with one SQL statement for each table, because there can be hundreds."""
    entries = (fact for fact in facts if isinstance(fact, BotEntered))
    Entrant.objects.bulk_create(
        Entrant(league=league, number=fact.entry, version_id=fact.version, name=fact.name) for fact in entries
    )
    if replacements := [fact.new for fact in facts if isinstance(fact, MatchReplaced)]:
        league.tables.filter(match__in=replacements).update(recorded=False)  # the result of a match comes after it
    ended_matches = [fact.match for fact in facts if isinstance(fact, ResultRecorded)]
    if ended_matches:
        league.tables.filter(match__in=ended_matches).update(recorded=True)


def read_time(seconds: int) -> datetime | None:
    """Convert the time of an event, in seconds since 1970, to a datetime; None for 0 (unknown)."""
    return datetime.fromtimestamp(seconds, UTC) if seconds else None


STANDINGS_SQL = """
UPDATE tournaments_entrant AS entrant
SET place = new.place, points = new.points, tiebreaks = new.tiebreaks, played = new.played, byes = new.byes
FROM jsonb_to_recordset(%s::jsonb) AS new(number int, place int, points text, tiebreaks text[], played int, byes int)
WHERE entrant.league_id = %s AND entrant.number = new.number
AND (entrant.place, entrant.points, entrant.tiebreaks, entrant.played, entrant.byes)
    IS DISTINCT FROM (new.place, new.points, new.tiebreaks, new.played, new.byes)
"""


def _project_standings(league: League, state: LeagueState) -> None:
    """Compute the standings and update the rows of entries whose standing has changed, with one SQL statement."""
    standing_rows = [
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
        cursor.execute(STANDINGS_SQL, [msgspec.json.encode(standing_rows).decode(), league.pk])
