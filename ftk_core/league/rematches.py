"""Void matches: the deal of a replay, and rulings after too many replays."""

from __future__ import annotations

from ftk_core.league.acts import MatchReplaced
from ftk_core.league.deals import is_public, turned
from ftk_core.league.facts import ResultRecorded
from ftk_core.league.organising import Attribution, Hand, attribution_of
from ftk_core.league.state import Key, LeagueState, NotNow, standing


def deal_of_rematch(league: LeagueState, key: Key, *, by_terms: bool) -> int:
    """Return the deal of its table on which a match is replayed, by the league's terms or by an organiser.

    A match that became void while hidden is replayed on the same deal, so that nobody gains by aborting a bad deal, and
    on a fresh one once the same deal failed as often as the league's terms allow. A match that was public, or that was
    voided by an organiser, gets a fresh deal: one that no match of its table had. Raise NotNow if the match is not
    replayed.
    """
    league.table_of(key)
    if not league.closed_rounds < key[0] == league.playing:
        raise NotNow(f"round {key[0]} is not being played; only matches of the round that is played are played again")
    tried, head = league.voids.get(key, 0), league.header
    if by_terms:
        if key in league.recorded or not _tries_left(league, key):
            raise NotNow(
                f"by its terms {head.name} does not play this match again (tries: {head.tries}, done: {tried})"
            )
    elif key in league.recorded and standing(league.history.get(key, ())):
        raise NotNow("the match has a result that counts; void it first")
    return _next_deal(league, key, given_up=key not in league.recorded)


def _next_deal(league: LeagueState, key: Key, *, given_up: bool) -> int:
    rematches = [fact for fact in league.noted if isinstance(fact, MatchReplaced) and _table_of(fact) == key[:2]]
    deals = [fact.deal for fact in rematches if fact.game == key[2]]
    current, head = deals[-1] if deals else 0, league.header
    used_up = head.ruling == "replay" and 0 < head.tries <= deals.count(current)
    if given_up and not used_up and not is_public(league, key[0]):
        return current
    return 1 + max((fact.deal for fact in rematches), default=0)


def _table_of(fact: MatchReplaced) -> tuple[int, int]:
    return fact.round, fact.table


def play_again(league: LeagueState, key: Key, old: str, new: str, hand: Hand) -> MatchReplaced:
    """Return the fact that a match is replayed as a new one; the league's terms are the actor if none is named."""
    deal = deal_of_rematch(league, key, by_terms=not hand.by)
    named = attribution_of(hand) if hand.by else Attribution(by="", at=hand.at, why=hand.why, approved="")
    return MatchReplaced(round=key[0], table=key[1], game=key[2], old=old, new=new, deal=deal, **named)


def rule(league: LeagueState, key: Key, match: str, blamed: int | None) -> ResultRecorded:
    """Return the ruling on a match that was void too often: lost by the seat at fault, or shared."""
    seating = turned(league.table_of(key), key[2])
    if not league.header.tries or _tries_left(league, key):
        raise NotNow(f"the match was given up {league.voids.get(key, 0) + 1} times; it is played again")
    if league.header.ruling != "loss":
        blamed = None
    return ResultRecorded(
        round=key[0],
        table=key[1],
        game=key[2],
        match=match,
        seating=seating,
        places=tuple(len(seating) if seat == blamed else 1 for seat in range(len(seating))),
        scores=(0,) * len(seating),
        ruled="share" if blamed is None else "loss",
    )


def _tries_left(league: LeagueState, key: Key) -> bool:
    deals = 2 if league.header.ruling == "replay" else 1
    return league.voids.get(key, 0) < league.header.tries * deals
