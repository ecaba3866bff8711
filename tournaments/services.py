"""What can be done with leagues; every command appends facts and projects them in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import structlog
from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.utils import timezone
from django.utils.translation import gettext

from bots.models import BotVersion
from ftk_core.league.acts import Act, MatchVoided, ResultOverruled
from ftk_core.league.commands import closing, record, redraft
from ftk_core.league.facts import BotEntered, ResultRecorded, RoundPaired
from ftk_core.league.folding import fold
from ftk_core.league.luck import anchor, next_link
from ftk_core.league.organising import Hand, begin
from ftk_core.league.state import LeagueState, NotNow, standing
from ftk_core.rng import seal_of
from replays.queries import CLOSED, VOID
from replays.store import StreamLog
from tournaments import ladder, voids
from tournaments.entering import entry_of
from tournaments.export import archive
from tournaments.models import League, TableMatch
from tournaments.projections import CALLED, ENDS, load, project, read_facts, waiting_results
from tournaments.retries import has_failed_results, record_singly
from tournaments.roles import LeagueRole
from tournaments.rounds import (
    append,
    append_next,
    append_results,
    is_rating_failed,
    locked,
    now,
    pair_ahead,
    proceed_if,
    sign,
)
from tournaments.terms import Terms, opening

log = structlog.get_logger(__name__)


@transaction.atomic
def open_league(terms: Terms) -> League:
    """Announce a league; raises NotNow for terms that cannot be."""
    league = League(slug=terms.slug, name=terms.name, game=terms.game)
    secret = bytes(league.secret)
    opened = opening(terms, timezone.now(), seal_of(secret), anchor(secret))
    league.rounds = max(1, opened.rounds)
    _keep(league)
    append(league, StreamLog(league.stream_id), LeagueState(), [opened])
    if organiser := User.objects.filter(username=terms.by).first():  # a shell's user need not have an account
        LeagueRole.objects.create(league=league, person=organiser, role=LeagueRole.Role.ORGANISER)
    return league


def _keep(league: League) -> None:
    """Store a new league; raises NotNow without the database's own words, which show the row and so the secret."""
    try:
        with transaction.atomic():
            league.save()
    except DatabaseError as error:
        if League.objects.filter(slug=league.slug).exists():
            raise NotNow(
                gettext("there is a league %(league)r already; choose another slug") % {"league": league.slug}
            ) from None
        broken = getattr(getattr(error.__cause__, "diag", None), "constraint_name", None) or type(error).__name__
        raise NotNow(
            gettext("the database refuses the league %(league)r: %(broken)s")
            % {"league": league.slug, "broken": broken}
        ) from None


@transaction.atomic
def enter_bot(league_id: int, version: BotVersion, by: str = "", *, newest: bool = False) -> BotEntered:
    """Enter a version, perhaps until a newer one is active; raises NotNow where it or its author may not."""
    league = locked(league_id)
    stream, state = load(league)
    fact = entry_of(league, state, version, newest=newest, by=by, at=now())
    append(league, stream, state, [fact])
    return fact


def start(league_id: int) -> None:
    """Pair the first round and order its matches; raises NotNow if that was done or too few have entered."""
    if not proceed_if(lambda state: not state.rounds and state.draft is None, league_id):
        raise NotNow(gettext("%(league)s has begun already") % {"league": League.objects.get(pk=league_id).name})
    pair_ahead(league_id)


@transaction.atomic
def act(league_id: int, deed: Callable[[LeagueState], Act | BotEntered | RoundPaired]) -> None:
    """Do to a league what `ftk_core.league.organising` offers, or enter a bot.

    Raises NotNow, with nothing done, when it cannot be.
    """
    league = locked(league_id)
    stream, state = load(league)
    fact = deed(state)
    after = append(league, stream, state, [fact])
    if isinstance(fact, ResultOverruled | MatchVoided):
        _correct(league, stream, after, fact)


def _correct(league: League, stream: StreamLog, state: LeagueState, fact: ResultOverruled | MatchVoided) -> None:
    """Let the ladders follow a match that counts otherwise now, or its round end if it waits for nothing else."""
    if fact.round <= state.closed_rounds:
        past = state.history[fact.round, fact.table, fact.game]
        if not any(isinstance(said, ResultRecorded) and said.ruled for said in past):  # what nobody played is not rated
            result = standing(past)
            if not is_rating_failed(league, fact.round):  # it is rated by its result as it is then
                ladder.correct(fact.match, result.places if result else None, fact.why)
    elif facts := closing(state):
        append_results(league, stream, state, facts)


