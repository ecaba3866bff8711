"""Progress of a league: its next facts and rounds, drafted without holding a lock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from django.db import transaction
from django.utils import timezone
from msgspec.structs import replace

from ftk_core.league.commands import Next, ahead, looks_ahead, proceed
from ftk_core.league.facts import LeagueClosed, LeagueFact, RoundClosed, RoundPaired
from ftk_core.league.folding import fold, write
from ftk_core.league.luck import next_link
from ftk_core.league.roots import matches_of, signature_fact, signed, unsigned
from ftk_core.league.state import LeagueState, NotNow
from replays.failed_work import list_failed, note_failure
from replays.queries import read_heads
from replays.reviews.asking import ask_for_all
from replays.store import StreamLog
from tournaments import ladder
from tournaments.folds import LEAGUES
from tournaments.kinds import is_of_all_time
from tournaments.ladder_facts import MatchCounted
from tournaments.ladder_order import place_of
from tournaments.models import League
from tournaments.projections import load, order_tables, project
from tournaments.renewing import renewals
from tournaments.seeding import read_ratings
from tournaments.signing import signer

RATING: Final = "rating"
"""Kind of failed work for the rating of one round of a league."""
DRAFTS = 3
"""Number of drafts without a lock before the league is locked."""


def locked(league_id: int) -> League:
    """Return a league, locked until the transaction ends."""
    return League.objects.select_for_update().get(pk=league_id)


def now() -> int:
    """Return the time as facts record it, in seconds since 1970 (UTC)."""
    return int(timezone.now().timestamp())


def append(league: League, stream: StreamLog, state: LeagueState, facts: Sequence[LeagueFact]) -> LeagueState:
    """Append facts to a locked league and project them; return the state after them.

    The matches of a round that begins are ordered with it.
    """
    if not facts:
        return state
    stream.append([write(fact) for fact in facts], stream.length)
    state = fold(facts, state)
    LEAGUES.keep(stream, state)
    project(league, state, facts)
    for fact in facts:
        if isinstance(fact, RoundPaired):
            order_tables(league, state, fact)
    return state


def proceed_if(due: Callable[[LeagueState], bool], league_id: int) -> bool:
    """Take the league's next step if it is due; return True if it was. Raises NotNow if none is possible.

    The step is drafted without a lock, and the draft is valid only if the league has not changed since. If it changes
    again and again, the last draft is made under the lock.
    """
    for _ in range(DRAFTS):
        league = League.objects.get(pk=league_id)
        seen, state = load(league)
        if not due(state):
            return False
        if _proceed(due, league_id, _drafted(league, state), seen.head):
            return True
    return _proceed(due, league_id)


@transaction.atomic
def _proceed(due: Callable[[LeagueState], bool], league_id: int, draft: Next | None = None, at: bytes = b"") -> bool:
    """Append a draft made at that head, or a new one; return True on success."""
    league = locked(league_id)
    stream, state = load(league)
    if not due(state) or (draft and stream.head != at):
        return False
    append_next(league, stream, state, draft or _drafted(league, state))
    return True


def append_next(league: League, stream: StreamLog, state: LeagueState, coming: Next) -> None:
    """Append the next step to a locked league; close and sign a league that is over."""
    state = append(league, stream, state, coming.facts)
    if coming.over:
        state = append(league, stream, state, [LeagueClosed(bytes(league.secret).hex())])
        sign(league, stream, state)
        last = league.tables.filter(round=state.closed_rounds)
        ask_for_all(last.values_list("match_id", flat=True))


@transaction.atomic
def pair_ahead(league_id: int) -> bool:
    """Pair the round after the current one, and order its matches, if no result can change the pairing.

    This is optional: otherwise the round is paired when it is due. Return True if it was paired.
    """
    if not looks_ahead(load(League.objects.get(pk=league_id))[1]):
        return False
    league = locked(league_id)
    stream, state = load(league)
    try:
        facts = ahead(state, next_link(bytes(league.secret), state), now())
    except NotNow:  # the hash chain is used up, which is reported when that round is due
        return False
    append(league, stream, state, facts)
    return bool(facts)


def _drafted(league: League, state: LeagueState) -> Next:
    at = now()
    renewed = renewals(state, at)
    link, ratings = next_link(bytes(league.secret), state), read_ratings(league, state)
    coming = proceed(fold(renewed, state), link, at, ratings=ratings)
    return replace(coming, facts=(*renewed, *coming.facts))


def append_results(league: League, stream: StreamLog, state: LeagueState, facts: Sequence[LeagueFact]) -> LeagueState:
    """Append results to a locked league; sign and rate the round that they close."""
    state = append(league, stream, state, facts)
    if isinstance(facts[-1], RoundClosed):
        state = sign(league, stream, state)
        _rate_bounded(league, state, facts[-1].round)
    return state


def _rate_bounded(league: League, state: LeagueState, round_: int) -> None:
    """Rate a round; if that fails the league goes on, and the sweeper retries."""
    try:
        with transaction.atomic():
            rate_round(league, state, round_)
    except Exception as error:  # noqa: BLE001 - any error is a failed attempt, and it is logged there
        note_failure(RATING, f"{league.pk}/{round_}", error)


def is_rating_failed(league: League, round_: int) -> bool:
    """Return True if the rating of a closed round has failed."""
    return f"{league.pk}/{round_}" in list_failed(RATING)


def rate_round(league: League, state: LeagueState, round_: int) -> None:
    """Count the matches of a round on the ladders, except those that nobody played."""
    slugs = dict(league.entrants.values_list("number", "version__bot__slug"))
    counted = [
        MatchCounted(
            match=r.match,
            league=league.pk,
            round=r.round,
            table=r.table,
            game=r.game,
            names=tuple(slugs[entry] for entry in r.seating),
            places=r.places,
        )
        for r in state.results
        if r.round == round_ and not r.ruled
    ]
    head = state.header
    of_all_time = is_of_all_time(head.kinds, mixed=head.mixed)
    ladder.rate(league.game, head.season, sorted(counted, key=place_of), of_all_time=of_all_time)


def sign(league: League, stream: StreamLog, state: LeagueState) -> LeagueState:
    """Append the signed roots of everything closed; each signature covers the stream before it."""
    for scope in unsigned(state):
        heads, after, by = read_heads(matches_of(state, scope)), stream.head.hex(), signer()
        signature = by.sign(signed(state.header.slug, scope, heads, after))
        state = append(league, stream, state, [signature_fact(scope, heads, after, by.public, signature)])
    return state


def can_be_paired(league: League, state: LeagueState) -> bool:
    """Return True if a round could be paired; nothing is stored."""
    try:
        _drafted(league, state)
    except NotNow:
        return False
    return True
