"""What can be done with leagues; every command appends facts and projects them in one transaction."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path

import structlog
from django.db import DatabaseError, transaction
from django.utils import timezone

from bots.models import BotVersion
from ftk_core.entries import Clock
from ftk_core.league.facts import LeagueClosed, RoundClosed
from ftk_core.league.roots import matches_of, signature_fact, signed, unsigned
from ftk_core.league.state import LeagueState, NotNow, enter, fold, record
from ftk_core.rng import seal_of
from replays.models import Match
from replays.queries import read_heads
from replays.services import order_match
from replays.store import StreamLog
from tournaments import ladder
from tournaments.export import archive
from tournaments.models import League, TableMatch
from tournaments.projections import load, project, read_facts, waiting_results
from tournaments.rounds import append, can_be_paired, locked, pair_if
from tournaments.signing import signer
from tournaments.terms import Terms, opening

log = structlog.get_logger(__name__)


@transaction.atomic
def open_league(terms: Terms) -> League:
    """Announce a league; raises NotNow for terms that cannot be."""
    league = League(slug=terms.slug, name=terms.name, game=terms.game, rounds=terms.rounds)
    opened = opening(terms, timezone.now(), seal_of(bytes(league.secret)))
    _keep(league)
    append(league, StreamLog(league.stream_id), LeagueState(), [opened])
    return league


def _keep(league: League) -> None:
    """Store a new league; raises NotNow without the database's own words, which show the row and so the secret."""
    try:
        with transaction.atomic():
            league.save()
    except DatabaseError as error:
        if League.objects.filter(slug=league.slug).exists():
            raise NotNow(f"there is a league {league.slug!r} already; choose another slug") from None
        broken = getattr(getattr(error.__cause__, "diag", None), "constraint_name", None) or type(error).__name__
        raise NotNow(f"the database refuses the league {league.slug!r}: {broken}") from None


@transaction.atomic
def enter_bot(league_id: int, version: BotVersion) -> None:
    """Enter a version; raises NotNow when it is not active, plays another game, or entries are closed."""
    league = locked(league_id)
    if version.status != BotVersion.Status.ACTIVE:
        raise NotNow(f"{version} is {version.get_status_display()}; only active versions can enter")
    if version.bot.game != league.game:
        raise NotNow(f"{version} plays {version.bot.game}, the league is of {league.game}")
    stream, state = load(league)
    facts = enter(state, version.pk, version.label)
    if league.entries_until and league.entries_until <= timezone.now() and can_be_paired(state):
        raise NotNow(f"entries to {league.name} are closed; it is about to begin")
    append(league, stream, state, facts)


def start(league_id: int) -> None:
    """Pair the first round and order its matches; raises NotNow if that was done or too few have entered."""
    if not pair_if(lambda state: not state.rounds, league_id):
        raise NotNow(f"{League.objects.get(pk=league_id).name} has begun already")


def start_due(now: datetime) -> int:
    """Begin the leagues whose entries are closed by then; returns how many began.

    Where too few have entered it begins as soon as they are enough.
    """
    begun = 0
    for league in League.objects.sound().filter(status=League.Status.OPEN, entries_until__lte=now):
        with suppress(NotNow):
            start(league.pk)
            begun += 1
    return begun


def record_match(match_id: str) -> bool:
    """Record a closed match in its league, once, and whatever else of it waits; a round that is closed is followed.

    Returns whether anything was appended; a match outside leagues, not closed or known already is nothing.
    """
    table = TableMatch.objects.filter(match_id=match_id, match__status=Match.Status.CLOSED, recorded=False).first()
    after = record_waiting(table.league_id) if table else None
    if table and after and after.due:
        pair_next(table.league_id)
    return after is not None


