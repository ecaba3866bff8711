"""Commands on leagues; each appends facts and projects them in one transaction."""

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
    """Announce a league; raises NotNow for invalid terms."""
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
    """Store a new league; raises NotNow without the database's message, which contains the row and its secret."""
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
    """Enter a version, optionally until a newer one is active; raises NotNow if it or its author may not."""
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
    """Execute an act of `ftk_core.league.organising`, or enter a bot.

    Raises NotNow, without any effect, if it is impossible.
    """
    league = locked(league_id)
    stream, state = load(league)
    fact = deed(state)
    after = append(league, stream, state, [fact])
    if isinstance(fact, ResultOverruled | MatchVoided):
        _correct(league, stream, after, fact)


def _correct(league: League, stream: StreamLog, state: LeagueState, fact: ResultOverruled | MatchVoided) -> None:
    """Update the ladders after a correction, or close the round if it waits for nothing else."""
    if fact.round <= state.closed_rounds:
        past = state.history[fact.round, fact.table, fact.game]
        if not any(isinstance(said, ResultRecorded) and said.ruled for said in past):  # unplayed matches are not rated
            result = standing(past)
            if not is_rating_failed(league, fact.round):  # otherwise its later rating uses the corrected result
                ladder.correct(fact.match, result.places if result else None, fact.why)
    elif facts := closing(state):
        append_results(league, stream, state, facts)


def record_match(match_id: str) -> bool:
    """Record an ended match in its league, once, with the league's other waiting matches, and take the next step.

    Returns True if anything was appended; matches outside leagues, not over or recorded already are ignored.
    """
    over = TableMatch.objects.filter(CALLED, match_id=match_id, match__status__in=(CLOSED, VOID), recorded=False)
    table = over.first()
    return table is not None and _record(table.league_id)


def _record(league_id: int) -> bool:
    """Record waiting matches until none is left; the end of a round may let a round paired ahead end too.

    Returns True if anything was recorded.
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
    """Do the due work of a league: record, rule, begin, pair, end; return True if there was any."""
    try:
        done = record_singly(league_id, record_waiting) if has_failed_results(league_id) else _record(league_id)
    except Exception as error:  # perhaps due to one match: the others are recorded without it
        log.warning("results_recorded_singly", league=league_id, exc_info=error)
        done = record_singly(league_id, record_waiting)
    begins = League.objects.filter(pk=league_id, status=League.Status.OPEN, entries_until__lte=at).exists()
    return take_next_step(league_id, lambda state: state.due or (begins and not state.begun)) or done


def take_next_step(league_id: int, due: Callable[[LeagueState], bool]) -> bool:
    """Take the league's next step if it is due; if it is impossible, store the reason for its page."""
    try:
        return proceed_if(due, league_id)
    except NotNow as error:
        League.objects.filter(pk=league_id).exclude(waits=str(error)[:200]).update(waits=str(error)[:200])
        return False


@transaction.atomic
def record_waiting(league_id: int, only: str = "") -> LeagueState | None:
    """Record the waiting closed matches of a league together; a round that closes is signed and rated.

    With `only`, just that match. Returns the new state, whose next round may be due, or None if nothing was recorded.
    """
    league = locked(league_id)
    stream, state = load(league)
    waiting = [result for result in waiting_results(league, state) if only in ("", result.match)]
    facts = record(state, *waiting)
    return append_results(league, stream, state, facts) if facts else None


@transaction.atomic
def sign_roots(league_id: int) -> None:
    """Sign everything closed but unsigned in a league, from before signatures existed."""
    league = locked(league_id)
    stream, state = load(league)
    sign(league, stream, state)


def export_league(slug: str, target: Path) -> int:
    """Write a finished league's export, after signing what is unsigned; return its size in bytes.

    Raises League.DoesNotExist, NotNow for a league that is not over, or OSError. The file appears once complete.
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
    """Rebuild a league's tables from its stream (matches and their results are stored separately)."""
    league = locked(league_id)
    facts = read_facts(league)
    ends = [length for length, fact in enumerate(facts, 1) if isinstance(fact, ENDS)]
    league.entrants.all().delete()
    league.round, league.status = 0, League.Status.OPEN
    league.tables.update(recorded=False)
    project(league, fold(facts), facts, fold(facts[: max(ends, default=0)]))


def begin_round(league_id: int) -> None:
    """Begin the drafted round; raises NotNow if there is none, or an entry in it has left."""
    act(league_id, lambda state: begin(state, now()))


@transaction.atomic
def redraft_round(league_id: int, hand: Hand) -> None:
    """Draft the waiting round again, with randomness derived from the number of the draft; raises NotNow."""
    league = locked(league_id)
    stream, state = load(league)
    append_next(league, stream, state, redraft(state, next_link(bytes(league.secret), state), hand))
