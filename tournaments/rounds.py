"""How a league comes to its next facts and its next round, which is drafted while nobody has to wait."""

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
"""The kind of work that rates one round of a league."""
DRAFTS = 3
"""Of what comes next that are made while the league may move."""


def locked(league_id: int) -> League:
    """Return a league that nobody else can append to until the transaction is over."""
    return League.objects.select_for_update().get(pk=league_id)


def now() -> int:
    """Return the time as facts say it, in seconds since 1970 (UTC)."""
    return int(timezone.now().timestamp())


def append(league: League, stream: StreamLog, state: LeagueState, facts: Sequence[LeagueFact]) -> LeagueState:
    """Append facts to a league that is locked, and project them; returns the fold behind them.

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
    """Do what comes next in a league if that is due; returns whether it was. Raises NotNow if nothing can be played.

    It is drafted while nobody has to wait, and the draft holds only if the league has not moved since. One that moves
    again and again is held for the last draft.
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
    """Append a draft that was made at that head of the stream, or one that is made now; returns whether it could."""
    league = locked(league_id)
    stream, state = load(league)
    if not due(state) or (draft and stream.head != at):
        return False
    append_next(league, stream, state, draft or _drafted(league, state))
    return True


def append_next(league: League, stream: StreamLog, state: LeagueState, coming: Next) -> None:
    """Append what comes next to a league that is locked; one that is over is closed and signed."""
    state = append(league, stream, state, coming.facts)
    if coming.over:
        state = append(league, stream, state, [LeagueClosed(bytes(league.secret).hex())])
        sign(league, stream, state)
        last = league.tables.filter(round=state.closed_rounds)
        ask_for_all(last.values_list("match_id", flat=True))


@transaction.atomic
def pair_ahead(league_id: int) -> bool:
    """Pair the round after the one that is played, and order its matches, where no result can change it.

    Nothing waits for this: where it is not done, the round is paired when it is its turn. Returns whether it was.
    """
    if not looks_ahead(load(League.objects.get(pk=league_id))[1]):
        return False
    league = locked(league_id)
    stream, state = load(league)
    try:
        facts = ahead(state, next_link(bytes(league.secret), state), now())
    except NotNow:  # there is no luck left, which is told when that round is due
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
    """Append results to a league that is locked; the round that they close is signed and rated."""
    state = append(league, stream, state, facts)
    if isinstance(facts[-1], RoundClosed):
        state = sign(league, stream, state)
        _rate_bounded(league, state, facts[-1].round)
    return state


def _rate_bounded(league: League, state: LeagueState, round_: int) -> None:
    """Rate a round; where that fails the league goes on, and the sweeper tries it again."""
    try:
        with transaction.atomic():
            rate_round(league, state, round_)
    except Exception as error:  # noqa: BLE001 - any error is a failed attempt, and it is logged there
        note_failure(RATING, f"{league.pk}/{round_}", error)


def is_rating_failed(league: League, round_: int) -> bool:
    """Tell whether a closed round is not rated, as that failed."""
    return f"{league.pk}/{round_}" in list_failed(RATING)


def rate_round(league: League, state: LeagueState, round_: int) -> None:
    """Let the matches of a round count on the ladders, but for those that nobody played."""
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
    """Append the roots of what is closed, each signed together with all that the stream said before."""
    for scope in unsigned(state):
        heads, after, by = read_heads(matches_of(state, scope)), stream.head.hex(), signer()
        signature = by.sign(signed(state.header.slug, scope, heads, after))
        state = append(league, stream, state, [signature_fact(scope, heads, after, by.public, signature)])
    return state


def can_be_paired(league: League, state: LeagueState) -> bool:
    """Tell whether a round can be paired, of which nothing is kept here."""
    try:
        _drafted(league, state)
    except NotNow:
        return False
    return True
