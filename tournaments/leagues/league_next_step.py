"""Next step of a league: pair the next round, begin the next stage, or close the league."""
# Computing a step can be slow, so it is done without a lock. If the stream has grown before the step is appended, the
# step is computed again.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from django.db import transaction
from django.utils import timezone
from msgspec.structs import replace

from bots.versions.queries import find_newest
from ftk_core.league.entry_and_qualification_rules import is_newer_version
from ftk_core.league.intervention_facts import EntrantBotVersionUpdated
from ftk_core.league.league_command_handlers import (
    RoundTransitionEvents,
    can_pair_ahead,
    draw_ahead,
    proceed,
    round_end_facts,
)
from ftk_core.league.league_facts import LeagueClosed, LeagueFact, RoundClosed, RoundPaired
from ftk_core.league.league_state import CommandRejected, LeagueState
from ftk_core.league.league_state_from_events import encode_fact, fold_facts
from ftk_core.league.organiser_command_handlers import begin_draft, renew_version
from ftk_core.league.publication.signed_merkle_roots import (
    list_unsigned_scopes,
    matches_of,
    signature_fact,
    statement_over_matches,
)
from ftk_core.league.statistics.round_seed_hash_chain import next_link
from replays.background_work_retries import list_failed, record_failure
from replays.event_stream_storage import EventAppender
from replays.queries import read_heads
from replays.reviews.review_requests import request_for_all
from tournaments.event_stream_state_cache import LEAGUE_CACHE
from tournaments.ladders import ladder_match_rating
from tournaments.ladders.ladder_event_types import LeagueMatchRated
from tournaments.ladders.match_rating_order import compute_match_position
from tournaments.league_log_signing_key import load_signer
from tournaments.league_player_kinds import is_rated_on_all_time_ladder
from tournaments.leagues.league_event_projection import load, order_tables, project
from tournaments.leagues.stage_seeding import read_ratings
from tournaments.models import League

LEAGUE_RESULT: Final = "result"
"""Value of `FailedWork.kind` for league matches whose result could not be recorded; the recording is retried."""
ROUND_RATING: Final = "rating"
"""Value of `FailedWork.kind` for rounds of a league whose matches could not be rated; the rating is retried."""
MAX_UNLOCKED_DRAFTS = 3
"""Number of attempts to compute the next step without a lock, before it is computed with the league's row locked."""


def lock_league(league_id: int) -> League:
    """Return a league after locking its row. The lock ends with the transaction."""
    return League.objects.select_for_update().get(pk=league_id)


def now() -> int:
    """Return the current time in whole seconds since 1970, the unit of times in events."""
    return int(timezone.now().timestamp())


def append(league: League, stream: EventAppender, state: LeagueState, facts: Sequence[LeagueFact]) -> LeagueState:
    """Append events to a locked league, update its database tables, and return the new state."""
    # An event that begins a round also creates the matches of that round.
    if not facts:
        return state
    state.check_rules()
    stream.append([encode_fact(fact) for fact in facts], stream.length)
    state = fold_facts(facts, state)
    LEAGUE_CACHE.store(stream, state)
    project(league, state, facts)
    for fact in facts:
        if isinstance(fact, RoundPaired):
            order_tables(league, state, fact)
    return state


def proceed_if(due: Callable[[LeagueState], bool], league_id: int) -> bool:
    """Take a league's next step if the function `due` returns True for its state.

    Return True if the step was taken. Raises CommandRejected if the step is impossible.
    """
    # The step is computed without a lock, and discarded if the league has changed meanwhile. After
    # `MAX_UNLOCKED_DRAFTS` discarded steps, the league's row is locked during the computation.
    for _ in range(MAX_UNLOCKED_DRAFTS):
        league = League.objects.get(pk=league_id)
        stream, state = load(league)
        if not due(state):
            return False
        if _append_draft(due, league_id, _draft_next_step(league, state), stream.head):
            return True
    return _append_draft(due, league_id)


@transaction.atomic
def _append_draft(
    due: Callable[[LeagueState], bool], league_id: int, draft: RoundTransitionEvents | None = None, head: bytes = b""
) -> bool:
    """Append the events of a league's next step; return False if the step is not due or `draft` is outdated.

    `draft` has the events if they are computed already. It is outdated if `head` is not the stream's last hash.
    """
    league = lock_league(league_id)
    stream, state = load(league)
    if not due(state) or (draft and stream.head != head):
        return False
    append_next(league, stream, state, draft or _draft_next_step(league, state))
    return True


def append_next(league: League, stream: EventAppender, state: LeagueState, step: RoundTransitionEvents) -> None:
    """Append the events of the next step to a locked league.

    If this was the last step, close and sign the league, and request analyses of the last round's matches.
    """
    state = append(league, stream, state, step.facts)
    if step.over:
        state = append(league, stream, state, [LeagueClosed(bytes(league.secret).hex())])
        sign_closed_parts(league, stream, state)
        last_tables = league.tables.filter(round=state.closed_rounds)
        request_for_all(last_tables.values_list("match_id", flat=True))


