"""REST API of organisers: one endpoint for each act on a league, and the proposals that need a second approval."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.urls import URLPattern, path
from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.idempotency import once
from bots.scopes import signed_in
from tournaments.desk import (
    LARGEST,
    LONGEST_REASON,
    approve,
    decline,
    propose_or_act,
    read_desk,
)
from tournaments.models import League
from tournaments.projections import etag_of
from tournaments.refusals import Changed, found, refusals
from tournaments.roles import LeagueRole, Proposal
from tournaments.rounds import locked
from tournaments.verbs import told_by_verb

LONGEST_WORD = 200
MOST_NUMBERS = 1000
ROLES = [LeagueRole.Role.CO_ORGANISER, LeagueRole.Role.JUDGE]
APPOINTMENTS: dict[str, tuple[str, dict[str, dict[str, Any]]]] = {
    "appoint": ("somebody becomes a co-organiser or a judge", {"person": {}, "role": {"choices": ROLES}}),
    "dismiss": ("somebody has no role in the league any more", {"person": {}}),
}
EXAMPLES = {"text": "We begin at eight.", "match": "09c7d4cb64f3", "person": "ada", "author": "ada", "bot": "careful"}
UNCHANGED = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, description="The league's ETag: 412 where it has changed since."
)


class ActSerializer(serializers.Serializer[Any]):
    """The reason of an act."""

    why = serializers.CharField(max_length=LONGEST_REASON, required=False, default="", help_text="Everybody reads it.")


class DoneSerializer(serializers.Serializer[Any]):
    """An act, done or proposed."""

    league = serializers.SlugField()
    verb = serializers.CharField()
    told = serializers.DictField(help_text="What was told of it.")
    why = serializers.CharField()
    by = serializers.CharField()
    proposal = serializers.IntegerField(allow_null=True, help_text="Its number where a second organiser must approve.")


class ProposalSerializer(serializers.ModelSerializer[Proposal]):
    """An act that a second organiser must approve, or has decided on."""

    by = serializers.CharField(source="by.username", read_only=True)
    decided_by = serializers.CharField(source="decided_by.username", read_only=True, allow_null=True)

    class Meta:
        model = Proposal
        fields = ("id", "verb", "told", "why", "by", "at", "status", "decided_by", "decided_at")


def _example(name: str, how: dict[str, Any]) -> Any:
    """Return an example value of an argument."""
    if "choices" in how:
        return how["choices"][0]
    one = 1 if how.get("type") is int else EXAMPLES.get(name, name)
    return [one] if "nargs" in how else one


def _field(how: dict[str, Any]) -> serializers.Field[Any, Any, Any, Any]:
    """Return the serializer field for an argument of the command line."""
    said = {"help_text": how["help"]} if "help" in how else {}
    one: serializers.Field[Any, Any, Any, Any]
    if "choices" in how:
        one = serializers.ChoiceField(choices=how["choices"], **said)
    elif how.get("type") is int:
        one = serializers.IntegerField(min_value=0, max_value=LARGEST, **said)
    else:
        one = serializers.CharField(max_length=LONGEST_WORD, **said)
    if "nargs" in how:
        return serializers.ListField(child=one, min_length=1, max_length=MOST_NUMBERS)
    return one


def doors() -> list[URLPattern]:
    """Return a URL for each verb."""
    verbs = {**told_by_verb(), **APPOINTMENTS}
    return [
        path(f"<slug:slug>/acts/{verb}/", _door(verb, what, words).as_view(), name=f"league-act-{verb}")
        for verb, (what, words) in verbs.items()
    ]


def _door(verb: str, what: str, words: dict[str, dict[str, Any]]) -> type[APIView]:
    fields = {name: _field(how) for name, how in words.items()}
    form = type(f"{verb.capitalize()}ActSerializer", (ActSerializer,), {"__doc__": f"{what.capitalize()}.", **fields})
    shown = {name: _example(name, how) for name, how in words.items()}

    class ActView(APIView):
        scope = "organise"
        throttle_scope = "enter"

        @extend_schema(
            operation_id=f"leagues_acts_{verb}",
            summary=what.capitalize(),
            parameters=[UNCHANGED],
            request=form,
            examples=[OpenApiExample(verb, {**shown, "why": "the hall was dark"}, request_only=True)],
            responses={201: DoneSerializer, 202: DoneSerializer},
        )
        @once()
        def post(self, request: Request, slug: str) -> Response:
            """Execute the act (201); if one of your bots is in the league, propose it to a second organiser (202)."""
            said = form(data=request.data)
            said.is_valid(raise_exception=True)
            told = dict(said.validated_data)
            return _act(request, slug, verb, told, told.pop("why"))

    return type(f"{verb.capitalize()}View", (ActView,), {"__doc__": f"{what.capitalize()}."})


def _act(request: Request, slug: str, verb: str, told: dict[str, Any], why: str) -> Response:
    person, league = signed_in(request), found(slug)
    with refusals(), transaction.atomic():
        _check_unchanged(request, league)
        proposal = propose_or_act(person, league, verb, told, why)
    done = {"league": slug, "verb": verb, "told": told, "why": why, "by": person.get_username()}
    code = status.HTTP_202_ACCEPTED if proposal else status.HTTP_201_CREATED
    return Response(DoneSerializer({**done, "proposal": proposal.pk if proposal else None}).data, code)


def _check_unchanged(request: Request, league: League) -> None:
    if seen := request.headers.get("If-Match"):
        locked(league.pk)
        if seen not in ("*", etag_of(league)):
            raise Changed(gettext("the league has changed since; read it again, and decide anew"))


class ProposalsView(APIView):
    """Proposals of a league, newest first."""

    scope = "organise"

    @extend_schema(responses={200: ProposalSerializer(many=True)})
    def get(self, request: Request, slug: str) -> Response:
        """List the proposals that wait for a second organiser; requires a role in the league."""
        league = found(slug)
        with refusals():
            read_desk(signed_in(request), league)
        waiting = league.proposals.filter(status=Proposal.Status.WAITING).select_related("by", "decided_by")
        return Response(ProposalSerializer(waiting[:MOST_NUMBERS], many=True).data)


class DecisionSerializer(serializers.Serializer[Any]):
    """The decision of a second organiser."""

    approve = serializers.BooleanField()


class ProposalView(APIView):
    """A proposal that waits for a second organiser."""

    scope = "organise"
    throttle_scope = "enter"

    @extend_schema(request=DecisionSerializer, responses={201: ProposalSerializer})
    @once()
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Approve the proposal, which executes it, or decline it."""
        said = DecisionSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        league = found(slug)
        with refusals():
            (approve if said.validated_data["approve"] else decline)(signed_in(request), league, number)
        return Response(ProposalSerializer(league.proposals.get(pk=number)).data, status.HTTP_201_CREATED)
