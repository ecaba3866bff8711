"""REST API of proposed organisers' actions on a league, which a second organiser approves or declines."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.api.idempotency import idempotent
from bots.api.token_scope_permissions import signed_in_user
from tournaments.api.error_responses import get_league_or_404, translate_refusals
from tournaments.api.organiser_actions import IF_MATCH_HEADER, MAX_LIST_ITEMS, check_unchanged
from tournaments.models.organiser_roles import Proposal
from tournaments.organisers.action_proposal_decisions import approve, check_approver, decline
from tournaments.organisers.organiser_page_queries import read_console


@extend_schema_serializer(component_name="Proposal")
class ActionProposalSerializer(serializers.ModelSerializer[Proposal]):
    """A proposed action of an organiser, with the decision of a second organiser once it is made."""

    by = serializers.CharField(source="by.username", read_only=True)
    decided_by = serializers.CharField(source="decided_by.username", read_only=True, allow_null=True)

    class Meta:
        model = Proposal
        fields = ("id", "verb", "told", "why", "by", "at", "status", "decided_by", "decided_at")


class ActionProposalListView(APIView):
    """Proposed actions on a league that wait for the decision of a second organiser."""

    scope = "organise"

    @extend_schema(responses={200: ActionProposalSerializer(many=True)})
    def get(self, request: Request, slug: str) -> Response:
        """List the proposed actions that wait for a decision, newest first; requires a role in the league."""
        league = get_league_or_404(slug)
        with translate_refusals():
            read_console(signed_in_user(request), league)
        waiting = league.proposals.filter(status=Proposal.Status.WAITING).select_related("by", "decided_by")
        return Response(ActionProposalSerializer(waiting[:MAX_LIST_ITEMS], many=True).data)


@extend_schema_serializer(component_name="Decision")
class ProposalDecisionSerializer(serializers.Serializer[Any]):
    """Request body of a decision on a proposal: approve or decline."""

    approve = serializers.BooleanField()


class ActionProposalDecisionView(APIView):
    """View by which a second organiser approves or declines a proposed action."""

    scope = "organise"
    throttle_scope = "enter"

    @extend_schema(
        parameters=[IF_MATCH_HEADER], request=ProposalDecisionSerializer, responses={201: ActionProposalSerializer}
    )
    @idempotent()
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Approve or decline a proposed action. Approval executes the action."""
        serializer = ProposalDecisionSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        person, league = signed_in_user(request), get_league_or_404(slug)
        with translate_refusals():
            if serializer.validated_data["approve"]:
                check_approver(person, league, number)  # outside of the transaction, so that a refusal is stored
                with transaction.atomic():
                    check_unchanged(request, league)
                    approve(person, league, number)
            else:
                decline(person, league, number)
        return Response(ActionProposalSerializer(league.proposals.get(pk=number)).data, status.HTTP_201_CREATED)
