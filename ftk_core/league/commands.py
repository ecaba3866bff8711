"""Commands on a league: each returns the facts that it makes, or raises NotNow with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec
from msgspec.structs import replace as put

from ftk_core.league.facts import (
    BotEntered,
    LeagueFact,
    ResultRecorded,
    RoundClosed,
    RoundDrafted,
    RoundPaired,
    StageEnded,
)
from ftk_core.league.folding import fold
from ftk_core.league.formats import formats
from ftk_core.league.organising import Hand, attribution_of
from ftk_core.league.plans import Qualified
from ftk_core.league.progress import Over, Round, Wait, blank, progress_of
from ftk_core.league.stages import check_size, qualified, stage_begun
from ftk_core.league.state import WIN, LeagueState, NotNow
from ftk_core.league.tallies import tallies_of


class Next(msgspec.Struct, frozen=True):
    """Facts that come next in a league between two rounds."""

    facts: tuple[LeagueFact, ...]
    over: bool = False
    """True if the last stage is finished."""


def check_doors(league: LeagueState) -> None:
    """Raise NotNow if it is too late to enter the league."""
    head, round_ = league.header, len(league.rounds) + 1
    if round_ > max(1, head.late) or (league.begun and league.begun[-1].number > 1):
        raise NotNow(f"{head.name} has begun; enter the next league")
    if round_ > 1 and not formats()[league.stages[0].format].takes_late:
        raise NotNow(f"{head.name} has begun, and its format takes nobody late; enter the next league")


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
    """Return the fact of a bot's entry; raise NotNow if it is too late or a limit is exceeded."""
    check_doors(league)
    head = league.header
    if head.who == "invited" and author not in league.invited:
        raise NotNow(f"{head.name} is for those who were invited; ask its organiser to invite {author or 'its author'}")
    if any(entrant.version == version for entrant in league.entrants):
        raise NotNow(f"{name} has entered already")
    others = [entrant.name for entrant in league.entrants if author and entrant.author == author]
    if head.per_author and len(others) >= head.per_author:
        raise NotNow(f"{author} has entered {', '.join(others)}; an author enters {head.per_author} in {head.name}")
    return BotEntered(
        entry=len(league.entrants) + 1,
        version=version,
        name=name,
        author=author,
        round=len(league.rounds) + 1,
        points=str(_granted(league)),
        by=by,
        at=at,
        newest=newest,
    )


def _granted(league: LeagueState) -> Fraction:
    """Return the points granted to a late entry for the rounds before."""
    missed = len(league.rounds)
    if not missed or league.header.granted == "none":
        return Fraction(0)
    if league.header.granted == "half":
        return WIN * league.stages[0].games * missed / 2
    here = {entrant.entry for entrant in league.entrants if not entrant.withdrawn}
    points = [tally.points for entry, tally in tallies_of(league, league.stage_of(1)).items() if entry in here]
    return sum(points, Fraction(0)) / max(1, len(points))


def record(league: LeagueState, *results: ResultRecorded) -> tuple[LeagueFact, ...]:
    """Return the facts of new results in the current round, and its end if it is complete."""
    found = {(r.round, r.table, r.game): r for r in results if league.closed_rounds < r.round == league.playing}
    new = tuple(result for match, result in found.items() if match not in league.recorded)
    return (*new, *closing(league, len(new))) if new else ()


def closing(league: LeagueState, new: int = 0) -> tuple[RoundClosed, ...]:
    """Return the end of the current round if it waits for no match once `new` more are recorded."""
    number = league.playing
    if league.closed_rounds == number:
        return ()
    matches = len(league.rounds[number - 1].tables) * league.terms_of(number).games
    done = sum(key[0] == number for key in league.recorded)
    return (RoundClosed(number),) if done + new >= matches else ()


