"""Commands that run a league: enter bots, record results, draw rounds, end stages.

Each returns the league's new events, or raises CommandRejected.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace as put

from ftk_core.i18n import Message
from ftk_core.league.entry_and_qualification_rules import (
    check_entry_open,
    check_not_entered,
    check_size,
    granted_points,
    qualified_entries,
    stage_begun_fact,
)
from ftk_core.league.event_fields import QualifiedEntrant
from ftk_core.league.formats import find_format
from ftk_core.league.league_event_actors import LeagueActor, attribution_of
from ftk_core.league.league_facts import (
    BotEntered,
    LeagueFact,
    ResultRecorded,
    RoundClosed,
    RoundDrafted,
    RoundPaired,
    StageEnded,
)
from ftk_core.league.league_state import CommandRejected, LeagueState
from ftk_core.league.league_state_from_events import fold_facts
from ftk_core.league.stage_progress import (
    CannotPairDecision,
    NextRoundDecision,
    StageFinishedDecision,
    empty_progress,
    progress_of,
)
from ftk_core.league.statistics.round_seed_hash_chain import check_link, repeated_drafts_keep_link


class RoundTransitionEvents(msgspec.Struct, frozen=True):
    """Events between the end of a league round and the next round, or the end of the league."""

    facts: tuple[LeagueFact, ...]
    over: bool = False
    """True if the last stage is finished."""


def enter(
    league: LeagueState,
    version: int,
    name: str,
    author: str = "",
    *,
    newest: bool = False,
    by: str = "",
    at: int = 0,
) -> BotEntered:
    """Return the event that enters a bot version; raise CommandRejected if it may not enter."""
    check_entry_open(league)
    head = league.header
    if head.who == "invited" and author not in league.invited:
        raise CommandRejected(
            "%(league)s is for those who were invited; ask its organiser to invite %(author)s",
            league=head.name,
            author=author or Message("its author"),
        )
    check_not_entered(league, version, name)
    others = [entrant.name for entrant in league.entrants if author and entrant.author == author]
    if head.per_author and len(others) >= head.per_author:
        raise CommandRejected(
            "%(author)s has entered %(bots)s; an author enters %(most)s in %(league)s",
            author=author, bots=", ".join(others), most=head.per_author, league=head.name,
        )  # fmt: skip
    return BotEntered(
        entry=len(league.entrants) + 1,
        version=version,
        name=name,
        author=author,
        round=len(league.rounds) + 1,
        points=str(granted_points(league)),
        by=by,
        at=at,
        newest=newest,
    )


def record(league: LeagueState, *results: ResultRecorded) -> tuple[LeagueFact, ...]:
    """Return the events for new match results, and the end of the round if they complete it."""
    # Results of other rounds, repeated results, and results of voided matches are ignored.
    results_by_match = {
        (r.round, r.table, r.game): r for r in results if league.closed_rounds < r.round == league.playing
    }
    new = tuple(result for match, result in results_by_match.items() if match not in league.recorded)
    return (*new, *round_end_facts(league, len(new))) if new else ()


def round_end_facts(league: LeagueState, new: int = 0) -> tuple[RoundClosed, ...]:
    """Return the event that ends the current round, or () if results are missing.

    `new` is the number of further results that the caller records before this event. `league` does not contain them.
    """
    number = league.playing
    if league.closed_rounds == number:
        return ()
    matches = len(league.rounds[number - 1].tables) * league.terms_of(number).games
    done = sum(key[0] == number for key in league.recorded)
    return (RoundClosed(number),) if done + new >= matches else ()


def proceed(
    league: LeagueState, link: str, at: int = 0, budget: int = 0, ratings: Mapping[int, int] | None = None
) -> RoundTransitionEvents:
    """Return the next events of a league: a newly drawn round, or the end of the last stage.

    `link` is the random seed of the round, and `at` is its Unix time. `budget` limits how many pairs of bots the
    pairing examines (0: the default limit). Raises CommandRejected if no round can be drawn now.
    """
    # `ratings` (bot -> court rating) are used if a stage begins whose seeds are ordered by rating.
    head, luck = league.header, _StepArguments(link, at, budget, ratings or {})
    if not league.between or league.draft:
        if league.closed:
            raise CommandRejected("%(league)s is over", league=head.name)
        raise CommandRejected("a round of %(league)s is not closed yet", league=head.name)
    if league.ended:
        stages = league.begun[-1:]
        return RoundTransitionEvents(tuple(StageEnded(begun.number) for begun in stages if not begun.ended), over=True)
    if league.paused:
        raise CommandRejected("%(league)s is paused; resume it first", league=head.name)
    if league.begun or league.rounds:
        return _facts_after(league, (), luck)
    present = tuple(QualifiedEntrant(e.entry, e.points) for e in league.entrants if not e.withdrawn)
    check_size(league, 1, len(present))
    open_ = find_format(league.stages[0].format).takes_late
    return _facts_after(league, (stage_begun_fact(league, 1, () if open_ else present, luck.ratings),), luck)


class _StepArguments(msgspec.Struct, frozen=True):
    link: str
    at: int
    budget: int
    ratings: Mapping[int, int]


def draw_ahead(league: LeagueState, link: str, at: int = 0) -> tuple[RoundPaired, ...]:
    """Return the event that begins the next round early, or () if it must wait.

    `link` is the round's random seed.
    """
    if not can_pair_ahead(league):
        return ()
    progress = progress_of(league, link=link)
    drawn = find_format(progress.terms.format).next_round(progress)
    if isinstance(drawn, NextRoundDecision):
        check_link(league, link)
    return (_paired_fact(progress.number, drawn, link, at),) if isinstance(drawn, NextRoundDecision) else ()


def can_pair_ahead(league: LeagueState) -> bool:
    """Return True if the next round may be paired while the current one is played."""
    # Pairings must not depend on results or need an organiser's approval. All bots must be uploaded: persons and remote
    # bots can only play one round at a time.
    head, paired = league.header, len(league.rounds)
    waits = league.closed_rounds + 1 != paired or league.paused or league.is_ended_early
    if waits or head.held or head.admits_outside_players:
        return False
    return find_format(league.terms_of(paired).format).foreseen


def redraft(
    league: LeagueState, link: str, actor: LeagueActor, ratings: Mapping[int, int] | None = None
) -> RoundTransitionEvents:
    """Return the events that pair again a round that has not begun; `ratings` are those of `proceed`.

    Raises CommandRejected if that is impossible.
    """
    # The seed follows from `link`. In versions 1 and 2 of the league rules it followed from the link of the first draft
    # and the number of earlier drafts, so that an author could compute what a late entry would lead to.
    if league.draft is None:
        raise CommandRejected("no round of %(league)s is drafted", league=league.header.name)
    link = league.draft.link if repeated_drafts_keep_link(league.header.rules) else link
    coming = proceed(put(league, draft=None), link, actor.at, ratings=ratings)
    named = attribution_of(actor)
    return put(coming, facts=tuple(put(f, **named) if isinstance(f, RoundDrafted) else f for f in coming.facts))


def _facts_after(league: LeagueState, new: tuple[LeagueFact, ...], luck: _StepArguments) -> RoundTransitionEvents:
    """Return the events in `new`, and all automatic events after them up to the next round or the league's end.

    Raises CommandRejected if no round can be paired.
    """
    after = fold_facts(new, league)
    progress = progress_of(after, link=luck.link, budget=luck.budget)
    cut = bool(after.begun) and after.begun[-1].cut
    match StageFinishedDecision() if cut else find_format(progress.terms.format).next_round(progress):
        case CannotPairDecision(why=why):
            raise CommandRejected(why)
        case NextRoundDecision() as drawn:
            check_link(league, luck.link)
            return RoundTransitionEvents((*new, _round_fact(after, drawn, luck)))
        case StageFinishedDecision() if not after.begun:  # an old stream without stages
            return RoundTransitionEvents(new, over=True)
        case StageFinishedDecision():
            ended = after.begun[-1].number
            if ended == len(after.stages):
                return RoundTransitionEvents((*new, StageEnded(ended)), over=True)
            entries = qualified_entries(after, ended, luck.link)
            check_size(after, ended + 1, len(entries))
            following = stage_begun_fact(after, ended + 1, entries, luck.ratings)
            return _facts_after(league, (*new, StageEnded(ended), following), luck)


def _round_fact(league: LeagueState, drawn: NextRoundDecision, luck: _StepArguments) -> RoundDrafted | RoundPaired:
    number, link = len(league.rounds) + 1, luck.link
    if league.header.held:
        return RoundDrafted(
            round=number,
            tables=drawn.tables,
            rests=drawn.rests,
            link=link,
            weighed=drawn.weighed,
            draft=league.drafts,
        )
    return _paired_fact(number, drawn, link, luck.at)


def _paired_fact(number: int, drawn: NextRoundDecision, link: str, at: int) -> RoundPaired:
    return RoundPaired(round=number, tables=drawn.tables, weighed=drawn.weighed, rests=drawn.rests, link=link, at=at)


def planned_rounds(league: LeagueState) -> int:
    """Return the total number of rounds in all stages of a league, as known now."""
    if league.ended:
        return len(league.rounds)
    stage = league.stage_of(len(league.rounds) + 1)
    progress = progress_of(league, stage)
    rounds, entries = stage.first - 1, len(progress.seeds)
    for terms in league.stages[stage.number - 1 :]:
        if terms is not progress.terms:
            entries = min(terms.qualify or entries, entries)
            progress = empty_progress(terms, entries, league.header.rules)
        cut = bool(league.begun) and league.begun[-1].cut and terms is league.stages[stage.number - 1]
        rounds += len(progress.drawn) if cut else find_format(terms.format).planned(progress)
    return rounds
