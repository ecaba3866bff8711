"""Data of the page where organisers see a league's roles, proposed actions and refused actions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tournaments.models import League
from tournaments.models.comments import select_open
from tournaments.models.organiser_roles import Proposal

MAX_LISTED = 100
"""Maximum number of proposals, and of refusals, on the page; the newest are shown."""


@dataclass(frozen=True, slots=True)
class LeagueRoleHolder:
    """A person and their role in the league: organiser, co-organiser or judge."""

    person: str
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingActionProposal:
    """A proposed action that waits for a second organiser."""

    id: int
    what: str
    by: str
    why: str
    at: datetime


@dataclass(frozen=True, slots=True)
class RefusedOrganiserAction:
    """An action that was refused because the person had no right to it."""

    person: str
    what: str
    why: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganiserConsole:
    """Roles, proposals and refusals of a league, and the actions that the viewer may execute."""

    roles: list[LeagueRoleHolder]
    proposals: list[PendingActionProposal]
    refusals: list[RefusedOrganiserAction]
    appoints: bool
    """True if the viewer may appoint co-organisers and judges."""
    sees_answers: bool
    """True if the viewer may see the entries with their answers to the league's questions."""
    asks: bool
    """True if the league has questions whose answers the viewer may see."""
    sets_logo: bool
    """True if the viewer may change the league's logo and its settings for predictions and comments."""
    open_comments: int
    """Number of comments that wait for approval or were reported."""
    verbs: list[str]
    """Names of the acts that the viewer may execute and that are possible in the current state of the league."""


def format_act(verb: str, told: dict[str, Any]) -> str:
    """Return an organiser's action and its arguments as text, such as ``withdraw entry=3``."""
    return " ".join((verb, *(f"{name}={value}" for name, value in told.items())))


def describe_proposal(row: Proposal) -> PendingActionProposal:
    """Return a proposed action as the page shows it."""
    return PendingActionProposal(
        id=row.pk, what=format_act(row.verb, row.told), by=row.by.get_username(), why=row.why, at=row.at
    )


def build_console(
    league: League, verbs: list[str], *, appoints: bool, sees_answers: bool, asks: bool, sets_logo: bool
) -> OrganiserConsole:
    """Return the roles, proposals and refusals of a league, with the viewer's rights.

    The arguments describe these rights. They have the meaning of the fields of `OrganiserConsole` with the same names.
    """
    roles = league.roles.select_related("person").order_by("pk")
    waiting = league.proposals.filter(status=Proposal.Status.WAITING).select_related("by")[:MAX_LISTED]
    refused = league.refusals.select_related("person")[:MAX_LISTED]
    return OrganiserConsole(
        roles=[LeagueRoleHolder(row.person.get_username(), row.role) for row in roles],
        proposals=[describe_proposal(row) for row in waiting],
        refusals=[RefusedOrganiserAction(row.person.get_username(), row.what, row.why, row.at) for row in refused],
        appoints=appoints,
        sees_answers=sees_answers,
        asks=asks,
        sets_logo=sets_logo,
        open_comments=select_open(league).count(),
        verbs=verbs,
    )
