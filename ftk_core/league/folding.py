"""Fold of a league's facts into its state, and their encoding in the stream."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import groupby
from typing import cast

import msgspec

from ftk_core.facts import encode
from ftk_core.league import acts
from ftk_core.league.acts import Act
from ftk_core.league.facts import (
    BotEntered,
    LeagueClosed,
    LeagueFact,
    LeagueOpened,
    ResultRecorded,
    RoundClosed,
    RoundDrafted,
    RoundPaired,
    StageBegun,
    StageEnded,
)
from ftk_core.league.signatures import LeagueSigned, RoundSigned
from ftk_core.league.state import NOTHING, Begun, Entrant, LeagueState, Result

Steering = acts.LeaguePaused | acts.LeagueResumed | acts.LeagueExtended | acts.StageCut | acts.LeagueEnded
"""Acts that control whether and how many rounds are drawn."""


def apply(league: LeagueState, fact: LeagueFact) -> LeagueState:
    """Return the state of the league after a fact."""
    put = msgspec.structs.replace
    match fact:
        case LeagueOpened():
            return put(league, opened=fact)
        case BotEntered():
            return _entered(league, (fact,))
        case ResultRecorded():
            return _recorded(league, (fact,))
        case RoundClosed() | LeagueClosed() | StageEnded() | RoundSigned() | LeagueSigned():
            return _apply_end(league, fact)
        case RoundDrafted() | RoundPaired() | StageBegun():
            return _apply_beginning(league, fact)
        case _:
            return _apply_act(put(league, noted=(*league.noted, fact)), fact)


def _entered(league: LeagueState, facts: Sequence[BotEntered]) -> LeagueState:
    more = (
        Entrant(
            entry=f.entry,
            version=f.version,
            name=f.name,
            author=f.author,
            since=f.round,
            points=f.points,
            newest=f.newest,
        )
        for f in facts
    )
    late = (fact for fact in facts if fact.round > 1)
    return msgspec.structs.replace(league, entrants=(*league.entrants, *more), noted=(*league.noted, *late))


def _recorded(league: LeagueState, facts: Sequence[Result]) -> LeagueState:
    history = dict(league.history)
    for fact in facts:
        key = fact.round, fact.table, fact.game
        history[key] = (*history.get(key, ()), fact)
    here = {(fact.round, fact.table, fact.game) for fact in facts if fact.round > league.closed_rounds}
    ruled = (fact for fact in facts if isinstance(fact, ResultRecorded) and fact.ruled)
    noted = (*league.noted, *ruled)
    return msgspec.structs.replace(league, history=history, recorded=league.recorded | here, noted=noted)


def _apply_beginning(league: LeagueState, fact: RoundDrafted | RoundPaired | StageBegun) -> LeagueState:
    put = msgspec.structs.replace
    if isinstance(fact, StageBegun):
        first = len(league.rounds) + 1
        begun = Begun(number=fact.stage, first=first, entries=fact.entries, ratings=dict(fact.ratings))
        return put(league, begun=(*league.begun, begun))
    new = () if not fact.link or fact.link in league.links[-1:] else (fact.link,)
    league = put(league, links=(*league.links, *new))
    if isinstance(fact, RoundDrafted):
        drafts = fact.draft + 1 if league.header.rules else 0
        return put(league, draft=fact, drafts=drafts, corrected=False)
    return put(league, rounds=(*league.rounds, fact), draft=None, drafts=0)


def _apply_end(
    league: LeagueState, fact: RoundClosed | LeagueClosed | StageEnded | RoundSigned | LeagueSigned
) -> LeagueState:
    """Return the state of the league after one of its parts ended."""
    put = msgspec.structs.replace
    match fact:
        case RoundClosed():
            ahead = frozenset(key for key in league.recorded if key[0] > fact.round)
            return put(league, closed_rounds=fact.round, recorded=ahead)
        case StageEnded():
            return put(league, begun=(*league.begun[:-1], put(league.begun[-1], ended=True)), draft=None)
        case LeagueClosed():
            return put(league, closed=True)
        case RoundSigned() | LeagueSigned():
            return put(league, signed=(*league.signed, fact))


def _apply_act(league: LeagueState, fact: Act) -> LeagueState:
    put = msgspec.structs.replace
    if isinstance(fact, Steering):
        return _steered(league, fact)
    match fact:
        case acts.ResultOverruled() | acts.MatchVoided():
            return put(_recorded(league, (fact,)), corrected=league.draft is not None)
        case acts.MatchReplaced():
            key = fact.round, fact.table, fact.game
            voids = {**league.voids, key: league.voids.get(key, 0) + 1}
            return put(league, voids=voids, recorded=league.recorded - {key})
        case acts.MeetingForbidden():
            return put(league, forbidden=league.forbidden | {frozenset((fact.one, fact.other))})
        case acts.AuthorInvited():
            return put(league, invited=league.invited | {fact.author})
        case acts.RoundChanged():
            draft = league.draft and exchanged(league.draft, fact)
            return put(league, draft=draft, changed=league.changed | {fact.round})
        case acts.ReplaysReleased() | acts.AnnouncementMade():
            rounds = {fact.round} if isinstance(fact, acts.ReplaysReleased) else set()
            return put(league, released=league.released | rounds)
        case _:
            entrants = tuple(_told(entrant, fact, league.closed_rounds) for entrant in league.entrants)
            return put(league, entrants=entrants)


def _steered(league: LeagueState, fact: Steering) -> LeagueState:
    put = msgspec.structs.replace
    match fact:
        case acts.LeagueExtended():
            return put(league, begun=(*league.begun[:-1], put(league.begun[-1], extended=fact.rounds)))
        case acts.StageCut():
            return put(league, begun=(*league.begun[:-1], put(league.begun[-1], cut=True)), draft=None)
        case acts.LeagueEnded():
            return put(league, ended=True, draft=None)
        case _:
            return put(league, paused=isinstance(fact, acts.LeaguePaused))


def _told(
    entrant: Entrant,
    fact: acts.BotWithdrew | acts.BotReturned | acts.BotExcused | acts.BotDisqualified | acts.VersionRenewed,
    closed: int,
) -> Entrant:
    if entrant.entry != fact.entry:
        return entrant
    put = msgspec.structs.replace
    match fact:
        case acts.BotExcused():
            return put(entrant, excused=entrant.excused | set(fact.rounds))
        case acts.VersionRenewed():
            return put(entrant, version=fact.version, name=fact.name)
        case acts.BotDisqualified():
            gone_after = entrant.gone_after if entrant.withdrawn else closed
            return put(entrant, withdrawn=True, disqualified=True, gone_after=gone_after)
        case acts.BotReturned():
            return put(entrant, withdrawn=False)
        case acts.BotWithdrew():
            return put(entrant, withdrawn=True, gone_after=closed)


def exchanged(draft: RoundDrafted, fact: acts.RoundChanged) -> RoundDrafted:
    """Return a drafted round with two entries exchanged. Its certificate becomes invalid and is dropped."""
    other = {fact.one: fact.other, fact.other: fact.one}
    put = msgspec.structs.replace
    tables = tuple(
        put(table, seating=tuple(other.get(entry, entry) for entry in table.seating)) for table in draft.tables
    )
    rests = tuple(put(rest, entry=other.get(rest.entry, rest.entry)) for rest in draft.rests)
    return put(draft, tables=tables, rests=rests, weighed=None)


def fold(facts: Iterable[LeagueFact], league: LeagueState = NOTHING) -> LeagueState:
    """Fold facts into the state of a league, starting from a given state."""
    for kind, alike in groupby(facts, type):
        # frequent facts are applied in batches, to avoid copying the whole history for each of them
        if kind is ResultRecorded:
            league = _recorded(league, cast("Sequence[ResultRecorded]", tuple(alike)))
        elif kind is BotEntered:
            league = _entered(league, cast("Sequence[BotEntered]", tuple(alike)))
        else:
            league = reduce(apply, alike, league)
    return league


_decoder: msgspec.json.Decoder[LeagueFact] = msgspec.json.Decoder(LeagueFact)


def write(fact: LeagueFact) -> bytes:
    """Encode a fact as one line of the stream."""
    return encode(fact) + b"\n"


def read(line: bytes) -> LeagueFact:
    """Decode the fact in a line."""
    return _decoder.decode(line)
