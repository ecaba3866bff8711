"""Commands of organisers to correct the result of a match, or to void the match."""

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.league import intervention_facts
from ftk_core.league.league_event_actors import LeagueActor, attribution_of
from ftk_core.league.league_facts import ResultRecorded
from ftk_core.league.league_state import CommandRejected, LeagueState, MatchKey, effective_result
from ftk_core.league.organiser_command_handlers import check_open


def overrule_result(
    league: LeagueState, key: MatchKey, places: Sequence[int], actor: LeagueActor
) -> intervention_facts.ResultOverruled:
    """Return the event that corrects the finishing places in a match.

    Raises CommandRejected for impossible or unchanged places, a match without a result, or a closed league.
    """
    result = _result(league, key)
    seats = len(result.seating)
    if len(places) != seats or min(places) != 1 or any(p != 1 + sum(q < p for q in places) for p in places):
        raise CommandRejected(
            "the places %(places)s are not possible: give each of the %(seats)s seats a place from 1 on; after a shared"
            " place the next ones are skipped, as in 1, 2, 2, 4",
            places=list(places), seats=seats,
        )  # fmt: skip
    if tuple(places) == result.places:
        raise CommandRejected("match %(match)s counts with these places already", match=result.match)
    return intervention_facts.ResultOverruled(
        round=key[0], table=key[1], game=key[2], match=result.match, places=tuple(places), **attribution_of(actor)
    )


def void_match(league: LeagueState, key: MatchKey, match: str, actor: LeagueActor) -> intervention_facts.MatchVoided:
    """Return the event that voids a match, so that it does not count.

    Raises CommandRejected if the league is closed, or if the match `key` (round, table, number) does not exist or has
    another id than `match`.
    """
    # A match without a result in a round in progress can always be voided: the league then stops waiting for a result.
    check_open(league)
    league.table_of(key)
    waited_for = league.closed_rounds < key[0] and key not in league.recorded
    elsewhere = any(past.match == match for other, pasts in league.history.items() if other != key for past in pasts)
    if elsewhere or (not waited_for and _result(league, key).match != match):
        raise CommandRejected(
            "round %(round)s, table %(table)s, match %(game)s was not played as match %(match)s",
            round=key[0], table=key[1], game=key[2] + 1, match=match,
        )  # fmt: skip
    return intervention_facts.MatchVoided(round=key[0], table=key[1], game=key[2], match=match, **attribution_of(actor))


def _result(league: LeagueState, key: MatchKey) -> ResultRecorded:
    check_open(league)
    result = effective_result(league.history.get(key, ()))
    if result is None:
        raise CommandRejected(
            "round %(round)s, table %(table)s, match %(game)s has no result that counts",
            round=key[0], table=key[1], game=key[2] + 1,
        )  # fmt: skip
    return result
