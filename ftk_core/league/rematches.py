"""Matches that were given up: on which deal they are played again, and how a league rules upon them."""

from __future__ import annotations

from ftk_core.league.acts import MatchReplaced
from ftk_core.league.deals import turned
from ftk_core.league.facts import ResultRecorded
from ftk_core.league.organising import Attribution, Hand, attribution_of
from ftk_core.league.state import Key, LeagueState, NotNow, standing


def deal_of_rematch(league: LeagueState, key: Key, *, by_terms: bool) -> int:
    """Return the deal of its table on which a match is played again, by the league's terms or because somebody says so.

    By its terms a league tries each deal `tries` times. Somebody can have a match that was given up played again on the
    first deal, and one that counts for nobody on a new one. Raises NotNow where the match is not played again.
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
        return tried // head.tries
    if key not in league.recorded:
        return 0
    if standing(league.history.get(key, ())):
        raise NotNow("the match has a result that counts; void it first")
    return tried + 1


def play_again(league: LeagueState, key: Key, old: str, new: str, hand: Hand) -> MatchReplaced:
    """Return the fact that a match is played again as another one; by the league's terms where nobody is named."""
    deal = deal_of_rematch(league, key, by_terms=not hand.by)
    named = attribution_of(hand) if hand.by else Attribution(by="", at=hand.at, why=hand.why, approved="")
    return MatchReplaced(round=key[0], table=key[1], game=key[2], old=old, new=new, deal=deal, **named)


def rule(league: LeagueState, key: Key, match: str, blamed: int | None) -> ResultRecorded:
    """Return the result of a match that was given up too often: lost by the seat that is to blame, or shared."""
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
