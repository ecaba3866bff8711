"""Actors of a league: the persons, or automatic rules, that cause a change. Each change is recorded with its actor."""

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
    """Fields of a league event that name its actor, its time, its reason and the person who approved it."""

    by: str
    at: int
    why: str
    approved: str


def attribution_of(actor: LeagueActor, *, reason: bool = True) -> EventActorFields:
    """Return the event fields that record who made a change, when, why and with whose approval.

    Raise CommandRejected if the actor has no name, or if the actor approved the change too: a second person must do
    that. Also raise it if the actor gives no reason, unless `reason` is False.
    """
    if not actor.by.strip() or (reason and not actor.why.strip()):
        raise CommandRejected("say who acts and why: everybody reads it beside the results")
    if actor.approved == actor.by:
        raise CommandRejected("%(person)s acts; somebody else must approve it", person=actor.by)
    return {"by": actor.by, "at": actor.at, "why": actor.why, "approved": actor.approved}
