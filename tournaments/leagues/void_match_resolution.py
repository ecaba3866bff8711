"""Rematches for void matches, which have no result."""
# After too many rematches, a rule of the league sets the result.

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.utils.translation import gettext
from msgspec.structs import replace

from ftk_core.league.league_command_handlers import record
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_facts import LeagueFact, ResultRecorded
from ftk_core.league.league_state import CommandRejected, LeagueState, MatchKey, effective_result
from ftk_core.league.match_result_command_handlers import void_match
from ftk_core.league.voided_match_rules import deal_of_rematch, replay_match, rule_on_match
from replays.background_work_retries import run_with_retries
from replays.playing.match_cancellation import end_match
from replays.queries import VOID, find_abandonment
from replays.services import order_matches
from tournaments.leagues.league_event_appending import (
    LEAGUE_RESULT,
    append,
    append_results,
    lock_league,
    now,
    request_match,
)
from tournaments.leagues.league_event_projection import HAS_BEGUN, load
from tournaments.models import League, LeagueMatch


@transaction.atomic
def settle_void_matches(league_id: int) -> int:
    """Play again or decide void matches in rounds that have begun; return the number of settled matches."""
    # After too many rematches, the rule in the league's settings decides. With `tries` 0, void matches are left to an
    # organiser.
    waiting = LeagueMatch.objects.filter(HAS_BEGUN, league=league_id, recorded=False, match__status=VOID)
    if not waiting.exists():
        return 0  # the usual case, without locking the league
    league, void_tables = lock_league(league_id), waiting.select_for_update(of=("self",))
    tables = list(void_tables.order_by("number", "game").select_related("match"))
    stream, state = load(league)
    rulings: list[ResultRecorded] = []
    settled = 0
    for table in tables if state.header.tries else ():
        try:
            state = append(league, stream, state, [_order_again(league, state, table)])
        except CommandRejected:
            rule = partial(_rule_by_terms, state, table)
            if (ruling := run_with_retries(LEAGUE_RESULT, table.match_id, rule, None)) is None:
                continue  # after some attempts the console asks the organisers to decide
            rulings.append(ruling)
        settled += 1
    if facts := record(state, *rulings):
        append_results(league, stream, state, facts)
    return settled


@transaction.atomic
def replace_void(match_id: str, by: str, why: str = "") -> str:
    """Create a rematch of a match without a result; return the id of the new match.

    Raises CommandRejected if the match has a result, or LeagueMatch.DoesNotExist if it is in no league or was
    replaced.
    """
    # Without `why`, the reason why the old match became void is stored.
    league = lock_league(LeagueMatch.objects.get(match_id=match_id).league_id)
    table_match = league.tables.select_for_update(of=("self",)).select_related("match").get(match_id=match_id)
    if table_match.match.status != VOID or table_match.recorded:
        status = "ruled upon" if table_match.match.status == VOID else table_match.match.status
        raise CommandRejected(
            gettext("match %(match_id)s is %(status)s; only void matches are played again")
            % {"match_id": match_id, "status": status}
        )
    stream, state = load(league)
    append(league, stream, state, [_order_again(league, state, table_match, LeagueActor(by=by, at=now(), why=why))])
    table_match.refresh_from_db()
    return table_match.match_id


@transaction.atomic
def void_and_play_again(league_id: int, match_id: str, actor: LeagueActor) -> None:
    """Cancel a match of the current round, even an open one, and create a rematch.

    Raises CommandRejected if the match is outside the current round or has just ended.
    """
    league = lock_league(league_id)
    table = league.tables.select_related("match").filter(match_id=match_id).first()
    stream, state = load(league)
    if table is None or not state.closed_rounds < table.round == state.playing:
        raise CommandRejected(
            gettext("%(match_id)r is no match of a round that is being played; only such are played again")
            % {"match_id": match_id[:20]}
        )
    is_void = table.match.status == VOID and not table.recorded
    is_open = not is_void and _make_key(table) not in state.recorded
    if is_open and not end_match(match_id, "the organisers have it played again"):
        raise CommandRejected(
            gettext("match %(match_id)s has just ended; look at its result first") % {"match_id": match_id}
        )
    if is_open or (not is_void and effective_result(state.history.get(_make_key(table), ()))):
        state = append(league, stream, state, [void_match(state, _make_key(table), match_id, actor)])
    append(league, stream, state, [_order_again(league, state, table, actor)])


def _rule_by_terms(state: LeagueState, table: LeagueMatch) -> ResultRecorded:
    """Return the event that decides a void match by the league's terms (settings).

    Raises LookupError if the log of the match does not say why the match has no result.
    """
    # The export contains the log, which must show why the match has no result. After an error of the arena it may not.
    if (end := find_abandonment(table.match_id)) is None:
        raise LookupError(f"the log of match {table.match_id} does not say why it has no result")
    blamed = end.seat if state.header.ruling == "loss" and isinstance(end.seat, int) else None
    return rule_on_match(state, _make_key(table), table.match_id, blamed)


def _make_key(table: LeagueMatch) -> MatchKey:
    return table.round, table.number, table.game


def _order_again(
    league: League, state: LeagueState, table: LeagueMatch, actor: LeagueActor | None = None
) -> LeagueFact:
    """Create a rematch and return the event that records it."""
    # `actor` is None if the league's settings require the rematch.
    old_match, key = table.match, _make_key(table)
    deal = deal_of_rematch(state, key, by_terms=actor is None)
    versions = [seat.version for seat in old_match.seats.select_related("version__bot").order_by("seat")]
    order = request_match(league, state, key, versions, replays=1 + state.voids.get(key, 0), deal=deal)
    table.match = order_matches([order])[0]
    table.save(update_fields=("match",))
    actor = actor or LeagueActor(by="", at=now())
    actor = replace(actor, why=actor.why or old_match.reason or "it was given up")
    return replay_match(state, key, old_match.pk, table.match_id, actor)
