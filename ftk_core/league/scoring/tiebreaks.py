"""Registry of tie-breaks: built-in ones, and plug-ins from the entry points ``ftk.tiebreaks``.

A published tie-break never changes, so that the standings of old leagues can still be verified.
"""
# A better rule gets a new name (slug).

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from gettext import gettext as _
from operator import attrgetter

from ftk_core.league.event_fields import StageSettings
from ftk_core.league.scoring.direct_encounter import rank_by_encounters
from ftk_core.league.scoring.entrant_stage_totals import EntrantStageTotals
from ftk_core.league.scoring.tiebreak_inputs import (
    Exact,
    IntegerScaledPoints,
    RoundTiebreakContribution,
    TiebreakInputs,
)
from ftk_core.plugins import MissingPluginError, load_plugins


class UnknownTiebreakError(MissingPluginError):
    """Raised for the name of a tie-break that is not installed."""


TiebreakValues = Callable[[TiebreakInputs, Sequence[int]], Mapping[int, Exact]]
"""(data of a stage, bots that are still tied) -> value of each bot; a greater value is better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreak:
    """Tie-break: a criterion that orders bots with equal points."""

    slug: str
    """Key in ``results.json``, permanent once exported."""
    name: str
    """Heading of the tie-break's column in the standings."""
    what: str
    """Short description for readers of the standings."""
    kin: str
    """Closest regulation in the FIDE Handbook (C.07), and the differences from it."""
    values: TiebreakValues
    """Function that computes the tie-break."""


def _per_entry(value: Callable[[EntrantStageTotals, IntegerScaledPoints], Exact]) -> TiebreakValues:
    """Build the function `TieBreak.values` from a function that computes the value of one bot."""
    # `value` takes the bot's totals over the stage and the points of all bots.
    return lambda ledger, equals: {entry: value(ledger.tallies[entry], ledger.points) for entry in equals}


def _per_round(value: Callable[[Sequence[RoundTiebreakContribution]], int]) -> TiebreakValues:
    """Build the function `TieBreak.values` from a function that computes the value of one bot from its rounds."""
    # The result of `value` is in units (see `TiebreakInputs.unit`). The tie-break is 0 before the first round.
    return lambda ledger, equals: {
        entry: Fraction(value(rounds), ledger.unit) if (rounds := ledger.added[entry]) else 0 for entry in equals
    }


def _without_one(rounds: Sequence[RoundTiebreakContribution]) -> int:
    """Return the tie-break Buchholz Cut 1: the sum of opponents' scores without the lowest.

    The result is a whole number of units. `TiebreakInputs.unit` is the number of units in one point.
    """
    # If the bot stayed away from some rounds by its own wish, only these can be left out (FIDE C.07, 16.5).
    least = min((one.opposition for one in rounds if one.away), default=None)
    if least is None:
        least = min((one.opposition for one in rounds), default=0)
    return sum(one.opposition for one in rounds) - least


