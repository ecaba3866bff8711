"""Approval of a proposed intervention in two steps: the page shows its effects, then the organiser confirms them."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext

from tournaments.organisers.action_proposal_decisions import ActionProposalPreview, approve, preview_proposal
from tournaments.organisers.organiser_action_approval import OutdatedActionPreviewError
from tournaments.organisers.organiser_action_definition import OrganiserAction
from tournaments.organisers.organiser_action_preview import OrganiserActionPreview
from tournaments.organisers.organiser_console import PendingActionProposal
from tournaments.organisers.organiser_page_queries import find_league


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionProposalPanel:
    """A proposed intervention with its effects, and a button that approves it."""

    preview: ActionProposalPreview
    outdated: bool
    """True if the effects have changed since they were shown."""

    @property
    def proposal(self) -> PendingActionProposal:
        """The proposal, with its author and reason."""
        return self.preview.proposal

    @property
    def act(self) -> OrganiserAction:
        """The kind of intervention."""
        return self.preview.act

    @property
    def effects(self) -> OrganiserActionPreview:
        """Effects that the approval would have now."""
        return self.preview.effects

    @property
    def button(self) -> str:
        """Text of the button that confirms the effects."""
        return gettext("Approve this act")


def approve_as_previewed(request: HttpRequest, person: User, slug: str) -> ActionProposalPanel | None:
    """Approve a proposed intervention and return None; return its effects if it must be confirmed first.

    Raises the errors of `approve`.
    """
    # `confirm` is a hash of the effects that the page has shown.
    league, number, digest = find_league(slug), request.POST["approve"], request.POST.get("confirm")
    if digest is None:
        return ActionProposalPanel(preview=preview_proposal(person, league, number), outdated=False)
    try:
        approve(person, league, number, digest)
    except OutdatedActionPreviewError:
        return ActionProposalPanel(preview=preview_proposal(person, league, number), outdated=True)
    return None