def proceed(
    league: LeagueState, link: str, at: int = 0, budget: int = 0, ratings: Mapping[int, int] | None = None
) -> Next:
    """Return the next facts: a round drawn with this link, perhaps of the next stage, or the end.

    A non-zero budget limits the work of pairing, as `Progress.budget` does. Court ratings, by entry, seed a stage that
    begins now and is seeded by rating. Raise NotNow while a round is played, if the league is paused, or if its format
    cannot draw a round.
    """
    head, luck = league.header, _Luck(link, at, budget, ratings or {})
    if not league.between or league.draft:
        raise NotNow(f"{head.name} is over" if league.closed else f"a round of {head.name} is not closed yet")
    if league.ended:
        stages = league.begun[-1:]
        return Next(tuple(StageEnded(begun.number) for begun in stages if not begun.ended), over=True)
    if league.paused:
        raise NotNow(f"{head.name} is paused; resume it first")
    if league.begun or league.rounds:
        return _follow(league, (), luck)
    here = tuple(Qualified(e.entry, e.points) for e in league.entrants if not e.withdrawn)
    check_size(league, 1, len(here))
    open_ = formats()[league.stages[0].format].takes_late
    return _follow(league, (stage_begun(league, 1, () if open_ else here, luck.ratings),), luck)


class _Luck(msgspec.Struct, frozen=True):
    """Arguments of a step."""

    link: str
    at: int
    budget: int
    ratings: Mapping[int, int]


def ahead(league: LeagueState, link: str, at: int = 0) -> tuple[RoundPaired, ...]:
    """Return the round after the current one, drawn with this link, if it can be paired ahead."""
    if not looks_ahead(league):
        return ()
    progress = progress_of(league, link=link)
    drawn = formats()[progress.terms.format].next_round(progress)
    return (_paired(progress.number, drawn, link, at),) if isinstance(drawn, Round) else ()


def looks_ahead(league: LeagueState) -> bool:
    """Return whether another round may be paired during the current one, in a format independent of results.

    It may not if organisers review rounds before they begin, or if people or remote bots play, who are called to one
    round at a time.
    """
    head, paired = league.header, len(league.rounds)
    if league.closed_rounds + 1 != paired or league.paused or head.held or set(head.kinds) - {"uploaded"}:
        return False
    return formats()[league.terms_of(paired).format].foreseen


def redraft(league: LeagueState, link: str, hand: Hand) -> Next:
    """Return the facts that replace the drafted round, with new luck; raise as `proceed` does.

    The luck follows from the link of the round and the number of the draft. Under league rules 0 it has another link.
    """
    if league.draft is None:
        raise NotNow(f"no round of {league.header.name} is drafted")
    coming = proceed(put(league, draft=None), league.draft.link if league.header.rules else link, hand.at)
    named = attribution_of(hand)
    return put(coming, facts=tuple(put(f, **named) if isinstance(f, RoundDrafted) else f for f in coming.facts))


def _follow(league: LeagueState, new: tuple[LeagueFact, ...], luck: _Luck) -> Next:
    """Return the next facts after facts that a league is about to make."""
    after = fold(new, league)
    progress = progress_of(after, link=luck.link, budget=luck.budget)
    cut = bool(after.begun) and after.begun[-1].cut
    match Over() if cut else formats()[progress.terms.format].next_round(progress):
        case Wait(why=why):
            raise NotNow(why)
        case Round() as drawn:
            return Next((*new, _round(after, drawn, luck)))
        case Over() if not after.begun:  # an old stream without stages
            return Next(new, over=True)
        case Over():
            ended = after.begun[-1].number
            if ended == len(after.stages):
                return Next((*new, StageEnded(ended)), over=True)
            entries = qualified(after, ended, luck.link)
            check_size(after, ended + 1, len(entries))
            following = stage_begun(after, ended + 1, entries, luck.ratings)
            return _follow(league, (*new, StageEnded(ended), following), luck)


def _round(league: LeagueState, drawn: Round, luck: _Luck) -> RoundDrafted | RoundPaired:
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
    return _paired(number, drawn, link, luck.at)


def _paired(number: int, drawn: Round, link: str, at: int) -> RoundPaired:
    return RoundPaired(round=number, tables=drawn.tables, weighed=drawn.weighed, rests=drawn.rests, link=link, at=at)


def planned(league: LeagueState) -> int:
    """Return the number of rounds of a league in all its stages, as far as it is known now."""
    if league.ended:
        return len(league.rounds)
    here = league.stage_of(len(league.rounds) + 1)
    progress = progress_of(league, here)
    rounds, entries = here.first - 1, len(progress.seeds)
    for terms in league.stages[here.number - 1 :]:
        if terms is not progress.terms:
            entries = min(terms.qualify or entries, entries)
            progress = blank(terms, entries)
        cut = bool(league.begun) and league.begun[-1].cut and terms is league.stages[here.number - 1]
        rounds += len(progress.drawn) if cut else formats()[terms.format].planned(progress)
    return rounds
