"""What can be done with leagues; every command appends facts and projects them in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from django.db import DatabaseError, transaction
from django.utils import timezone

from bots.models import BotVersion
from ftk_core.entries import Clock
from ftk_core.league.facts import LeagueClosed, LeagueFact, RoundClosed, RoundPaired
from ftk_core.league.roots import matches_of, signature_fact, signed, unsigned
from ftk_core.league.state import LeagueState, NotNow, apply, enter, record, write
from ftk_core.rng import seal_of
from replays.models import Match
from replays.queries import read_heads
from replays.services import order_match
from replays.store import StreamLog
from tournaments import ladder
from tournaments.export import archive
from tournaments.formats import formats
from tournaments.models import League, TableMatch
from tournaments.projections import load, order_tables, project, result_of
from tournaments.signing import signer
from tournaments.terms import Terms, opening


@transaction.atomic
def open_league(terms: Terms) -> League:
    """Announce a league; raises NotNow for terms that cannot be."""
    league = League(slug=terms.slug, name=terms.name, game=terms.game, rounds=terms.rounds)
    opened = opening(terms, timezone.now(), seal_of(bytes(league.secret)))
    _keep(league)
    _append(league, StreamLog(league.stream_id), LeagueState(), [opened])
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
    league = _locked(league_id)
    if version.status != BotVersion.Status.ACTIVE:
        raise NotNow(f"{version} is {version.get_status_display()}; only active versions can enter")
    if version.bot.game != league.game:
        raise NotNow(f"{version} plays {version.bot.game}, the league is of {league.game}")
    stream, state, _ = load(league)
    facts = enter(state, version.pk, version.label)
    if league.entries_until and league.entries_until <= timezone.now() and _is_enough(state):
        raise NotNow(f"entries to {league.name} are closed; it is about to begin")
    _append(league, stream, state, facts)


def _is_enough(state: LeagueState) -> bool:
    """Tell whether a first round can be paired, of which nothing is kept here."""
    try:
        formats()[state.header.format](state)
    except ValueError:
        return False
    return True


@transaction.atomic
def start(league_id: int) -> None:
    """Pair the first round and order its matches; raises NotNow if that was done or too few have entered."""
    league = _locked(league_id)
    stream, state, _ = load(league)
    if state.rounds:
        raise NotNow(f"{league.name} has begun already")
    _pair(league, stream, state)


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


@transaction.atomic
def record_match(match_id: str) -> bool:
    """Record a closed match in its league, once; closing a round rates it and pairs the next.

    Returns whether anything was appended; a match outside leagues, not closed or known already is nothing.
    """
    table = TableMatch.objects.select_related("match").filter(match_id=match_id).first()
    if table is None or table.match.status != Match.Status.CLOSED:
        return False
    league = _locked(table.league_id)
    stream, state, _ = load(league)
    facts = record(state, result_of(table))
    if not facts:
        return False
    state = _append(league, stream, state, facts)
    if isinstance(facts[-1], RoundClosed):
        state = _sign(league, stream, state)
        _rate_round(league, state, facts[-1].round)
        if state.closed_rounds < state.header.rounds:
            _pair(league, stream, state)
        else:
            state = _append(league, stream, state, [LeagueClosed(bytes(league.secret).hex())])
            _sign(league, stream, state)
    return True


@transaction.atomic
def sign_roots(league_id: int) -> None:
    """Sign whatever of a league is closed and not signed yet: what was closed before there were signatures."""
    league = _locked(league_id)
    stream, state, _ = load(league)
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
    league = _locked(league_id)
    _, state, facts = load(league)
    league.entrants.all().delete()
    league.round, league.status = 0, League.Status.OPEN
    league.tables.update(recorded=False)
    project(league, state, facts)


def _locked(league_id: int) -> League:
    return League.objects.select_for_update().get(pk=league_id)


def _append(league: League, stream: StreamLog, state: LeagueState, facts: Sequence[LeagueFact]) -> LeagueState:
    stream.append([write(fact) for fact in facts], stream.length)
    for fact in facts:
        state = apply(state, fact)
    project(league, state, facts)
    return state


def _pair(league: League, stream: StreamLog, state: LeagueState) -> None:
    try:
        paired: RoundPaired = formats()[state.header.format](state)
    except ValueError as error:
        raise NotNow(str(error)) from error
    state = _append(league, stream, state, [paired])
    order_tables(league, state, paired)


def _sign(league: League, stream: StreamLog, state: LeagueState) -> LeagueState:
    """Append the roots of what is closed, each signed together with all that the stream said before."""
    for scope in unsigned(state):
        heads, after, by = read_heads(matches_of(state, scope)), stream.head.hex(), signer()
        signature = by.sign(signed(state.header.slug, scope, heads, after))
        state = _append(league, stream, state, [signature_fact(scope, heads, after, by.public, signature)])
    return state


def _rate_round(league: League, state: LeagueState, round_: int) -> None:
    """Apply a round to the ladders in the order of table and game, however its matches came in."""
    slugs = {e.number: e.version.bot.slug for e in league.entrants.select_related("version__bot")}
    results = sorted((r for r in state.results if r.round == round_), key=lambda r: (r.table, r.game))
    ladder.rate(
        league.game,
        state.header.season,
        [(r.match, tuple(slugs[entry] for entry in r.seating), r.places) for r in results],
    )
