"""Text report on changes by hand that could affect a league's results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby

import msgspec

from ftk_core.league import intervention_facts
from ftk_core.league.event_audit.intervention_kinds import (
    INTERVENTION_KINDS,
    actor_of,
    describe_match,
    describe_places,
)
from ftk_core.league.intervention_facts import BotWithdrew, MatchReplaced, MatchVoided, ResultOverruled
from ftk_core.league.league_facts import BotEntered, LeagueFact, ResultRecorded, RoundDrafted, StageBegun
from ftk_core.league.league_state import EMPTY_LEAGUE, CommandRejected, LeagueEntrant, LeagueState
from ftk_core.league.league_state_from_events import apply_fact, fold_facts

BY_TERMS = "the league's terms"
"""Name shown as the actor of an intervention that the terms of the league caused, not a person."""


class ReportedIntervention(msgspec.Struct, frozen=True, kw_only=True):
    """Description of an intervention: a change of the league by hand that could affect its results."""

    what: str
    """Kind of intervention, in the plural: ``Results overruled``."""
    by: str
    how: str
    """Details of the intervention."""
    why: str


def list_intervention_lines(facts: Iterable[LeagueFact]) -> Iterator[str]:
    """Yield the lines of a report on changes by hand that could affect results."""
    listed = sorted(_list_interventions(tuple(facts)), key=lambda one: one.what)
    for heading, same in groupby(listed, key=lambda one: one.what):
        group_acts = list(same)
        by = ", ".join(dict.fromkeys(one.by for one in group_acts))
        yield f"{heading}: {len(group_acts)}, by {by}"
        yield from (f"  {one.how}, by {one.by}{one.why and f', because: {one.why}'}" for one in group_acts)


def describe_drawing_libraries() -> str:
    """Return the libraries that draw rounds with their installed versions, such as ``numpy 2.3.5, no scipy``."""
    found = []
    for name in ("numpy", "scipy", "rustworkx"):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:  # knockouts, ladders and gauntlets are drawn without it
            found.append(f"no {name}")
    return ", ".join(found)


def list_backward_times(facts: Sequence[LeagueFact]) -> Iterator[str]:
    """Yield a sentence for each event that is dated before an earlier event."""
    latest = 0
    for seq, fact in enumerate(facts):
        at = getattr(fact, "at", 0)
        if at and at < latest:
            yield f"entry {seq} is dated {latest - at} s before an entry above it"
        latest = max(latest, at)


def _list_interventions(facts: Sequence[LeagueFact]) -> Iterator[ReportedIntervention]:
    league, everybody = EMPTY_LEAGUE, fold_facts(facts).entrants
    for fact in facts:
        match fact:
            case RoundDrafted() if league.draft is not None:
                how = f"round {fact.round}, draft {fact.draft + 1}"
                by = _describe_people(league, everybody, fact, fact.by or "nobody named", fact.approved)
                yield ReportedIntervention(what="Rounds drafted again", by=by, how=how, why=fact.why)
            case BotEntered() if _is_unusual_entry(league, fact):
                how = f"{fact.name} (entry {fact.entry}), from round {fact.round}, with {fact.points} points"
                by = _describe_people(league, everybody, fact, fact.by or "its author", fact.approved)
                yield ReportedIntervention(
                    what="Entries that came late, or by others than the owner of the bot", by=by, how=how, why=fact.why
                )
            case StageBegun() if fact.ratings or _is_seeded_by_rating(league, fact):
                yield ReportedIntervention(
                    what="Seeds by court ratings, which the export does not prove",
                    by=BY_TERMS, how=f"stage {fact.stage}: {_describe_ratings(league, fact)}", why="",
                )  # fmt: skip
            case ResultRecorded() if fact.ruled:
                counts = f"{describe_match(fact)} counts as {describe_places(fact.places)}"
                how = f"{counts}, as match {fact.match} was given up too often"
                yield ReportedIntervention(what="Results by rule", by=BY_TERMS, how=how, why="")
            case intervention_facts.InterventionFact() | intervention_facts.BotWithdrew():
                record, hand = INTERVENTION_KINDS[type(fact)], actor_of(fact)
                if record.heading:
                    by = _describe_people(league, everybody, fact, _quote_reserved_name(hand.by), hand.approved)
                    how = record.describe(league, fact)
                    yield ReportedIntervention(what=record.heading, by=by, how=how, why=hand.why)
            case _:
                pass
        league = apply_fact(league, fact)


def _quote_reserved_name(by: str) -> str:
    # In quotes, a person's name that is this text cannot be taken for it.
    return repr(by) if by == BY_TERMS else by or BY_TERMS


def _is_seeded_by_rating(league: LeagueState, fact: StageBegun) -> bool:
    return 0 < fact.stage <= len(league.stages) and league.stages[fact.stage - 1].seeding == "rating"


def _describe_ratings(league: LeagueState, fact: StageBegun) -> str:
    """Return the rating of each entry of a stage. An entry without a rating counts as the last one."""
    rated = dict(fact.ratings)
    entries = [one.entry for one in fact.entries] or [one.entry for one in league.entrants if not one.withdrawn]
    said = [
        f"{league.entrant(entry).name} {rated.get(entry, 'without a rating')}"
        for entry in {**rated, **dict.fromkeys(entries)}
    ]
    return ", ".join(said)


def _is_unusual_entry(league: LeagueState, fact: BotEntered) -> bool:
    """Return True if an entry came late, with a reason, or by somebody else than the bot's owner."""
    until = league.header.entries_until
    is_late = fact.round > 1 or (until and fact.at > until)
    return bool(is_late or fact.why or fact.approved or fact.by not in ("", fact.author))


def _describe_people(
    league: LeagueState, everybody: Sequence[LeagueEntrant], fact: LeagueFact, by: str, approved: str
) -> str:
    """Name the people who made and approved a change, each with their bots in the league.

    `everybody` lists all entrants of the league, also those that entered after the change.
    """
    approval = f" with the approval of {approved}{_describe_own(league, everybody, fact, approved)}" if approved else ""
    is_own = isinstance(fact, BotWithdrew) and fact.entry in [one.entry for one in _list_own(everybody, by)]
    return f"{by}{'' if is_own else _describe_own(league, everybody, fact, by)}{approval}"


def _describe_own(league: LeagueState, everybody: Sequence[LeagueEntrant], fact: LeagueFact, person: str) -> str:
    """Name the person's bots at the table of a changed match.

    If the person has no bot there, or if the change concerns no match, name all the person's bots in the league. Return
    "" if the person has no bot in the league.
    """
    if isinstance(fact, ResultOverruled | MatchVoided | MatchReplaced):
        try:
            seating = league.table_of((fact.round, fact.table, fact.game)).seating
            if own := _list_own([league.entrant(entry) for entry in seating], person):
                return f" (an author of {' and '.join(one.name for one in own)}, at this table)"
        except (CommandRejected, LookupError):  # a forged fact may name a table that was never drawn
            pass
    own = _list_own(everybody, person)
    return f" (an author of {' and '.join(one.name for one in own)}, in this league)" if own else ""


def _list_own(entrants: Sequence[LeagueEntrant], person: str) -> list[LeagueEntrant]:
    return [entrant for entrant in entrants if entrant.author.strip() and entrant.author.strip() == person.strip()]
