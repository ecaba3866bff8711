"""Contents of a league's desk as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tournaments.models import League
from tournaments.roles import Proposal

SHOWN = 100
"""Maximum number of proposals and refusals shown, the newest."""


@dataclass(frozen=True, slots=True)
class RoleRow:
    """A person's role in a league."""

    person: str
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalRow:
    """A waiting proposal."""

    id: int
    what: str
    by: str
    why: str
    at: datetime


@dataclass(frozen=True, slots=True)
class RefusalRow:
    """A refusal."""

    person: str
    what: str
    why: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Contents of the desk."""

    roles: list[RoleRow]
    proposals: list[ProposalRow]
    refusals: list[RefusalRow]
    appoints: bool
    """True if the viewer may give roles."""
    verbs: list[str]
    """Verbs that the viewer may use and that are possible in the current state."""


def tell_act(verb: str, told: dict[str, Any]) -> str:
    """Return an act in a few words, such as ``withdraw entry=3``."""
    return " ".join((verb, *(f"{name}={value}" for name, value in told.items())))


def lay_out(league: League, verbs: list[str], *, appoints: bool) -> Desk:
    """Return the desk of a league."""
    roles = league.roles.select_related("person").order_by("pk")
    waiting = league.proposals.filter(status=Proposal.Status.WAITING).select_related("by")[:SHOWN]
    refused = league.refusals.select_related("person")[:SHOWN]
    return Desk(
        roles=[RoleRow(row.person.get_username(), row.role) for row in roles],
        proposals=[
            ProposalRow(id=row.pk, what=tell_act(row.verb, row.told), by=row.by.get_username(), why=row.why, at=row.at)
            for row in waiting
        ],
        refusals=[RefusalRow(row.person.get_username(), row.what, row.why, row.at) for row in refused],
        appoints=appoints,
        verbs=verbs,
    )
