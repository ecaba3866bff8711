"""Decisions on proposed actions of organisers: a second organiser approves or declines them."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_state import CommandRejected
from tournaments.leagues.league_event_appending import lock_league, now
from tournaments.models import League
from tournaments.models.organiser_roles import Proposal
from tournaments.organisers.league_access_rights import has_own_bot
from tournaments.organisers.organiser_action_definition import OrganiserAction, OrganiserActionRequest
from tournaments.organisers.organiser_action_preview import (
    OrganiserActionPreview,
    OutdatedActionPreviewError,
    execute,
    preview,
)
from tournaments.organisers.organiser_action_submission import note_staff_act
from tournaments.organisers.organiser_actions import actions_by_verb
from tournaments.organisers.organiser_console import PendingActionProposal, describe_proposal
from tournaments.organisers.organiser_permission_checks import check_right, record_refusal

SAME = gettext_noop("nobody can approve their own proposal")
BIASED = gettext_noop("the approver has a bot in the league, too")


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionProposalPreview:
    """A proposed action, with the effects that its approval would have now."""

    proposal: PendingActionProposal
    act: OrganiserAction
    effects: OrganiserActionPreview
    outdated: bool
    """True if the effects have changed since they were shown."""


def check_approver(person: User, league: League, number: object) -> Proposal:
    """Return a proposed action that the person may approve.

    Raises Proposal.DoesNotExist, or MissingRightError if the person may not approve it (the attempt is stored).
    """
    # People may not approve their own proposals, nor any if they have a bot in the league.
    row = _proposal(league, number)
    check_right(person, row.league, row.verb, row.told)
    if person == row.by:
        raise record_refusal(person, row.league, f"approve {row.verb}", SAME)
    if has_own_bot(person, row.league):
        raise record_refusal(person, row.league, f"approve {row.verb}", BIASED)
    return row


def preview_proposal(person: User, league: League, number: object, *, outdated: bool = False) -> ActionProposalPreview:
    """Return a proposed action and its effects, without executing it.

    Raises Proposal.DoesNotExist, MissingRightError if the person may not approve the proposal, or CommandRejected if
    somebody has decided on the proposal already or the action is impossible.
    """
    row = check_approver(person, league, number)
    if row.status != Proposal.Status.WAITING:
        raise CommandRejected(gettext("somebody has decided on it already"))
    with transaction.atomic():
        lock_league(row.league_id)
        effects = preview(row.league, row.verb, row.told, _make_actor(row, person))
    act = actions_by_verb()[row.verb]
    return ActionProposalPreview(proposal=describe_proposal(row), act=act, effects=effects, outdated=outdated)


def approve_as_previewed(
    person: User, league: League, number: object, digest: str | None
) -> ActionProposalPreview | None:
    """Approve a proposed action if `digest` is the hash of its current effects, and return None.

    Otherwise return the current effects. Raises the errors of `approve`.
    """
    if digest is None:
        return preview_proposal(person, league, number)
    try:
        approve(person, league, number, digest)
    except OutdatedActionPreviewError:
        return preview_proposal(person, league, number, outdated=True)
    return None


def approve(person: User, league: League, number: object, digest: str | None = None) -> None:
    """Approve and execute a proposed action on a league.

    `digest` is the hash of the effects in a preview, or None without a preview. Raises Proposal.DoesNotExist,
    MissingRightError if the person may not approve the proposal, OutdatedActionPreviewError if the effects have changed
    since the preview, or CommandRejected if somebody has decided on the proposal already or the action is impossible.
    """
    # A proposal whose effects have changed, or that is impossible, stays open.
    row = check_approver(person, league, number)
    with transaction.atomic():
        lock_league(row.league_id)
        biased = has_own_bot(person, row.league)  # again, as a bot can enter until the league is locked
        if not biased:
            _settle(row, person, Proposal.Status.APPROVED)
            call = OrganiserActionRequest(league=row.league, arguments=row.told, actor=_make_actor(row, person))
            execute(actions_by_verb()[row.verb], call, digest)
            note_staff_act(person, row.league, f"approve {row.verb}", row.told, row.why)
    if biased:
        raise record_refusal(person, row.league, f"approve {row.verb}", BIASED)


def _make_actor(row: Proposal, approver: User) -> LeagueActor:
    return LeagueActor(by=row.by.get_username(), at=now(), why=row.why, approved=approver.get_username())


def decline(person: User, league: League, number: object) -> None:
    """Decline a proposed action.

    Raises Proposal.DoesNotExist, MissingRightError without the right to the action, or CommandRejected if it is
    decided already.
    """
    # The person who proposed the action may decline it too.
    row = _proposal(league, number)
    check_right(person, row.league, row.verb, row.told)
    with transaction.atomic():
        _settle(row, person, Proposal.Status.DECLINED)
        note_staff_act(person, row.league, f"decline {row.verb}", row.told, row.why)


def _proposal(league: League, number: object) -> Proposal:
    text = str(number)
    known = text.isascii() and text.isdecimal() and len(text) < 10
    row = Proposal.objects.select_related("league", "by").filter(league=league, pk=int(text) if known else 0).first()
    if row is None:
        raise Proposal.DoesNotExist(
            gettext("%(league)s has no proposed act with the number %(text)r")
            % {"text": text[:20], "league": league.name}
        )
    return row


def _settle(row: Proposal, person: User, status: str) -> None:
    waiting = Proposal.objects.filter(pk=row.pk, status=Proposal.Status.WAITING)
    if not waiting.update(status=status, decided_by=person, decided_at=timezone.now()):
        raise CommandRejected(gettext("somebody has decided on it already"))
