"""Appending of events to the streams of leagues: signatures, ratings and database tables follow the events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Concatenate, Final, ParamSpec

from django.db import transaction
from django.utils import timezone

from bots.models import BotVersion
from ftk_core.league.intervention_facts import Act, MatchVoided, ResultOverruled
from ftk_core.league.league_command_handlers import round_end_facts
from ftk_core.league.league_facts import BotEntered, LeagueFact, ResultRecorded, RoundClosed, RoundPaired
from ftk_core.league.league_state import LeagueState, MatchKey, effective_result
from ftk_core.league.league_state_from_events import encode_fact, fold_facts
from ftk_core.league.match_seating_and_random_seeds import derive_match_id, is_public, rotate_seating, table_seed
from ftk_core.league.publication.signed_merkle_roots import (
    list_unsigned_scopes,
    matches_of,
    signature_fact,
    statement_over_matches,
)
from ftk_core.log_entries import TimeControl
from replays.background_work_retries import list_failed, record_failure
from replays.event_stream_storage import EventAppender
from replays.queries import read_heads
from replays.services import MatchRequest, order_matches
from tournaments.event_stream_state_cache import LEAGUE_CACHE
from tournaments.ladders import ladder_match_rating
from tournaments.ladders.ladder_event_types import LeagueMatchRated
from tournaments.ladders.match_rating_order import compute_match_position
from tournaments.league_log_signing_key import load_signer
from tournaments.league_player_kinds import find_hand_ms, is_rated_on_all_time_ladder
from tournaments.leagues.league_event_projection import load, project
from tournaments.models import League, LeagueMatch

P = ParamSpec("P")
LEAGUE_RESULT: Final = "result"
"""Value of `FailedWork.kind` for league matches whose result could not be recorded; the recording is retried."""
ROUND_RATING: Final = "rating"
"""Value of `FailedWork.kind` for rounds of a league whose matches could not be rated; the rating is retried."""


@transaction.atomic
def act(
    league_id: int,
    command: Callable[Concatenate[LeagueState, P], Act | BotEntered | RoundPaired],
    *args: P.args,
    **kwargs: P.kwargs,
) -> None:
    """Append the event that `command` returns for the league's current state and the further arguments.

    Raises CommandRejected, and stores nothing, if the command is impossible.
    """
    league = lock_league(league_id)
    stream, state = load(league)
    fact = command(state, *args, **kwargs)
    after = append(league, stream, state, [fact])
    if isinstance(fact, ResultOverruled | MatchVoided):
        _correct(league, stream, after, fact)


def _correct(league: League, stream: EventAppender, state: LeagueState, fact: ResultOverruled | MatchVoided) -> None:
    """Correct the ratings after a changed result in a closed round. End an open round if it is complete now."""
    # Only the ratings of closed rounds are corrected: an open round is rated when it ends.
    if fact.round <= state.closed_rounds:
        facts_of_match = state.history[fact.round, fact.table, fact.game]
        attempts = [old_fact for old_fact in facts_of_match if isinstance(old_fact, ResultRecorded)]
        if not (attempts and attempts[-1].ruled):  # unplayed matches are not rated
            result = effective_result(facts_of_match)
            if not has_failed_rating(league, fact.round):  # otherwise its later rating uses the corrected result
                ladder_match_rating.correct(fact.match, result.places if result else None, fact.why)
    elif facts := round_end_facts(state):
        append_results(league, stream, state, facts)


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
            _order_tables(league, state, fact)
    return state


def _order_tables(league: League, state: LeagueState, paired: RoundPaired) -> None:
    """Create the matches of a paired round."""
    # The bots of a table change seats after each match.
    versions = {e.number: e.version for e in league.entrants.select_related("version__bot")}
    games = range(state.terms_of(paired.round).games)
    plans = {
        (paired.round, table.number, game): [versions[entry] for entry in rotate_seating(table.seating, game)]
        for table in paired.tables
        for game in games
    }
    matches = order_matches(request_match(league, state, key, seated) for key, seated in plans.items())
    LeagueMatch.objects.bulk_create(
        LeagueMatch(league=league, round=round_, number=table, game=game, match=match)
        for (round_, table, game), match in zip(plans, matches, strict=True)
    )


def request_match(
    league: League,
    state: LeagueState,
    key: MatchKey,
    versions: Sequence[BotVersion],
    *,
    replays: int = 0,
    deal: int = 0,
) -> MatchRequest:
    """Return the order of a league's match. `versions` are its bots by seat.

    If it replaces `replays` earlier matches, `deal` is the number of its random start (see `deal_of_rematch`).
    """
    header, stage = state.header, state.terms_of(key[0])
    seed = table_seed(bytes(league.secret), key[0], state.table_of(key), stage, game=key[2], deal=deal)
    return MatchRequest(
        game=header.game,
        versions=versions,
        seed=seed,
        clock=TimeControl.of(header),
        options=header.options,
        pace_ms=header.pace_ms,
        hand_ms=find_hand_ms([version.bot.kind for version in versions]),
        released=is_public(state, key[0]),
        match_id=derive_match_id(state, key, replays),
    )


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
