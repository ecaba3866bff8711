"""Organisers' action that corrects the name, the entry deadline and the description of an announced league."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import reduce
from itertools import takewhile

from django.utils.translation import gettext as _, gettext_lazy

from ftk_core.i18n import join_spaces
from ftk_core.league.intervention_facts import MAX_DESCRIPTION_CHARACTERS, MAX_LEAGUE_NAME_CHARACTERS, LeagueCorrected
from ftk_core.league.league_correction_command_handlers import correct_league
from ftk_core.league.league_facts import LeagueOpened
from ftk_core.league.league_state import LeagueState
from ftk_core.league.league_state_from_events import CORRECTABLE_TERMS, correct_terms
from tournaments.leagues.entry_deadline import MINUTE_FORMAT, check_entry_deadline, parse_entry_deadline
from tournaments.leagues.league_event_appending import act
from tournaments.organisers.organiser_action_definition import (
    OrganiserAction,
    OrganiserActionArgument,
    OrganiserActionDescription,
    OrganiserActionGroup,
    OrganiserActionRequest,
)

TERMS = (
    OrganiserActionArgument(
        name="name",
        label=gettext_lazy("Name"),
        optional=True,
        max_characters=MAX_LEAGUE_NAME_CHARACTERS,
        example="An evening",
    ),
    OrganiserActionArgument(
        name="entries_until",
        label=gettext_lazy("Begins by itself"),
        help_text=gettext_lazy("in UTC; empty: you begin it"),
        optional=True,
        input_type="datetime-local",
        example="2030-01-31T18:00",
    ),
    OrganiserActionArgument(
        name="description",
        label=gettext_lazy("Description"),
        help_text=gettext_lazy("Markdown, for the league's page; say there what can be won"),
        optional=True,
        input_type="textarea",
        max_characters=MAX_DESCRIPTION_CHARACTERS,
        example="The winner gets a **cup**.",
    ),
)
SEPARATOR = " · "
MAX_SHOWN_CHARACTERS = 400
"""Maximum number of characters of a description that the league's page shows; the rest is cut off."""


def _decide(state: LeagueState, call: OrganiserActionRequest) -> LeagueCorrected:
    name, until = call.arguments.get("name"), call.arguments.get("entries_until")
    return correct_league(
        state,
        call.actor,
        name=name if name is None else join_spaces(name),
        entries_until=until if until is None else _read_deadline(until, state.header.entries_until, call.actor.at),
        description=call.arguments.get("description"),
    )


def _read_deadline(text: str, current: int, at: int) -> int:
    """Return an entry deadline in seconds since 1970; 0 for an empty text."""
    # Raises CommandRejected for an invalid deadline. An unchanged deadline is valid even if it has passed.
    deadline = parse_entry_deadline(text)
    seconds = int(deadline.timestamp()) if deadline else 0
    if seconds != current:
        check_entry_deadline(deadline, datetime.fromtimestamp(at, UTC))
    return seconds


def _read_current(state: LeagueState) -> Mapping[str, str]:
    until = state.header.entries_until
    return {
        "name": state.header.name,
        "description": state.header.description,
        "entries_until": f"{datetime.fromtimestamp(until, UTC):%Y-%m-%dT%H:%M:%S}".removesuffix(":00") if until else "",
    }


def _show_deadline(terms: LeagueOpened) -> str:
    until = terms.entries_until
    return f"{datetime.fromtimestamp(until, UTC):{MINUTE_FORMAT}}" if until else _("no entry deadline")


def _show_description(terms: LeagueOpened) -> str:
    line = " ".join(terms.description.split())
    cut_off = f"{line[:MAX_SHOWN_CHARACTERS]}…" if len(line) > MAX_SHOWN_CHARACTERS else line
    return cut_off or _("no description")


TERM_DESCRIPTIONS: Mapping[str, tuple[Callable[[], str], Callable[[LeagueOpened], str]]] = {
    "name": (lambda: _("The league's name was corrected."), lambda terms: terms.name),
    "entries_until": (lambda: _("The league's entry deadline was corrected."), _show_deadline),
    "description": (lambda: _("The league's description was corrected."), _show_description),
}
"""Two functions for each term that can be corrected, by the name of the term.

The first function returns a sentence about the correction. The second one returns the value of the term as text.
"""


def _describe(league: LeagueState, fact: LeagueCorrected) -> OrganiserActionDescription:
    corrections = (noted for noted in league.noted if isinstance(noted, LeagueCorrected))
    earlier = takewhile(lambda correction: correction is not fact, corrections)
    before = reduce(correct_terms, earlier, league.opened or league.header)
    after = correct_terms(before, fact)
    shown = [TERM_DESCRIPTIONS[name] for name in CORRECTABLE_TERMS if getattr(fact, name) is not None]
    return OrganiserActionDescription(
        what=" ".join(sentence() for sentence, _show in shown),
        before=SEPARATOR.join(show(before) for _sentence, show in shown),
        after=SEPARATOR.join(show(after) for _sentence, show in shown),
    )


ACTS = (
    OrganiserAction(
        verb="correct",
        label=gettext_lazy("Correct the league"),
        summary=gettext_lazy("The league has this name, this entry deadline and this description."),
        group=OrganiserActionGroup.LEAGUE,
        order=4,
        fields=TERMS,
        current=_read_current,
        perform=lambda call: act(call.league.pk, _decide, call),
        describe={LeagueCorrected: _describe},
    ),
)
