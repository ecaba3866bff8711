"""Organisers' action that lets two entries exchange places in the drafted round (paired, but not begun)."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _, gettext_lazy

from ftk_core.league.intervention_facts import DraftedRoundChanged
from ftk_core.league.league_state import LeagueState
from ftk_core.league.organiser_command_handlers import exchange_entries
from tournaments.leagues.league_event_appending import act
from tournaments.organisers.organiser_action_definition import (
    PAIR,
    OrganiserAction,
    OrganiserActionDescription,
    OrganiserActionGroup,
    entry_name,
)


def _describe(league: LeagueState, fact: DraftedRoundChanged) -> OrganiserActionDescription:
    one, other = (entry_name(league, entry) for entry in (fact.one, fact.other))
    return OrganiserActionDescription(
        what=_("In the draft of round %(round)s %(one)s and %(other)s changed places.")
        % {"round": fact.round, "one": one, "other": other},
        before=_seats(fact.tables, (one, other)),
        after=_seats(fact.tables, (other, one)),
    )


def _seats(tables: Sequence[int], names: Sequence[str]) -> str:
    """Return a text with the tables at which two entries play."""
    # Old event streams do not record the tables; then the text is empty.
    if not tables:
        return ""
    return ", ".join(
        (_("%(name)s at table %(table)s") if table else _("%(name)s has a bye")) % {"name": name, "table": table}
        for name, table in zip(names, tables, strict=True)
    )


ACTS = (
    OrganiserAction(
        verb="exchange",
        label=gettext_lazy("Exchange two entries"),
        summary=gettext_lazy("Two entries of the drafted round change places."),
        group=OrganiserActionGroup.DRAFT,
        order=3,
        fields=PAIR,
        is_possible=lambda state: state.draft is not None,
        perform=lambda call: act(
            call.league.pk, exchange_entries, call.arguments["one"], call.arguments["other"], call.actor
        ),
        describe={DraftedRoundChanged: _describe},
    ),
)
