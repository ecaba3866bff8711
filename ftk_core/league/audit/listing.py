"""List of acts that could change results, by people and by the terms of the league, each as a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec

from ftk_core.league import acts
from ftk_core.league.acts import Act
from ftk_core.league.facts import BotEntered, LeagueFact, ResultRecorded, RoundDrafted
from ftk_core.league.folding import apply
from ftk_core.league.state import NOTHING, LeagueState, standing

BY_TERMS = "the league's terms"


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """Act that could change results."""

    what: str
    """Kind of act in the plural: ``Results overruled``."""
    by: str
    how: str
    """Details of the act."""
    why: str


def list_acts(facts: Iterable[LeagueFact]) -> Iterator[str]:
    """Yield lines that list all acts that could change results, grouped by kind."""
    listed = sorted(_listed(facts), key=lambda one: one.what)
    for what, same in groupby(listed, key=lambda one: one.what):
        these = list(same)
        by = ", ".join(dict.fromkeys(one.by for one in these))
        yield f"{what}: {len(these)}, by {by}"
        yield from (f"  {one.how}, by {one.by}{one.why and f', because: {one.why}'}" for one in these)


def list_backward_times(facts: Sequence[LeagueFact]) -> Iterator[str]:
    """Yield each fact that is dated before an earlier one in the stream."""
    latest = 0
    for seq, fact in enumerate(facts):
        at = getattr(fact, "at", 0)
        if at and at < latest:
            yield f"entry {seq} is dated {latest - at} s before an entry above it"
        latest = max(latest, at)


def _listed(facts: Iterable[LeagueFact]) -> Iterator[Listed]:
    league = NOTHING
    for fact in facts:
        match fact:
            case RoundDrafted() if league.draft is not None:
                how = f"round {fact.round}, draft {fact.draft + 1}"
                by = f"{fact.by or 'nobody named'}{_approved(fact.approved)}"
                yield Listed(what="Rounds drafted again", by=by, how=how, why=fact.why)
            case BotEntered() if fact.round > 1 or fact.why or fact.approved or fact.by not in ("", fact.author):
                how = f"{fact.name} (entry {fact.entry}), from round {fact.round}, with {fact.points} points"
                by = f"{fact.by or 'its author'}{_approved(fact.approved)}"
                yield Listed(
                    what="Entries that came late, or by others than their author", by=by, how=how, why=fact.why
                )
            case ResultRecorded() if fact.ruled:
                how = f"{_match(fact)} counts as {_places(fact.places)}, as match {fact.match} was given up too often"
                yield Listed(what="Results by rule", by=BY_TERMS, how=how, why="")
            case acts.Deed() | acts.BotWithdrew() if type(fact) in KINDS:
                what, phrase = KINDS[type(fact)]
                why = fact.reason if isinstance(fact, acts.BotWithdrew) else fact.why
                by = f"{fact.by or BY_TERMS}{_approved(fact.approved)}"
                yield Listed(what=what, by=by, how=phrase(league, fact), why=why)
            case _:
                pass
        league = apply(league, fact)


def _overruled(league: LeagueState, act: acts.ResultOverruled) -> str:
    return f"{_match(act)} (match {act.match}) counts as {_places(act.places)} in place of {_counted(league, act)}"


def _counted(league: LeagueState, act: acts.ResultOverruled | acts.MatchVoided) -> str:
    """Describe how a match counted before an act."""
    past = standing(league.history.get((act.round, act.table, act.game), ()))
    return _places(past.places) if past else "nothing"


def _match(fact: ResultRecorded | acts.MatchReplaced | acts.MatchVoided | acts.ResultOverruled) -> str:
    return f"round {fact.round}, table {fact.table}, match {fact.game + 1}"


def _places(places: Sequence[int]) -> str:
    return f"places {', '.join(map(str, places))}"


def _pair(league: LeagueState, act: acts.MeetingForbidden | acts.RoundChanged) -> str:
    return f"{_name(league, act.one)} and {_name(league, act.other)}"


def _name(league: LeagueState, entry: int) -> str:
    known = 1 <= entry <= len(league.entrants)
    return f"{league.entrant(entry).name} (entry {entry})" if known else f"entry {entry}"


def _approved(by: str) -> str:
    return f" with the approval of {by}" if by else ""


KINDS: Mapping[type[Act], tuple[str, Callable[[LeagueState, Any], str]]] = {
    acts.BotWithdrew: ("Entries withdrawn", lambda league, act: _name(league, act.entry)),
    acts.BotReturned: ("Entries brought back", lambda league, act: _name(league, act.entry)),
    acts.BotDisqualified: ("Entries disqualified", lambda league, act: _name(league, act.entry)),
    acts.BotExcused: (
        "Entries excused",
        lambda league, act: f"{_name(league, act.entry)} from rounds {', '.join(map(str, act.rounds))}",
    ),
    acts.MeetingForbidden: ("Meetings forbidden", _pair),
    acts.RoundChanged: (
        "Drafts changed",
        lambda league, act: f"in round {act.round} {_pair(league, act)} changed places (tables {act.tables})",
    ),
    acts.MatchReplaced: (
        "Matches played again",
        lambda _, act: f"{_match(act)} as match {act.new} in place of {act.old} on deal {act.deal + 1} of its table",
    ),
    acts.MatchVoided: (
        "Matches voided",
        lambda league, act: f"{_match(act)} (match {act.match}), which counted as {_counted(league, act)}",
    ),
    acts.ResultOverruled: ("Results overruled", _overruled),
    acts.LeaguePaused: ("Pauses", lambda _, __: "no round begins"),
    acts.LeagueResumed: ("Ends of pauses", lambda _, __: "rounds begin again"),
    acts.StageCut: ("Stages ended early", lambda _, act: f"stage {act.stage} ended"),
    acts.LeagueEnded: ("Leagues closed early", lambda _, __: "the league was closed"),
    acts.LeagueExtended: ("Numbers of rounds changed", lambda _, act: f"the stage has {act.rounds} rounds"),
    acts.VersionRenewed: (
        "Versions renewed",
        lambda _, act: f"{act.old} (entry {act.entry}) plays as {act.name}, version {act.version}",
    ),
    acts.AuthorInvited: ("Authors invited", lambda _, act: str(act.author)),
    acts.ReplaysReleased: (
        "Replays released early",
        lambda _, act: f"of round {act.round}" if act.round else "of all rounds",
    ),
}
"""By kind: heading of such acts, and a phrase for one of them. Announcements change no results."""