_ALL = (
    TieBreak(
        slug="wins",
        name="Wins",
        what="Matches in first place; a shared first place counts as its share",
        kin="number of games won; at tables of several a first place can be shared",
        values=_per_entry(lambda tally, _points: tally.wins),
    ),
    TieBreak(
        slug="opposition",
        name="Opposition",
        what="Mean points of everybody met, the strength of the opposition",
        kin="mean Buchholz, over everybody met as often as they were met; a bye meets nobody",
        values=_per_entry(
            lambda tally, points: Fraction(
                sum(points.units[other] for other, _ in tally.everybody), points.unit * max(1, len(tally.everybody))
            )
        ),
    ),
    TieBreak(
        slug="quality",
        name="Quality",
        what="Sum over all opponents: the share won against them times their points",
        kin="Sonneborn-Berger, against everybody at the table",
        values=_per_entry(
            lambda tally, points: Fraction(
                sum(halves * points.units[other] for other, halves in tally.everybody), 2 * points.unit
            )
        ),
    ),
    TieBreak(
        slug="score",
        name="Score",
        what="Points of the game itself, summed",
        kin="none: chess has no score within a game",
        values=_per_entry(lambda tally, _points: tally.score),
    ),
    TieBreak(
        slug="opposition-2",
        name="Opposition",
        what="Sum of the points of the opponents of all rounds, for each round the mean at its table; a round without a"
        " match counts as one against an equal opponent",
        kin="Buchholz (8.1) with unplayed rounds by article 16 of 2024",
        values=_per_round(lambda rounds: sum(one.opposition for one in rounds)),
    ),
    TieBreak(
        slug="opposition-2-cut-1",
        name="Opposition, cut 1",
        what="The opposition without the round that adds the least to it; a round that the bot stayed away from is"
        " left out first",
        kin="Buchholz Cut 1 (8.1, 14.1, 16.5)",
        values=_per_round(_without_one),
    ),
    TieBreak(
        slug="quality-2",
        name="Quality",
        what="Sum over all rounds of the share won against the opponents times their points, the mean at a table of"
        " several; a round without a match counts as one against an equal opponent",
        kin="Sonneborn-Berger (9.1) with unplayed rounds by article 16 of 2024",
        values=_per_round(lambda rounds: sum(one.quality for one in rounds)),
    ),
    TieBreak(
        slug="head-to-head",
        name="Head to head",
        what="How many of the bots that are still tied it is ahead of, counting only the matches among these bots",
        kin="direct encounter (6), between two by the share of their matches that each won",
        values=lambda ledger, equals: dict(rank_by_encounters(ledger.encounters(equals), equals)),
    ),
    TieBreak(
        slug="court",
        name="Court rating",
        what="The court rating of this league alone: all its matches weighed at once, against whom and from which seat",
        kin="tournament performance rating (10.2), with everybody's strength unknown",
        values=lambda ledger, equals: {entry: ledger.ratings[entry] for entry in equals},
    ),
    TieBreak(
        slug="mean-score",
        name="Mean score",
        what="Points of the game itself, on average over the matches played",
        kin="none: chess has no score within a game",
        values=_per_entry(lambda tally, _points: Fraction(tally.score, max(1, tally.played))),
    ),
    TieBreak(
        slug="excuses",
        name="Excuses",
        what="Questions without a valid answer, the fewer the better",
        kin="none: a bot that fails to answer plays on",
        values=_per_entry(lambda tally, _points: -tally.excuses),
    ),
    TieBreak(
        slug="lots",
        name="Lots",
        what="A lot, drawn with the random numbers of the last round, which nobody could predict",
        kin="drawing of lots",
        values=lambda ledger, equals: {entry: ledger.lots[entry] for entry in equals},
    ),
)
BUILT_IN_TIEBREAKS = {tiebreak.slug: tiebreak for tiebreak in _ALL}
"""Built-in tie-breaks by slug."""
UNANNOUNCED_TIEBREAKS = ("wins", "opposition", "quality", "score")
"""Tie-breaks, in order, of old leagues that did not announce any."""
DEFAULTS_OF_TWO = ("wins", "opposition-2", "quality-2", "head-to-head")
DEFAULTS_OF_SEVERAL = ("opposition-2", "quality-2", "head-to-head")
"""Default tie-breaks at tables of three and more. The number of wins is not among them: of two bots with equal
points, the one with more wins also has more last places, and is more often the weaker."""


@cache
def list_tiebreaks() -> Mapping[str, TieBreak]:
    """Return every tie-break by its name, the built-in ones first.

    Raises PluginError if a plug-in is invalid.
    """
    return load_plugins("ftk.tiebreaks", TieBreak, BUILT_IN_TIEBREAKS, attrgetter("slug"))


def default_tiebreaks(seats: int) -> tuple[str, ...]:
    """Return the names of the default tie-breaks for a number of seats."""
    # Decision 0032 chose them by simulations.
    return DEFAULTS_OF_TWO if seats == 2 else DEFAULTS_OF_SEVERAL


def tiebreaks_of(stage: StageSettings) -> tuple[TieBreak, ...]:
    """Return the tie-breaks of a league stage in the order of use.

    Raises UnknownTiebreakError if one does not exist.
    """
    return tuple(map(find_tiebreak, stage.tiebreaks or UNANNOUNCED_TIEBREAKS))


def find_tiebreak(slug: str) -> TieBreak:
    """Return the tie-break with this slug, such as ``wins``. Raise UnknownTiebreakError if it does not exist."""
    if slug not in list_tiebreaks():
        raise UnknownTiebreakError(
            _("there is no tie-break {slug} here; install the plug-in that brings it").format(slug=repr(slug))
        )
    return list_tiebreaks()[slug]