@transaction.atomic
def pair_ahead(league_id: int) -> bool:
    """Pair the next round while the current round is being played; return True if this was done."""
    # This is possible in formats whose pairing does not depend on results.
    if not can_pair_ahead(load(League.objects.get(pk=league_id))[1]):
        return False
    league = lock_league(league_id)
    stream, state = load(league)
    try:
        facts = draw_ahead(state, next_link(bytes(league.secret), state), now())
    except CommandRejected:  # the hash chain has no element left; the error is reported when that round is due
        return False
    append(league, stream, state, facts)
    return bool(facts)


def _draft_next_step(league: League, state: LeagueState) -> RoundTransitionEvents:
    state.check_rules()
    at = now()
    renewed = _list_renewals(state, at)
    link, ratings = next_link(bytes(league.secret), state), read_ratings(league, state)
    step = proceed(fold_facts(renewed, state), link, at, ratings=ratings)
    return replace(step, facts=(*renewed, *step.facts))


def _list_renewals(state: LeagueState, at: int) -> tuple[EntrantBotVersionUpdated, ...]:
    """Return the events that switch league entries to the newest versions of their bots."""
    # An entry switches if its author chose this at entry, and only until the entry is paired for the first time.
    next_round = len(state.rounds) + 1
    waiting = [e for e in state.entrants if e.newest and e.since == next_round and not e.withdrawn]
    newest, facts = find_newest([e.version for e in waiting], state.header.languages), list[EntrantBotVersionUpdated]()
    for entrant in waiting:
        version = newest.get(entrant.version)
        # An entry keeps its version if another entry of the bot plays the newest one, and if the author has activated
        # an older version again.
        if (
            version
            and is_newer_version(version.label, entrant.name)
            and all(version.pk != other.version for other in state.entrants)
        ):
            facts.append(renew_version(state, entrant.entry, version.pk, version.label, at))
            state = fold_facts(facts[-1:], state)
    return tuple(facts)


def append_results(
    league: League, stream: EventAppender, state: LeagueState, facts: Sequence[LeagueFact]
) -> LeagueState:
    """Append result events to a locked league. Sign and rate each round that ends; return the new state."""
    # A round that was paired early ends too if organisers have voided all its matches.
    state = append(league, stream, state, facts)
    while isinstance(facts[-1], RoundClosed):
        state = sign_closed_parts(league, stream, state)
        _try_to_rate_round(league, state, facts[-1].round)
        if not (facts := round_end_facts(state)):
            break
        state = append(league, stream, state, facts)
    return state


def _try_to_rate_round(league: League, state: LeagueState, round_: int) -> None:
    """Rate the matches of a round. If that fails, the league continues, and `tournaments.sweep` retries the rating."""
    try:
        with transaction.atomic():
            rate_round(league, state, round_)
    except Exception as error:  # noqa: BLE001 - any error counts as a failed attempt, and `record_failure` logs it
        record_failure(ROUND_RATING, f"{league.pk}/{round_}", error)


def has_failed_rating(league: League, round_: int) -> bool:
    """Return True if the rating of a closed round of the league has failed."""
    return f"{league.pk}/{round_}" in list_failed(ROUND_RATING)


def rate_round(league: League, state: LeagueState, round_: int) -> None:
    """Rate the matches of a round on the ladders, except matches that were decided without play."""
    slugs = dict(league.entrants.values_list("number", "version__bot__slug"))
    counted = [
        LeagueMatchRated(
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
    of_all_time = is_rated_on_all_time_ladder(head.kinds, mixed=head.mixed)
    ladder_match_rating.rate(
        league.game, head.season, sorted(counted, key=compute_match_position), of_all_time=of_all_time
    )


def sign_closed_parts(league: League, stream: EventAppender, state: LeagueState) -> LeagueState:
    """Append missing signatures: one for each closed round, and one for a closed league."""
    # The signed text contains the last hash of the stream, so that a signature also covers all earlier events.
    for scope in list_unsigned_scopes(state):
        heads, head_before, key = read_heads(matches_of(state, scope)), stream.head.hex(), load_signer()
        signature = key.sign(statement_over_matches(state.header.slug, scope, heads, head_before))
        state = append(league, stream, state, [signature_fact(scope, heads, head_before, key.public, signature)])
    return state


def can_be_paired(league: League, state: LeagueState) -> bool:
    """Return True if the league's next step, such as pairing a round, is possible now."""
    try:
        _draft_next_step(league, state)
    except CommandRejected:
        return False
    return True


def begin_drafted_round(state: LeagueState) -> RoundPaired:
    """Return the event that begins a league's drafted (already paired) round.

    Raises CommandRejected if no valid drafted round exists, or if the league is paused.
    """
    return begin_draft(state, now(), strictly=True)
