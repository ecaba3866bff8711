"""Approval of an organiser's proposed action. The page first shows the effects, then the organiser confirms them."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest

from tournaments.organisers.action_proposal_decisions import ActionProposalPreview, approve, preview_proposal
from tournaments.organisers.organiser_action_submission import OutdatedActionPreviewError
from tournaments.organisers.organiser_page_queries import find_league


def approve_as_previewed(request: HttpRequest, person: User, slug: str) -> ActionProposalPreview | None:
    """Approve a proposed action if the person has confirmed its current effects.

    Return None after the approval. Otherwise return the effects, which the person must confirm first. Raises
    League.DoesNotExist, Proposal.DoesNotExist, MissingRightError if the person may not approve the proposal, or
    CommandRejected if somebody has decided on the proposal already or the action is impossible.
    """
    # `confirm` is a hash of the effects that the page has shown.
    league, number, digest = find_league(slug), request.POST["approve"], request.POST.get("confirm")
    if digest is None:
        return preview_proposal(person, league, number)
    try:
        approve(person, league, number, digest)
    except OutdatedActionPreviewError:
        return preview_proposal(person, league, number, outdated=True)
    return None
