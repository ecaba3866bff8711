"""Approval of a proposed action by a second organiser, who first sees its effects."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest

from tournaments.organisers.action_proposal_decisions import ActionProposalPreview, approve, preview_proposal
from tournaments.organisers.organiser_action_submission import OutdatedActionPreviewError
from tournaments.organisers.organiser_page_queries import find_league


def approve_as_previewed(request: HttpRequest, person: User, slug: str) -> ActionProposalPreview | None:
    """Approve a proposed action if the submitted form confirms its current effects, and return None.

    If the form confirms no effects or outdated ones, return the current effects instead.

    Raises MissingRightError if the person may not approve the proposal. Raises CommandRejected if somebody has decided
    on the proposal already, or if the action is impossible. Raises League.DoesNotExist and Proposal.DoesNotExist.
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
