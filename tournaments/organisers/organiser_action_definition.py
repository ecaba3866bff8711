"""Definitions of organisers' actions on a league, such as the withdrawal of an entry."""
# The shell subcommand, the form and the API endpoint of an action are generated from its definition.

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from django.utils.translation import gettext as _, gettext_lazy

from ftk_core.league import intervention_facts
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_facts import ResultRecorded
from ftk_core.league.league_state import LeagueState, effective_result
from tournaments.leagues.bulk_league_entry import BulkEntryLineResult
from tournaments.models import League
from tournaments.organisers.league_access_rights import ACT

Text = Any
"""A `str`, or a lazy string that is translated when it is displayed."""
MAX_TEXT_CHARACTERS = 200


class OrganiserActionGroup(Enum):
    """Section of the organisers' page with the forms of some actions. The value is its title."""

    LEAGUE = gettext_lazy("The league")
    DRAFT = gettext_lazy("The drafted round")
    ENTRY = gettext_lazy("An entry")
    MATCH = gettext_lazy("A match")


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganiserActionArgument:
    """One argument of an organiser's action, with its description for shell, forms and API."""

    name: str
    label: Text
    help_text: Text = ""
    number: bool = False
    """True if the value is an integer; otherwise it is text."""
    many: bool = False
    """True if the value is a list."""
    is_entry: bool = False
    """True if the value is an entry number. Forms then also accept the entry's name."""
    choices: tuple[str, ...] = ()
    optional: bool = False
    """True if a request may omit the argument. The act then leaves the value in the league unchanged."""
    input_type: str = "text"
    """Type of the HTML input element, or ``textarea``."""
    max_characters: int = MAX_TEXT_CHARACTERS
    metavar: str = ""
    """Placeholder for the value in the help of the shell. If empty, the name of the argument is the placeholder."""
    example: str | int = 1
    """Example value for the API's documentation."""

    @property
    def shell_name(self) -> str:
        """Name of the argument for `argparse`: with leading hyphens if it is optional, otherwise positional."""
        return f"--{self.name.replace('_', '-')}" if self.optional else self.name

    @property
    def shell_options(self) -> dict[str, Any]:
        """Keyword arguments for `ArgumentParser.add_argument`."""
        options: dict[str, Any] = {"type": int} if self.number else {}
        options |= {"nargs": "+"} if self.many else {}
        options |= {"metavar": self.metavar} if self.metavar else {}
        return options | ({"help": str(self.help_text)} if self.help_text else {})


ENTRY = OrganiserActionArgument(
    name="entry", label=gettext_lazy("Entry"), help_text=gettext_lazy("its name or number"), number=True, is_entry=True
)
PAIR = tuple(
    OrganiserActionArgument(
        name=name,
        label=label,
        help_text=gettext_lazy("its name or number"),
        number=True,
        is_entry=True,
        metavar="entry",
    )
    for name, label in (("one", gettext_lazy("One entry")), ("other", gettext_lazy("The other")))
)
MATCH = OrganiserActionArgument(name="match", label=gettext_lazy("Match"), example="09c7d4cb64f3")


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganiserActionRequest:
    """A request to execute an organiser's action on a league."""

    # `actor` contains the person, the time and the reason.

    league: League
    arguments: Mapping[str, Any]
    actor: LeagueActor


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganiserActionDescription:
    """Sentence about an organiser's action, with texts about the state before and after it."""

    what: str
    """The act as a sentence."""
    before: str = ""
    after: str = ""
    match: str = ""
    """Id of the match that the act is about; empty for other acts."""


def always(_state: LeagueState) -> bool:
    """Return True. This is the default of `OrganiserAction.is_possible`."""
    return True


Describe = Callable[[LeagueState, Any], OrganiserActionDescription]


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganiserAction:
    """Definition of an action of organisers on a league."""

    verb: str
    """Name of the act in the shell, in API URLs and in forms, such as ``withdraw``."""
    label: Text
    summary: Text
    """Effect of the act as a sentence, such as ``The entry is no longer paired.``"""
    group: OrganiserActionGroup | None = None
    """Group in which the organisers' page shows the form of the act; None if another page has the form."""
    order: int = 0
    """Position of the act in its group."""
    fields: tuple[OrganiserActionArgument, ...] = ()
    right: str = ACT
    """Right that a person needs for the act; one of the names in `league_access_rights`."""
    needs_reason: bool = True
    is_possible: Callable[[LeagueState], bool] = always
    """Return True if the act makes sense in a state of an open league. Acts are offered only then."""
    current: Callable[[LeagueState], Mapping[str, str]] = lambda _state: {}
    """Return the initial values of the act's form, by argument name: the current values, which change nothing."""
    perform: Callable[[OrganiserActionRequest], None]
    """Execute the act, without a check of rights. If it is impossible, raise CommandRejected and change nothing."""
    voids_open_matches: bool = False
    """True if the act voids the matches that are still open when it is executed."""
    preview_lines: Callable[[LeagueState, OrganiserActionRequest], list[BulkEntryLineResult]] = lambda _state, _call: []
    """Return the effect of each line of an act on a list, without executing it; an empty list for other acts."""
    describe: Mapping[type, Describe] = field(default_factory=dict)
    """Functions that describe the facts of the act for the league's page, by fact type."""


def with_constant_states(before: Text, after: Text) -> Callable[[Callable[[LeagueState, Any], str]], Describe]:
    """Return a decorator for functions that describe an organiser's action in a sentence.

    The decorated function also returns the texts `before` and `after`, such as "could not enter" and "may enter".
    """

    def decorate(sentence: Callable[[LeagueState, Any], str]) -> Describe:
        return lambda league, fact: OrganiserActionDescription(
            what=sentence(league, fact), before=str(before), after=str(after)
        )

    return decorate


def entry_name(league: LeagueState, entry: int) -> str:
    """Return the name of the entry with this number."""
    return league.entrant(entry).name


def list_numbers(numbers: Iterable[int]) -> str:
    """Return the numbers as text, separated by commas."""
    return ", ".join(map(str, numbers))


def match_title(
    fact: intervention_facts.MatchReplaced
    | intervention_facts.MatchVoided
    | intervention_facts.ResultOverruled
    | ResultRecorded,
) -> str:
    """Return a title for an event's match, such as "Match 1 of table 2 in round 3"."""
    values = {"game": fact.game + 1, "table": fact.table, "round": fact.round}
    return _("Match %(game)s of table %(table)s in round %(round)s") % values


def order_of_finish(league: LeagueState, seating: Sequence[int], places: Sequence[int]) -> str:
    """Return the result of a match as text, best first, such as "1. Ada, 2. Bob".

    `seating` has entry numbers by seat, `places` the places by seat.
    """
    order = sorted(zip(places, seating, strict=True))
    return ", ".join(f"{place}. {entry_name(league, entry)}" for place, entry in order)


def results_before_and_after(
    league: LeagueState, fact: intervention_facts.MatchVoided | intervention_facts.ResultOverruled
) -> tuple[str, str]:
    """Return two texts: the result of a match before and after organisers changed or voided it."""
    past = league.history[fact.round, fact.table, fact.game]
    at = past.index(fact)
    results = (effective_result(past[:at]), effective_result(past[: at + 1]))
    before, after = (order_of_finish(league, r.seating, r.places) if r else _("no result") for r in results)
    return before, after
