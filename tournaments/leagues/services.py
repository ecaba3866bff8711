"""Commands on leagues: each appends events and updates the tables in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import groupby

import structlog
from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.utils import timezone
from django.utils.translation import gettext

from bots.models import BotVersion
from ftk_core.league.league_command_handlers import record, redraft, round_end_facts
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_facts import BotEntered, ResultRecorded
from ftk_core.league.league_state import CommandRejected, LeagueState
from ftk_core.league.league_state_from_events import fold_facts
from ftk_core.league.match_seating_and_random_seeds import rotate_seating
from ftk_core.league.statistics.round_seed_hash_chain import anchor_of, next_link
from ftk_core.random_streams import seal_of
from replays.event_stream_storage import EventAppender
from replays.queries import CLOSED, VOID
from tournaments.leagues import queries, void_match_resolution
from tournaments.leagues.entry_rules import make_entry
from tournaments.leagues.league_event_appending import act, append, append_results, lock_league, now
from tournaments.leagues.league_event_projection import HAS_BEGUN, STANDINGS_FACTS, load, project, read_facts
from tournaments.leagues.league_next_step import append_next, begin_drafted_round, pair_ahead, proceed_if
from tournaments.leagues.league_settings import LeagueSettings, make_opening_fact
from tournaments.leagues.recording_and_rating_retries import has_failed_results, record_singly
from tournaments.leagues.stage_seeding import read_ratings
from tournaments.models import League, LeagueMatch
from tournaments.models.organiser_roles import LeagueRole
from tournaments.translatable_message_json import encode_message

log = structlog.get_logger(__name__)


@transaction.atomic
def open_league(terms: LeagueSettings, organiser: User | None = None) -> League:
    """Announce a league and open it for entries; raises CommandRejected for invalid terms (settings)."""
    # `terms.by` gives nobody a role: in a shell it is a name of the system, with which anybody can sign up.
    league = League(slug=terms.slug, name=terms.name, game=terms.game)
    secret = bytes(league.secret)
    opening_fact = make_opening_fact(terms, timezone.now(), seal_of(secret), anchor_of(secret))
    league.name, league.rounds = opening_fact.name, max(1, opening_fact.rounds)
    _store_league(league)
    append(league, EventAppender(league.stream_id), LeagueState(), [opening_fact])
    if organiser:
        LeagueRole.objects.create(league=league, person=organiser, role=LeagueRole.Role.ORGANISER)
    return league


def _store_league(league: League) -> None:
    """Store a new league; raise CommandRejected if the database refuses it."""
    # The error never has the database's own message, which contains the league's secret.
    try:
        with transaction.atomic():
            league.save()
    except DatabaseError as error:
        if League.objects.filter(slug=league.slug).exists():
            message = gettext("there is a league %(league)r already; choose another slug")
            raise CommandRejected(message % {"league": league.slug}) from None
        constraint = getattr(getattr(error.__cause__, "diag", None), "constraint_name", None) or type(error).__name__
        message = gettext("the database refuses the league %(league)r: %(broken)s")
        raise CommandRejected(message % {"league": league.slug, "broken": constraint}) from None


@transaction.atomic
def enter_bot(league_id: int, version: BotVersion, by: str = "", *, newest: bool = False) -> BotEntered:
    """Enter a bot version in a league; raise CommandRejected if it may not enter.

    With `newest`, the entry switches to newer versions until its first match is paired.
    """
    league = lock_league(league_id)
    stream, state = load(league)
    fact = make_entry(league, state, version, newest=newest, by=by, at=now())
    append(league, stream, state, [fact])
    return fact


def start(league_id: int) -> None:
    """Pair a league's first round and create its matches. Raises CommandRejected if this is impossible."""
    if not proceed_if(lambda state: not state.rounds and state.draft is None, league_id):
        name = League.objects.get(pk=league_id).name
        raise CommandRejected(gettext("%(league)s has begun already") % {"league": name})
    pair_ahead(league_id)


def record_match(match_id: str) -> bool:
    """Record a finished match and all other finished matches of its league; return True if any was recorded.

    If the next step of the league is due, take it too.
    """
    ended_tables = LeagueMatch.objects.filter(
        HAS_BEGUN, match_id=match_id, match__status__in=(CLOSED, VOID), recorded=False
    )
    table_match = ended_tables.first()
    if table_match is None or not queries.has_known_rules(table_match.league_id):
        return False
    return _record_league(table_match.league_id)