@transaction.atomic
def record_waiting(league_id: int) -> LeagueState | None:
    """Record the closed matches of a league that wait for it, together; closing a round rates it, and ends the league.

    Returns the league behind them, whose next round may be due, or None if there were none.
    """
    league = locked(league_id)
    stream, state = load(league)
    facts = record(state, *waiting_results(league, state))
    if not facts:
        return None
    state = append(league, stream, state, facts)
    if isinstance(facts[-1], RoundClosed):
        state = _sign(league, stream, state)
        _rate_round(league, state, facts[-1].round)
        if not state.due:
            state = append(league, stream, state, [LeagueClosed(bytes(league.secret).hex())])
            state = _sign(league, stream, state)
    return state


def pair_stranded() -> int:
    """Pair the rounds that are due and whose worker died before it came to it; returns how many."""
    paired = 0
    for league in League.objects.sound().filter(status=League.Status.RUNNING).exclude(tables__recorded=False):
        try:
            paired += pair_next(league.pk)
        except NotNow as error:
            log.warning("round_cannot_be_paired", league=league.slug, reason=str(error))
    return paired


def pair_next(league_id: int) -> bool:
    """Pair the next round of a league and order its matches, if that is due; returns whether it was."""
    return pair_if(lambda state: state.due, league_id)


@transaction.atomic
def sign_roots(league_id: int) -> None:
    """Sign whatever of a league is closed and not signed yet: what was closed before there were signatures."""
    league = locked(league_id)
    stream, state = load(league)
    _sign(league, stream, state)


def export_league(slug: str, target: Path) -> int:
    """Write a finished league's export, signing first what is not signed yet; returns its size in bytes.

    Raises League.DoesNotExist, NotNow for a league that is not over, or OSError. The file appears when it is whole.
    """
    sign_roots(League.objects.get(slug=slug).pk)
    pieces, draft = archive(slug), target.with_name(f".{target.name}.part")
    with draft.open("wb") as out:
        size = sum(out.write(piece) for piece in pieces)
    draft.replace(target)
    return size


@transaction.atomic
def replace_void(match_id: str) -> Match:
    """Order a void match again with the same deal and seats; raises NotNow for any other match.

    Raises TableMatch.DoesNotExist for a match of no league, or one that was ordered again already.
    """
    table = TableMatch.objects.select_for_update(of=("self",)).select_related("match").get(match_id=match_id)
    old = table.match
    if old.status != Match.Status.VOID:
        raise NotNow(f"match {match_id} is {old.status}; only void matches are played again")
    versions = [seat.version for seat in old.seats.select_related("version").order_by("seat")]
    match = order_match(old.game, versions, bytes(old.seed), Clock(old.move_ms, old.bank_ms), old.options)
    table.match = match
    table.save(update_fields=("match",))
    return match


@transaction.atomic
def rebuild(league_id: int) -> None:
    """Make a league's tables again from its stream (its matches and their results are facts of their own)."""
    league = locked(league_id)
    facts = read_facts(league)
    ends = [length for length, fact in enumerate(facts, 1) if isinstance(fact, RoundClosed)]
    league.entrants.all().delete()
    league.round, league.status = 0, League.Status.OPEN
    league.tables.update(recorded=False)
    project(league, fold(facts[: max(ends, default=0)]), facts)


def _sign(league: League, stream: StreamLog, state: LeagueState) -> LeagueState:
    """Append the roots of what is closed, each signed together with all that the stream said before."""
    for scope in unsigned(state):
        heads, after, by = read_heads(matches_of(state, scope)), stream.head.hex(), signer()
        signature = by.sign(signed(state.header.slug, scope, heads, after))
        state = append(league, stream, state, [signature_fact(scope, heads, after, by.public, signature)])
    return state


def _rate_round(league: League, state: LeagueState, round_: int) -> None:
    """Apply a round to the ladders in the order of table and game, however its matches came in."""
    slugs = dict(league.entrants.values_list("number", "version__bot__slug"))
    results = sorted((r for r in state.results if r.round == round_), key=lambda r: (r.table, r.game))
    ladder.rate(
        league.game,
        state.header.season,
        [(r.match, tuple(slugs[entry] for entry in r.seating), r.places) for r in results],
    )
