"""Computation of a league's state from its events, and their JSON format."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import groupby
from typing import cast

import msgspec

from ftk_core.facts import encode
from ftk_core.league import intervention_facts
from ftk_core.league.intervention_facts import Act
from ftk_core.league.league_facts import (
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
from ftk_core.league.league_state import EMPTY_LEAGUE, LeagueEntrant, LeagueState, RecordedResult, StageState
from ftk_core.league.signature_facts import LeagueSigned, RoundSigned

LeagueWideAct = (
    intervention_facts.LeaguePaused
    | intervention_facts.LeagueResumed
    | intervention_facts.LeagueExtended
    | intervention_facts.StageEndedEarly
    | intervention_facts.LeagueEndedEarly
    | intervention_facts.LeagueCancelled
    | intervention_facts.LeagueCorrected
)
"""Interventions that change the league as a whole: its terms, its pauses, its number of rounds, or its end."""

CORRECTABLE_TERMS = ("name", "entries_until", "description")
"""Terms of a league that an organiser can correct after it was announced."""


def apply_fact(league: LeagueState, fact: LeagueFact) -> LeagueState:
    """Return the state of the league after one more event."""
    put = msgspec.structs.replace
    match fact:
        case LeagueOpened():
            return put(league, opened=fact)
        case BotEntered():
            return _apply_entries(league, (fact,))
        case ResultRecorded():
            return _apply_results(league, (fact,))
        case RoundClosed() | LeagueClosed() | StageEnded() | RoundSigned() | LeagueSigned():
            return _apply_end(league, fact)
        case RoundDrafted() | RoundPaired() | StageBegun():
            return _apply_beginning(league, fact)
        case _:
            return _apply_act(put(league, noted=(*league.noted, fact)), fact)


def _apply_entries(league: LeagueState, facts: Sequence[BotEntered]) -> LeagueState:
    more = (
        LeagueEntrant(
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


def _apply_results(league: LeagueState, facts: Sequence[RecordedResult]) -> LeagueState:
    history = dict(league.history)
    for fact in facts:
        key = fact.round, fact.table, fact.game
        history[key] = (*history.get(key, ()), fact)
    matches = {(fact.round, fact.table, fact.game) for fact in facts if fact.round > league.closed_rounds}
    ruled = (fact for fact in facts if isinstance(fact, ResultRecorded) and fact.ruled)
    noted = (*league.noted, *ruled)
    return msgspec.structs.replace(league, history=history, recorded=league.recorded | matches, noted=noted)


def _apply_beginning(league: LeagueState, fact: RoundDrafted | RoundPaired | StageBegun) -> LeagueState:
    put = msgspec.structs.replace
    if isinstance(fact, StageBegun):
        first = len(league.rounds) + 1
        begun = StageState(number=fact.stage, first=first, entries=fact.entries, ratings=dict(fact.ratings))
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
    """Return the state after an event that ends a round, a stage or the league, or that signs results."""
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
    if isinstance(fact, LeagueWideAct):
        return _apply_league_wide_act(league, fact)
    match fact:
        case intervention_facts.ResultOverruled() | intervention_facts.MatchVoided():
            return put(_apply_results(league, (fact,)), corrected=league.draft is not None)
        case intervention_facts.MatchReplaced():
            key = fact.round, fact.table, fact.game
            voids = {**league.voids, key: league.voids.get(key, 0) + 1}
            return put(league, voids=voids, recorded=league.recorded - {key})
        case intervention_facts.PairingForbidden():
            return put(league, forbidden=league.forbidden | {frozenset((fact.one, fact.other))})
        case intervention_facts.AuthorInvited():
            return put(league, invited=league.invited | {fact.author})
        case intervention_facts.DraftedRoundChanged():
            draft = league.draft and exchange_in_draft(league.draft, fact)
            return put(league, draft=draft, changed=league.changed | {fact.round})
        case intervention_facts.ReplaysReleased() | intervention_facts.AnnouncementMade():
            rounds = {fact.round} if isinstance(fact, intervention_facts.ReplaysReleased) else set()
            return put(league, released=league.released | rounds)
        case _:
            entrants = tuple(_apply_to_entrant(entrant, fact, league.closed_rounds) for entrant in league.entrants)
            return put(league, entrants=entrants)


def correct_terms(terms: LeagueOpened, fact: intervention_facts.LeagueCorrected) -> LeagueOpened:
    """Return the terms (settings) of a league after a correction by an organiser."""
    corrected = {name: value for name in CORRECTABLE_TERMS if (value := getattr(fact, name)) is not None}
    return msgspec.structs.replace(terms, **corrected)


def _apply_league_wide_act(league: LeagueState, fact: LeagueWideAct) -> LeagueState:
    put = msgspec.structs.replace
    match fact:
        case intervention_facts.LeagueExtended():
            return put(league, begun=(*league.begun[:-1], put(league.begun[-1], extended=fact.rounds)))
        case intervention_facts.StageEndedEarly():
            return put(league, begun=(*league.begun[:-1], put(league.begun[-1], cut=True)), draft=None)
        case intervention_facts.LeagueEndedEarly() | intervention_facts.LeagueCancelled():
            return put(league, ended=True, draft=None)
        case intervention_facts.LeagueCorrected():
            return put(league, terms=correct_terms(league.header, fact))
        case intervention_facts.LeaguePaused() | intervention_facts.LeagueResumed():
            return put(league, paused=isinstance(fact, intervention_facts.LeaguePaused))


def _apply_to_entrant(
    entrant: LeagueEntrant,
    fact: intervention_facts.BotWithdrew
    | intervention_facts.WithdrawnBotReturned
    | intervention_facts.BotAbsenceGranted
    | intervention_facts.BotDisqualified
    | intervention_facts.EntrantBotVersionUpdated,
    closed: int,
) -> LeagueEntrant:
    if entrant.entry != fact.entry:
        return entrant
    put = msgspec.structs.replace
    match fact:
        case intervention_facts.BotAbsenceGranted():
            return put(entrant, excused=entrant.excused | set(fact.rounds))
        case intervention_facts.EntrantBotVersionUpdated():
            return put(entrant, version=fact.version, name=fact.name)
        case intervention_facts.BotDisqualified():
            gone_after = entrant.gone_after if entrant.withdrawn else closed
            return put(entrant, withdrawn=True, disqualified=True, gone_after=gone_after)
        case intervention_facts.WithdrawnBotReturned():
            return put(entrant, withdrawn=False)
        case intervention_facts.BotWithdrew():
            return put(entrant, withdrawn=True, gone_after=closed)


def exchange_in_draft(draft: RoundDrafted, fact: intervention_facts.DraftedRoundChanged) -> RoundDrafted:
    """Return a copy of a drafted round with two bots exchanged."""
    # The pairing certificate is removed, because it is no longer true.
    other = {fact.one: fact.other, fact.other: fact.one}
    put = msgspec.structs.replace
    tables = tuple(
        put(table, seating=tuple(other.get(entry, entry) for entry in table.seating)) for table in draft.tables
    )
    rests = tuple(put(rest, entry=other.get(rest.entry, rest.entry)) for rest in draft.rests)
    return put(draft, tables=tables, rests=rests, weighed=None)


def fold_facts(facts: Iterable[LeagueFact], league: LeagueState = EMPTY_LEAGUE) -> LeagueState:
    """Compute the state of a league from its events, starting from the given state."""
    for kind, alike in groupby(facts, type):
        # frequent facts are applied in batches, to avoid copying the whole history for each of them
        if kind is ResultRecorded:
            league = _apply_results(league, cast("Sequence[ResultRecorded]", tuple(alike)))
        elif kind is BotEntered:
            league = _apply_entries(league, cast("Sequence[BotEntered]", tuple(alike)))
        else:
            league = reduce(apply_fact, alike, league)
    return league


_decoder: msgspec.json.Decoder[LeagueFact] = msgspec.json.Decoder(LeagueFact)


def encode_fact(fact: LeagueFact) -> bytes:
    """Encode a league event as one JSON line."""
    return encode(fact) + b"\n"


def decode_fact(line: bytes) -> LeagueFact:
    """Decode the league event in one JSON line."""
    return _decoder.decode(line)
