"""Rules for matches without a valid result: the match is played again, or a ruling decides its result."""

from __future__ import annotations

from ftk_core.league.intervention_facts import MatchReplaced
from ftk_core.league.league_event_actors import EventActorFields, LeagueActor, attribution_of
from ftk_core.league.league_facts import ResultRecorded
from ftk_core.league.league_state import CommandRejected, LeagueState, MatchKey, effective_result
from ftk_core.league.match_seating_and_random_seeds import is_public, rotate_seating


def deal_of_rematch(league: LeagueState, key: MatchKey, *, by_terms: bool) -> int:
    """Return the number of the deal (random start) for the new match that replaces a void match.

    Raises CommandRejected if the match may not be played again.
    """
    # Usually the deal stays the same: else a bot with a bad deal could gain by making the match void. The table gets a
    # new one if spectators could watch, if an organiser voided the match, or if it failed so often that the settings
    # allow it.
    league.table_of(key)
    if not league.closed_rounds < key[0] == league.playing:
        raise CommandRejected(
            "round %(round)s is not being played; only matches of the round that is played are played again",
            round=key[0],
        )
    tried, head = league.voids.get(key, 0), league.header
    if by_terms:
        if key in league.recorded or not _has_tries_left(league, key):
            raise CommandRejected(
                "by its terms %(league)s does not play this match again (tries: %(tries)s, done: %(done)s)",
                league=head.name, tries=head.tries, done=tried,
            )  # fmt: skip
    elif key in league.recorded and effective_result(league.history.get(key, ())):
        raise CommandRejected("the match has a result that counts; void it first")
    return _next_deal(league, key, given_up=key not in league.recorded)


def _next_deal(league: LeagueState, key: MatchKey, *, given_up: bool) -> int:
    rematches = [fact for fact in league.noted if isinstance(fact, MatchReplaced) and _table_of(fact) == key[:2]]
    deals = [fact.deal for fact in rematches if fact.game == key[2]]
    current, head = deals[-1] if deals else 0, league.header
    used_up = head.ruling == "replay" and 0 < head.tries <= deals.count(current)
    # Remote bots and people remember what they saw, also where nobody could watch.
    is_known = is_public(league, key[0]) or (head.rules >= 2 and head.admits_outside_players)
    if given_up and not used_up and not is_known:
        return current
    return 1 + max((fact.deal for fact in rematches), default=0)


def _table_of(fact: MatchReplaced) -> tuple[int, int]:
    return fact.round, fact.table


def replay_match(league: LeagueState, key: MatchKey, old: str, new: str, actor: LeagueActor) -> MatchReplaced:
    """Return the event that replaces a match without a valid result by a new match.

    An empty `actor.by` means that the league's settings, not a person, cause the replacement. Raises CommandRejected if
    the match may not be played again.
    """
    deal = deal_of_rematch(league, key, by_terms=not actor.by)
    named = attribution_of(actor) if actor.by else EventActorFields(by="", at=actor.at, why=actor.why, approved="")
    return MatchReplaced(round=key[0], table=key[1], game=key[2], old=old, new=new, deal=deal, **named)


def rule_on_match(league: LeagueState, key: MatchKey, match: str, blamed: int | None) -> ResultRecorded:
    """Return the result by ruling of a match that failed too often to be played again.

    `blamed` is the seat at fault. Raises CommandRejected if the match must be played again instead.
    """
    # By the league's settings, the blamed seat is last and all others are first, or all share first place. Without a
    # blamed seat, they share it, too.
    seating = rotate_seating(league.table_of(key).seating, key[2])
    if not league.header.tries or _has_tries_left(league, key):
        raise CommandRejected(
            "the match was given up %(times)s times; it is played again", times=league.voids.get(key, 0) + 1
        )
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


def _has_tries_left(league: LeagueState, key: MatchKey) -> bool:
    deals = 2 if league.header.ruling == "replay" else 1
    return league.voids.get(key, 0) < league.header.tries * deals