def _record_league(league_id: int) -> bool:
    """Record results, settle void matches and take due steps of a league; return True if any match changed."""
    # The work repeats after each closed round, because the next round may have been paired and played early.
    has_recorded = False
    while True:
        after, settled = record_waiting(league_id), void_match_resolution.settle_void_matches(league_id)
        has_recorded = has_recorded or after is not None or settled > 0
        if settled or (after and after.due):
            take_next_step(league_id, lambda state: state.due)
        if after is None or after.recorded:
            return has_recorded
        pair_ahead(league_id)  # a round has ended
        if after.between:
            return has_recorded


def do_due_work(league_id: int, at: datetime) -> bool:
    """Record results, replace failed matches, and take the league's next step; return True if anything was done."""
    if not queries.has_known_rules(league_id):
        return take_next_step(league_id, lambda _: True)  # it is refused, and the league's page gives the reason
    try:
        has_worked = (
            record_singly(league_id, record_waiting) if has_failed_results(league_id) else _record_league(league_id)
        )
    except Exception as error:  # perhaps only one match fails: then record the other matches without it
        log.warning("results_recorded_singly", league=league_id, exc_info=error)
        has_worked = record_singly(league_id, record_waiting)
    # read again at each attempt, and under the lock, because an organiser may have moved the entry deadline
    must_begin = League.objects.filter(pk=league_id, status=League.Status.OPEN, entries_until__lte=at).exists
    if not take_next_step(league_id, lambda state: state.due or (not state.begun and must_begin())):
        return has_worked
    pair_ahead(league_id)
    return True


def take_next_step(league_id: int, due: Callable[[LeagueState], bool]) -> bool:
    """Take a league's next step if it is due; return True if it was taken."""
    # If the step is impossible, the reason is stored for the league's page.
    try:
        return proceed_if(due, league_id)
    except CommandRejected as error:
        waits = encode_message(error.args[0])
        League.objects.filter(pk=league_id).exclude(waits=waits).update(waits=waits)
        return False


def list_waiting_results(league: League, state: LeagueState) -> list[ResultRecorded]:
    """Return a result event for each finished match of the current round that is not recorded yet."""
    closed_tables = league.tables.filter(round=state.playing, recorded=False, match__status=CLOSED)
    seats = closed_tables.order_by("number", "game", "match__seats__seat").values_list(
        "number", "game", "match_id", "match__seats__place", "match__seats__score", "match__seats__excuses"
    )
    return [
        _make_result(state, number, game, match, [row[3:] for row in rows])
        for (number, game, match), rows in groupby(seats, lambda row: row[:3])
    ]


def _make_result(
    state: LeagueState, number: int, game: int, match: str, seats: Sequence[tuple[int | None, int | None, int]]
) -> ResultRecorded:
    places, scores, excuses = zip(*seats, strict=True)
    return ResultRecorded(
        round=state.playing,
        table=number,
        game=game,
        match=match,
        seating=rotate_seating(state.rounds[state.playing - 1].tables[number - 1].seating, game),
        places=tuple(place or 0 for place in places),
        scores=tuple(score or 0 for score in scores),
        excuses=excuses if any(excuses) else (),
    )


@transaction.atomic
def record_waiting(league_id: int, only_match: str = "") -> LeagueState | None:
    """Record the finished matches of a league, and sign and rate the round if it is complete.

    With `only_match`, record only the match with this id. Return the new state; None if nothing was recorded.
    """
    league = lock_league(league_id)
    stream, state = load(league)
    waiting = [result for result in list_waiting_results(league, state) if only_match in ("", result.match)]
    facts = record(state, *waiting) or (round_end_facts(state) if state.rounds else ())
    return append_results(league, stream, state, facts) if facts else None


@transaction.atomic
def rebuild(league_id: int) -> None:
    """Rebuild the database rows of a league from its event stream. The rows of matches and their logs are kept.

    Raises CommandRejected, and changes nothing, if the league has newer rules, by which the standings would differ.
    """
    league = lock_league(league_id)
    facts = read_facts(league)
    state = fold_facts(facts)
    state.check_rules()
    ends = [length for length, fact in enumerate(facts, 1) if isinstance(fact, STANDINGS_FACTS)]
    league.entrants.all().delete()
    league.round, league.status = 0, League.Status.OPEN
    league.tables.update(recorded=False)
    project(league, state, facts, fold_facts(facts[: max(ends, default=0)]))


def begin_round(league_id: int) -> None:
    """Begin a league's drafted (already paired) round; raise CommandRejected if that is not possible."""
    act(league_id, begin_drafted_round)


@transaction.atomic
def redraft_round(league_id: int, actor: LeagueActor) -> None:
    """Pair a round again at random. Raises CommandRejected if no paired round waits to begin."""
    league = lock_league(league_id)
    stream, state = load(league)
    link = next_link(bytes(league.secret), state)
    append_next(league, stream, state, redraft(state, link, actor, read_ratings(league, state)))
