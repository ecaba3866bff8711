"""Standings of a league, ranked by stage reached, level, points and tie-breaks.

Some formats define a level, which ranks before points. In a knockout, it is the round that a bot reached.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction

import msgspec

from ftk_core.game import rank_by_keys
from ftk_core.league.formats import LeagueFormat, list_formats
from ftk_core.league.league_state import LeagueState, StageState
from ftk_core.league.scoring.tiebreak_inputs import Exact, TiebreakInputs, to_whole_multiples
from ftk_core.league.scoring.tiebreaks import tiebreaks_of
from ftk_core.league.stage_progress import progress_of


class EntrantStanding(msgspec.Struct, frozen=True, kw_only=True):
    """Standing of a bot: its rank (`place`), points and tie-breaks."""

    entry: int
    stage: int
    """Number of the last stage that the bot has reached, from 1."""
    place: int = 0
    """Place from 1; 0 as long as it is not computed."""
    level: int
    """Rank criterion before points: knockout round reached, position on the ladder or in the group; else 0.

    A greater level is better.
    """
    points: Fraction
    tiebreaks: tuple[Exact, ...]
    """Value of each tie-break, in the order in which they are applied."""
    played: int
    byes: int
    disqualified: bool
    decided: str = ""
    """Criterion that separates the bot from the next better bot: a tie-break's slug, or another name.

    The other names are "disqualified", "stage", "level", "points", "equal" for a shared place, and "" for the best bot.
    """

    @property
    def key(self) -> tuple[Exact, ...]:
        """Sort key among the bots of the same stage; a greater key is better."""
        return (self.level, self.points, *self.tiebreaks)


def standings(league: LeagueState) -> list[EntrantStanding]:
    """Return the standings of all bots of a league, best first.

    Equal bots share a place.
    """
    # They are listed by entry number.
    by_entry: dict[int, EntrantStanding] = {}
    for begun in league.begun or (league.stage_of(1),):
        by_entry.update({standing.entry: standing for standing in _rows(league, begun)})
    placed: list[EntrantStanding] = []
    reached = sorted({(not standing.disqualified, standing.stage) for standing in by_entry.values()}, reverse=True)
    for sound, stage in reached:
        alike = [
            standing for standing in by_entry.values() if (not standing.disqualified, standing.stage) == (sound, stage)
        ]
        placed += [
            msgspec.structs.replace(standing, place=standing.place + len(placed)) for standing in _with_places(alike)
        ]
    return _with_criteria(league, placed)


def _with_criteria(league: LeagueState, standings: Sequence[EntrantStanding]) -> list[EntrantStanding]:
    """Set `decided` in each standing: the criterion, such as "points", that separates the bot from the one above."""
    slugs = [[one.slug for one in tiebreaks_of(stage)] for stage in league.stages]
    decided = [
        "",
        *(
            _deciding_criterion(slugs[standing.stage - 1], above, standing)
            for above, standing in itertools.pairwise(standings)
        ),
    ]
    return [
        msgspec.structs.replace(standing, decided=criterion)
        for standing, criterion in zip(standings, decided, strict=False)
    ]


def _deciding_criterion(slugs: Sequence[str], above: EntrantStanding, below: EntrantStanding) -> str:
    if above.disqualified != below.disqualified:
        return "disqualified"
    if above.stage != below.stage:
        return "stage"
    criteria = zip(("level", "points", *slugs), above.key, below.key, strict=True)
    return next((name for name, better, worse in criteria if better != worse), "equal")


def _rows(league: LeagueState, begun: StageState) -> list[EntrantStanding]:
    """Return the standings of the bots of a stage, unordered and without places."""
    form = list_formats().get(league.stages[begun.number - 1].format)
    ledger = TiebreakInputs(league, begun, eliminates=bool(form and form.eliminates))
    levels = _levels(ledger, form)
    out = {entry: league.entrant(entry).disqualified for entry in ledger.tallies}
    values = _tiebreak_values(
        ledger, {entry: (out[entry], levels.get(entry, 0), tally.points) for entry, tally in ledger.tallies.items()}
    )
    return [
        EntrantStanding(
            entry=entry,
            stage=begun.number,
            level=levels.get(entry, 0),
            points=tally.points,
            tiebreaks=tuple(values[entry]),
            played=tally.played,
            byes=tally.byes,
            disqualified=out[entry],
        )
        for entry, tally in ledger.tallies.items()
    ]


def _tiebreak_values(ledger: TiebreakInputs, ranks: Mapping[int, Hashable]) -> Mapping[int, Sequence[Exact]]:
    """Return each bot's values in the tie-breaks of the stage."""
    # Tie-breaks decide only among bots with the same value in `ranks`. Each compares only bots that all tie-breaks
    # before it left tied.
    values: dict[int, list[Exact]] = {entry: [] for entry in ranks}
    tied = defaultdict[Hashable, list[int]](list)
    for entry, rank in ranks.items():
        tied[rank].append(entry)
    equals: list[Sequence[int]] = list(tied.values())
    for tiebreak in tiebreaks_of(ledger.league.stages[ledger.begun.number - 1]):
        apart = list[Sequence[int]]()
        for group in equals:
            value, parts = tiebreak.values(ledger, group), defaultdict[Exact, list[int]](list)
            for entry in group:
                values[entry].append(value[entry])
                parts[value[entry]].append(entry)
            apart += parts.values()
        equals = apart
    return values


def _levels(ledger: TiebreakInputs, form: LeagueFormat | None) -> Mapping[int, int]:
    league, begun = ledger.league, ledger.begun
    if form and form.ranked_groups and league.header.rules >= 2:
        return _levels_in_groups(ledger, form.ranked_groups(progress_of(league, begun)))
    return form.levels(progress_of(league, begun)) if form and form.levels else {}


def _levels_in_groups(ledger: TiebreakInputs, groups: Sequence[Sequence[int]]) -> Mapping[int, int]:
    """Rank the bots within each group. Return their levels: 0 for the first place, -1 for the second, and so on."""
    # Disqualified bots come last.
    valid = {entry: not ledger.league.entrant(entry).disqualified for entry in ledger.tallies}
    ranks = {
        entry: (number, valid[entry], ledger.tallies[entry].points)
        for number, group in enumerate(groups)
        for entry in group
    }
    values = _tiebreak_values(ledger, ranks)
    places = (rank_by_keys([(*ranks[entry], *values[entry]) for entry in group]) for group in groups)
    return {
        entry: 1 - place
        for group, places_in_group in zip(groups, places, strict=True)
        for entry, place in zip(group, places_in_group, strict=True)
    }


def _with_places(standings: Sequence[EntrantStanding]) -> list[EntrantStanding]:
    """Return the standings of a stage's bots with their places, sorted by place."""
    # whole numbers of a common unit compare faster than fractions
    columns = [to_whole_multiples(column)[0] for column in zip(*(standing.key for standing in standings), strict=True)]
    places = rank_by_keys(list(zip(*columns, strict=True)))
    placed = [msgspec.structs.replace(standing, place=place) for standing, place in zip(standings, places, strict=True)]
    return sorted(placed, key=lambda standing: (standing.place, standing.entry))
