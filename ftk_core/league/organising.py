"""Acts of people on a running league: each returns its fact, or raises NotNow with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import msgspec

from ftk_core.league import acts
from ftk_core.league.drafts import check_draft, check_not_paired_ahead
from ftk_core.league.facts import ResultRecorded, RoundDrafted, RoundPaired
from ftk_core.league.folding import exchanged
from ftk_core.league.formats import formats
from ftk_core.league.progress import Round, progress_of
from ftk_core.league.state import Entrant, Key, LeagueState, NotNow, standing

FURTHEST = 1000
"""Maximum number of rounds of a league."""
LONGEST_ANNOUNCEMENT = 200
"""Maximum length of an announcement in characters."""


class Hand(msgspec.Struct, frozen=True, kw_only=True):
    """Actor, time and reason of an act."""

    by: str
    at: int
    why: str = ""
    approved: str = ""
    """Name of the person who approved, if required."""


def begin(league: LeagueState, at: int) -> RoundPaired:
    """Return the fact that a drafted round begins; raise NotNow if a later act made the draft invalid."""
    draft = _draft(league)
    check_draft(league)
    weighed = draft.weighed
    if draft.round in league.changed:
        from ftk_core.league.certificates import certificate  # who only folds and verifies a league need not have numpy

        weighed = certificate(progress_of(league, link=draft.link), Round(tables=draft.tables, rests=draft.rests))
    return RoundPaired(
        round=draft.round,
        tables=draft.tables,
        weighed=weighed,
        rests=draft.rests,
        link=draft.link,
        at=at,
        draft=draft.draft,
    )


def exchange(league: LeagueState, one: int, other: int, hand: Hand) -> acts.RoundChanged:
    """Return the fact that two entries of the drafted round exchange places, if its format allows it."""
    draft = _draft(league)
    here = [entry for table in draft.tables for entry in table.seating] + [rest.entry for rest in draft.rests]
    for entry in (one, other):
        if entry not in here or league.entrant(entry).withdrawn:
            raise NotNow(f"entry {entry} is not in round {draft.round}")
    sat = {entry: table.number for table in draft.tables for entry in table.seating}
    tables = sat.get(one, 0), sat.get(other, 0)
    fact = acts.RoundChanged(round=draft.round, one=one, other=other, tables=tables, **attribution_of(hand))
    after = exchanged(draft, fact)
    if one == other or after == msgspec.structs.replace(draft, weighed=None):
        raise NotNow(f"exchanging entries {one} and {other} changes nothing")
    for table in after.tables:
        if meeting := next((pair for pair in league.forbidden if pair <= set(table.seating)), None):
            raise NotNow(f"then entries {min(meeting)} and {max(meeting)} meet, which is forbidden")
    if fixed := formats()[league.terms_of(draft.round).format].fixed:
        raise NotNow(f"{fixed}; a round of it is not changed by hand")
    return fact


def _draft(league: LeagueState) -> RoundDrafted:
    if league.draft is None:
        raise NotNow(f"no round of {league.header.name} is drafted and waits")
    return league.draft


def withdraw(league: LeagueState, entry: int, hand: Hand) -> acts.BotWithdrew:
    """Return the fact that an entry is no longer paired; its current matches are finished."""
    entrant = _here(league, entry)
    if entrant.withdrawn:
        raise NotNow(f"{entrant.name} has withdrawn already")
    told = attribution_of(hand)
    return acts.BotWithdrew(entry=entry, reason=told["why"], by=told["by"], at=told["at"], approved=told["approved"])


def bring_back(league: LeagueState, entry: int, hand: Hand) -> acts.BotReturned:
    """Return the fact that a withdrawn entry is paired again."""
    entrant = _here(league, entry)
    if not entrant.withdrawn or entrant.disqualified:
        raise NotNow(f"{entrant.name} is {'disqualified' if entrant.disqualified else 'in the league'}")
    return acts.BotReturned(entry=entry, **attribution_of(hand))


def excuse(league: LeagueState, entry: int, rounds: Sequence[int], hand: Hand) -> acts.BotExcused:
    """Return the fact that an entry is absent from rounds that are not paired yet."""
    entrant = _here(league, entry)
    first = len(league.rounds) + (2 if league.draft else 1)
    if not rounds or any(not first <= number <= FURTHEST for number in rounds):
        raise NotNow(f"{entrant.name} can be excused from round {first} on; say from which rounds")
    return acts.BotExcused(entry=entry, rounds=tuple(sorted(set(rounds))), **attribution_of(hand))


def disqualify(league: LeagueState, entry: int, hand: Hand) -> acts.BotDisqualified:
    """Return the fact that an entry is disqualified: it ranks below all others and is not paired."""
    if (entrant := _here(league, entry)).disqualified:
        raise NotNow(f"{entrant.name} is disqualified already")
    return acts.BotDisqualified(entry=entry, **attribution_of(hand))


def forbid(league: LeagueState, one: int, other: int, hand: Hand) -> acts.MeetingForbidden:
    """Return the fact that two entries must not meet in any round that begins from now on."""
    names = _here(league, one).name, _here(league, other).name
    if one == other or frozenset((one, other)) in league.forbidden:
        raise NotNow(f"{names[0]} and {names[1]} are {'one entry' if one == other else 'kept apart already'}")
    check_not_paired_ahead(league, one, other)
    return acts.MeetingForbidden(one=min(one, other), other=max(one, other), **attribution_of(hand))


def invite(league: LeagueState, author: str, hand: Hand) -> acts.AuthorInvited:
    """Return the fact that an author may enter a league that is by invitation only."""
    check_open(league)
    if league.header.who != "invited":
        raise NotNow(f"anybody may enter {league.header.name}; nobody needs to be invited")
    if not author.strip() or author in league.invited:
        raise NotNow(f"{author} is invited already" if author.strip() else "say which author is invited, by name")
    return acts.AuthorInvited(author=author, **attribution_of(hand))


def renew(league: LeagueState, entry: int, version: int, name: str, at: int) -> acts.VersionRenewed:
    """Return the fact that an entry changes to a newer version of its bot, before its first round is paired."""
    entrant = _here(league, entry)
    if not entrant.newest or entrant.since != len(league.rounds) + 1:
        raise NotNow(f"{entrant.name} stays as it is: it did not ask to be renewed, or has been paired")
    if any(other.version == version for other in league.entrants):
        raise NotNow(f"{name} has entered already")
    return acts.VersionRenewed(entry=entry, version=version, name=name, old=entrant.name, at=at)


def pause(league: LeagueState, hand: Hand) -> acts.LeaguePaused:
    """Return the fact that no round begins until the league is resumed."""
    check_open(league)
    if league.paused:
        raise NotNow(f"{league.header.name} is paused already")
    return acts.LeaguePaused(**attribution_of(hand))


def resume(league: LeagueState, hand: Hand) -> acts.LeagueResumed:
    """Return the fact that rounds can begin again."""
    check_open(league)
    if not league.paused:
        raise NotNow(f"{league.header.name} is not paused")
    return acts.LeagueResumed(**attribution_of(hand))


def extend(league: LeagueState, rounds: int, hand: Hand) -> acts.LeagueExtended:
    """Return the fact that the current stage has this many rounds, at least those drafted or played."""
    check_open(league)
    if not league.begun:
        raise NotNow(f"{league.header.name} has not begun; announce it anew with {rounds} rounds")
    number = len(league.rounds) + 1
    played = number - league.stage_of(number).first + (league.draft is not None)
    if not max(1, played) <= rounds <= FURTHEST:
        raise NotNow(f"the stage has {played} rounds already; it can have {max(1, played)} to {FURTHEST}, not {rounds}")
    return acts.LeagueExtended(rounds=rounds, **attribution_of(hand))


def release(league: LeagueState, round_: int, hand: Hand) -> acts.ReplaysReleased:
    """Return the fact that the replays of a round (0: of all rounds) are public; this cannot be undone."""
    check_open(league)
    if not 0 <= round_ <= len(league.rounds):
        raise NotNow(f"{league.header.name} has no round {round_} yet; 0 releases all, those to come too")
    if all(league.is_released(number) for number in ([round_] if round_ else range(1, len(league.rounds) + 2))):
        raise NotNow(f"the replays of {f'round {round_}' if round_ else league.header.name} are released already")
    return acts.ReplaysReleased(round=round_, **attribution_of(hand))


def announce(league: LeagueState, text: str, hand: Hand) -> acts.AnnouncementMade:
    """Return the fact that a message of one line was published."""
    check_open(league)
    line = " ".join(text.split())
    if not line or len(line) > LONGEST_ANNOUNCEMENT or not line.isprintable():
        raise NotNow(f"an announcement has 1 to {LONGEST_ANNOUNCEMENT} characters that can be shown, not {len(line)}")
    return acts.AnnouncementMade(text=line, **attribution_of(hand, reason=False))


def overrule(league: LeagueState, key: Key, places: Sequence[int], hand: Hand) -> acts.ResultOverruled:
    """Return the fact that a match counts with other places; raise NotNow once the league is closed and signed."""
    result = _result(league, key)
    seats = len(result.seating)
    if len(places) != seats or min(places) != 1 or any(p != 1 + sum(q < p for q in places) for p in places):
        raise NotNow(f"places {list(places)} cannot be: {seats} seats share the places from 1, as 1, 2, 2, 4")
    if tuple(places) == result.places:
        raise NotNow(f"match {result.match} counts with these places already")
    return acts.ResultOverruled(
        round=key[0], table=key[1], game=key[2], match=result.match, places=tuple(places), **attribution_of(hand)
    )


def void(league: LeagueState, key: Key, match: str, hand: Hand) -> acts.MatchVoided:
    """Return the fact that a match does not count: its result is removed, or the league no longer waits for it."""
    check_open(league)
    league.table_of(key)
    waited_for = league.closed_rounds < key[0] and key not in league.recorded
    if not waited_for and _result(league, key).match != match:
        raise NotNow(f"round {key[0]}, table {key[1]}, match {key[2] + 1} was not played as match {match}")
    return acts.MatchVoided(round=key[0], table=key[1], game=key[2], match=match, **attribution_of(hand))


def _result(league: LeagueState, key: Key) -> ResultRecorded:
    """Return the result that counts."""
    check_open(league)
    result = standing(league.history.get(key, ()))
    if result is None:
        raise NotNow(f"round {key[0]}, table {key[1]}, match {key[2] + 1} has no result that counts")
    return result


def check_open(league: LeagueState) -> None:
    """Raise NotNow if the league is closed."""
    if league.closed:
        raise NotNow(f"{league.header.name} is closed and signed; nothing of it can be changed any more")


def _here(league: LeagueState, entry: int) -> Entrant:
    check_open(league)
    if not 1 <= entry <= len(league.entrants):
        raise NotNow(f"{league.header.name} has entries 1 to {len(league.entrants)}, not {entry}")
    return league.entrant(entry)


class Attribution(TypedDict):
    """Fields of an act with its actor, time and reason."""

    by: str
    at: int
    why: str
    approved: str


def attribution_of(hand: Hand, *, reason: bool = True) -> Attribution:
    """Return the fields of an act; raise NotNow if the name, or a required reason, is missing."""
    if not hand.by.strip() or (reason and not hand.why.strip()):
        raise NotNow("say who acts and why: everybody reads it beside the results")
    if hand.approved == hand.by:
        raise NotNow(f"{hand.by} acts; somebody else must approve it")
    return {"by": hand.by, "at": hand.at, "why": hand.why, "approved": hand.approved}
