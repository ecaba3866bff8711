"""Handling of void matches: they are repeated, and after the maximum number of tries the league's rule applies."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext
from msgspec.structs import replace

from ftk_core.entries import Clock
from ftk_core.league.commands import record
from ftk_core.league.deals import is_public, table_seed
from ftk_core.league.facts import LeagueFact, ResultRecorded
from ftk_core.league.organising import Hand, void
from ftk_core.league.rematches import deal_of_rematch, play_again, rule
from ftk_core.league.state import Key, LeagueState, NotNow, standing
from replays.playing.ending import end_match
from replays.queries import VOID, find_blamed
from replays.services import Order, order_matches
from tournaments.models import League, TableMatch
from tournaments.projections import CALLED, load
from tournaments.rounds import append, append_results, locked, now


@transaction.atomic
def settle(league_id: int) -> int:
    """Repeat or rule upon the void matches of the current round, by the league's terms; return their number."""
    waiting = TableMatch.objects.filter(CALLED, league=league_id, recorded=False, match__status=VOID)
    if not waiting.exists():
        return 0  # the usual case, without locking the league
    league, given_up = locked(league_id), waiting.select_for_update(of=("self",))
    tables = list(given_up.order_by("number", "game").select_related("match"))
    stream, state = load(league)
    ruled: list[ResultRecorded] = []
    settled = 0
    for table in tables if state.header.tries else ():
        try:
            state = append(league, stream, state, [_again(league, state, table)])
        except NotNow:
            blamed = find_blamed(table.match_id) if state.header.ruling == "loss" else None
            ruled.append(rule(state, _key(table), table.match_id, blamed))
        settled += 1
    if facts := record(state, *ruled):
        append_results(league, stream, state, facts)
    return settled


@transaction.atomic
def replace_void(match_id: str, by: str, why: str = "") -> str:
    """Order a void match again with the same seats, and return the new one's id; raises NotNow for any other.

    The default reason is that for which the match is void. Raises TableMatch.DoesNotExist for a match outside leagues,
    or one that was ordered again already.
    """
    league = locked(TableMatch.objects.get(match_id=match_id).league_id)
    table = league.tables.select_for_update(of=("self",)).select_related("match").get(match_id=match_id)
    if table.match.status != VOID or table.recorded:
        status = "ruled upon" if table.match.status == VOID else table.match.status
        raise NotNow(
            gettext("match %(match_id)s is %(status)s; only void matches are played again")
            % {"match_id": match_id, "status": status}
        )
    stream, state = load(league)
    append(league, stream, state, [_again(league, state, table, Hand(by=by, at=now(), why=why))])
    table.refresh_from_db()
    return table.match_id


@transaction.atomic
def void_and_play_again(league_id: int, match_id: str, hand: Hand) -> None:
    """Void a match of the current round, and order it again on another deal of its table.

    A match being played is ended; a void one is ordered as by `replace_void`. Raises NotNow for any other.
    """
    league = locked(league_id)
    table = league.tables.select_related("match").filter(match_id=match_id).first()
    stream, state = load(league)
    if table is None or not state.closed_rounds < table.round == state.playing:
        raise NotNow(
            gettext("%(match_id)r is no match of a round that is being played; only such are played again")
            % {"match_id": match_id[:20]}
        )
    given_up = table.match.status == VOID and not table.recorded
    waits = not given_up and _key(table) not in state.recorded
    if waits and not end_match(match_id, "the organisers have it played again"):
        raise NotNow(gettext("match %(match_id)s has just ended; look at its result first") % {"match_id": match_id})
    if waits or (not given_up and standing(state.history.get(_key(table), ()))):
        state = append(league, stream, state, [void(state, _key(table), match_id, hand)])
    append(league, stream, state, [_again(league, state, table, hand)])


def _key(table: TableMatch) -> Key:
    return table.round, table.number, table.game


def _again(league: League, state: LeagueState, table: TableMatch, hand: Hand | None = None) -> LeagueFact:
    """Order a match of a table again, by the league's terms or by an act, and return the fact."""
    old, key = table.match, _key(table)
    deal = deal_of_rematch(state, key, by_terms=hand is None)
    versions = [seat.version for seat in old.seats.select_related("version__bot").order_by("seat")]
    seed = table_seed(
        bytes(league.secret),
        table.round,
        state.table_of(key),
        stage=state.terms_of(table.round),
        game=table.game,
        deal=deal,
    )
    order = Order(
        game=old.game,
        versions=versions,
        seed=seed,
        clock=Clock(old.move_ms, old.bank_ms),
        options=old.options,
        pace_ms=old.pace_ms,
        released=is_public(state, table.round),
    )
    table.match = order_matches([order])[0]
    table.save(update_fields=("match",))
    hand = hand or Hand(by="", at=now())
    hand = replace(hand, why=hand.why or old.reason or "it was given up")
    return play_again(state, key, old.pk, table.match_id, hand)