def record_match(match_id: str) -> bool:
    """Record a match that ended in its league, once, and whatever else of it waits; a round that is closed is followed.

    Returns whether anything was appended; a match outside leagues, not over or known already is nothing.
    """
    over = TableMatch.objects.filter(CALLED, match_id=match_id, match__status__in=(CLOSED, VOID), recorded=False)
    table = over.first()
    return table is not None and _record(table.league_id)


def _record(league_id: int) -> bool:
    """Record what waits, and go on, as long as that lets more be recorded: a round that was paired ahead may be over.

    Returns whether anything was.
    """
    done = False
    while True:
        after, settled = record_waiting(league_id), voids.settle(league_id)
        done = done or after is not None or settled > 0
        if settled or (after and after.due):
            take_next_step(league_id, lambda state: state.due)
        if after is None or after.recorded:
            return done
        pair_ahead(league_id)  # a round has ended
        if after.between:
            return done


def tend(league_id: int, at: datetime) -> bool:
    """Do whatever is due in a league by then: record, rule, begin, pair, end it; returns whether anything was."""
    try:
        done = record_singly(league_id, record_waiting) if has_failed_results(league_id) else _record(league_id)
    except Exception as error:  # perhaps of one match: the others are recorded without it
        log.warning("results_recorded_singly", league=league_id, exc_info=error)
        done = record_singly(league_id, record_waiting)
    begins = League.objects.filter(pk=league_id, status=League.Status.OPEN, entries_until__lte=at).exists()
    return take_next_step(league_id, lambda state: state.due or (begins and not state.begun)) or done


def take_next_step(league_id: int, due: Callable[[LeagueState], bool]) -> bool:
    """Do what comes next in a league if that is due; where it cannot be, as things are, its page is told why."""
    try:
        return proceed_if(due, league_id)
    except NotNow as error:
        League.objects.filter(pk=league_id).exclude(waits=str(error)[:200]).update(waits=str(error)[:200])
        return False


@transaction.atomic
def record_waiting(league_id: int, only: str = "") -> LeagueState | None:
    """Record the closed matches of a league that wait for it, together; a round that closes is signed and rated.

    With `only`, that match alone. Returns the league behind them, whose next round may be due, or None if there was
    nothing to record.
    """
    league = locked(league_id)
    stream, state = load(league)
    waiting = [result for result in waiting_results(league, state) if only in ("", result.match)]
    facts = record(state, *waiting)
    return append_results(league, stream, state, facts) if facts else None


@transaction.atomic
def sign_roots(league_id: int) -> None:
    """Sign whatever of a league is closed and not signed yet: what was closed before there were signatures."""
    league = locked(league_id)
    stream, state = load(league)
    sign(league, stream, state)


def export_league(slug: str, target: Path) -> int:
    """Write a finished league's export, signing first what is not signed yet; returns its size in bytes.

    Raises League.DoesNotExist, NotNow for a league that is not over, or OSError. The file appears when it is whole.
    """
    if target.exists() and not target.is_file():
        raise NotNow(
            gettext("%(target)s is no file that an export could take the place of; name another") % {"target": target}
        )
    sign_roots(League.objects.get(slug=slug).pk)
    pieces, draft = archive(slug), target.with_name(f".{target.name}.part")
    with draft.open("wb") as out:
        size = sum(out.write(piece) for piece in pieces)
    draft.replace(target)
    return size


@transaction.atomic
def rebuild(league_id: int) -> None:
    """Make a league's tables again from its stream (its matches and their results are facts of their own)."""
    league = locked(league_id)
    facts = read_facts(league)
    ends = [length for length, fact in enumerate(facts, 1) if isinstance(fact, ENDS)]
    league.entrants.all().delete()
    league.round, league.status = 0, League.Status.OPEN
    league.tables.update(recorded=False)
    project(league, fold(facts), facts, fold(facts[: max(ends, default=0)]))


def begin_round(league_id: int) -> None:
    """Begin the round that is drafted; raises NotNow when none is, or somebody of it is gone."""
    act(league_id, lambda state: begin(state, now()))


@transaction.atomic
def redraft_round(league_id: int, hand: Hand) -> None:
    """Draft the round that waits anew, with luck that follows from the number of the draft; raises NotNow."""
    league = locked(league_id)
    stream, state = load(league)
    append_next(league, stream, state, redraft(state, next_link(bytes(league.secret), state), hand))
