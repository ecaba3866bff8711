"""Actors of a league: the persons or automatic rules behind each change."""

from __future__ import annotations

from typing import TypedDict

import msgspec

from ftk_core.league.league_state import CommandRejected


class LeagueActor(msgspec.Struct, frozen=True, kw_only=True):
    """Person or rule that changes a league, with the time and the reason of the change."""

    by: str
    """Name of the person or rule."""
    at: int
    """Time in seconds since 1970 (UTC)."""
    why: str = ""
    approved: str = ""
    """Name of the second person who approved the change; empty if no approval was needed."""


class EventActorFields(TypedDict):
    """Fields of a league event: its actor, time, reason, and the person who approved it."""

    by: str
    at: int
    why: str
    approved: str


def attribution_of(actor: LeagueActor, *, reason: bool = True) -> EventActorFields:
    """Return the event fields for the actor, time, reason and approval of a change.

    Raises CommandRejected if the name or the reason is missing, or if actors approve their own change.
    """
    if not actor.by.strip() or (reason and not actor.why.strip()):
        raise CommandRejected("say who acts and why: everybody reads it beside the results")
    if actor.approved.strip() == actor.by.strip():
        raise CommandRejected("%(person)s acts; somebody else must approve it", person=actor.by)
    return {"by": actor.by, "at": actor.at, "why": actor.why, "approved": actor.approved}
