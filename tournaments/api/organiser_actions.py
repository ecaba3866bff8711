"""REST API of organisers' actions on a league, such as withdrawing a bot.

An organiser with a bot in the league can only propose an action.
"""
# In URLs an action is called an act.

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.urls import URLPattern, path
from django.utils.translation import gettext, override
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.api.idempotency import idempotent
from bots.api.token_scope_permissions import signed_in_user
from foundation.message_translation import translate_message
from tournaments.api.error_responses import StaleLeagueETagError, get_league_or_404, translate_refusals
from tournaments.api.league_etags import remove_content_digest
from tournaments.leagues.league_event_appending import lock_league
from tournaments.leagues.league_event_projection import compute_etag
from tournaments.models import League
from tournaments.organisers.organiser_action_definition import OrganiserAction, OrganiserActionArgument
from tournaments.organisers.organiser_action_submission import (
    MAX_ENTRY_NUMBER,
    MAX_REASON_CHARACTERS,
    act_on_lines,
    preview_act,
)
from tournaments.organisers.organiser_actions import actions_by_verb
from tournaments.organisers.organiser_permission_checks import check_right

MAX_LIST_ITEMS = 1000
IF_MATCH_HEADER = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, description="The league's ETag: 412 where it has changed since."
)


class ActionRequestSerializer(serializers.Serializer[Any]):
    """Request body of an organiser's action on a league: its reason (`why`), and its arguments."""

    why = serializers.CharField(
        max_length=MAX_REASON_CHARACTERS, required=False, default="", help_text="Everybody reads it."
    )
    preview = serializers.BooleanField(
        required=False, default=False, help_text="True: only return the effects (200), and do nothing."
    )


@extend_schema_serializer(component_name="ListedEntry")
class BulkEntryLineSerializer(serializers.Serializer[Any]):
    """Result for one line of a list of bots that an organiser enters in a league."""

    line = serializers.IntegerField(help_text="Its place in the list, from 1.")
    bot = serializers.CharField()
    outcome = serializers.ChoiceField(choices=("enters", "entered", "refused"), help_text="`entered`: before.")
    reason = serializers.CharField(help_text="Why it does not enter; empty if it does.")


@extend_schema_serializer(component_name="Done")
class ActionResultSerializer(serializers.Serializer[Any]):
    """An organiser's action that was executed or proposed. `proposal` is null if it was executed."""

    league = serializers.SlugField()
    verb = serializers.CharField()
    told = serializers.DictField(help_text="What was told of it.")
    why = serializers.CharField()
    by = serializers.CharField()
    proposal = serializers.IntegerField(allow_null=True, help_text="Its number where a second organiser must approve.")
    lines = BulkEntryLineSerializer(many=True, help_text="One for each line of a list; empty for other acts.")


@extend_schema_serializer(component_name="ChangedStanding")
class PreviewedChangeSerializer(serializers.Serializer[Any]):
    """A bot's place, table or rating before and after an organiser's action. A missing value is an empty text."""

    name = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


@extend_schema_serializer(component_name="ActEffects")
class ActionPreviewSerializer(serializers.Serializer[Any]):
    """Preview of the effects of an organiser's action.

    `facts` has the sentences with which the league's page would describe the action. `places`, `tables` and `ratings`
    have one item for each bot whose place, table or rating would change.
    """

    facts = serializers.ListField(child=serializers.CharField(), help_text="Sentences of the league's page.")
    places = PreviewedChangeSerializer(many=True)
    tables = PreviewedChangeSerializer(many=True, help_text="Changed tables of the drafted round.")
    ratings = PreviewedChangeSerializer(many=True)
    flaw = serializers.CharField(help_text="Why the drafted round can no longer begin after the act; empty if it can.")
    lines = BulkEntryLineSerializer(many=True, help_text="One for each line of a list; empty for other acts.")


def _make_field(field: OrganiserActionArgument) -> serializers.Field[Any, Any, Any, Any]:
    with override("en"):  # the schema is in English
        options: dict[str, Any] = {"help_text": str(field.help_text)} if field.help_text else {}
    options |= {"required": False} if field.optional else {}
    one: serializers.Field[Any, Any, Any, Any]
    if field.choices:
        one = serializers.ChoiceField(choices=field.choices, **options)
    elif field.number:
        one = serializers.IntegerField(min_value=0, max_value=MAX_ENTRY_NUMBER, **options)
    else:
        one = serializers.CharField(max_length=field.max_characters, allow_blank=field.optional, **options)
    return serializers.ListField(child=one, min_length=1, max_length=MAX_LIST_ITEMS) if field.many else one


def make_act_urls() -> list[URLPattern]:
    """Return one URL pattern for each kind of organisers' actions on a league."""
    return [
        path(f"<slug:slug>/acts/{act.verb}/", _make_act_view(act).as_view(), name=f"league-act-{act.verb}")
        for act in actions_by_verb().values()
    ]


def _make_act_view(act: OrganiserAction) -> type[APIView]:
    with override("en"):
        verb, summary = act.verb, str(act.summary)
    fields = {field.name: _make_field(field) for field in act.fields}
    name = f"{verb.capitalize()}ActSerializer"
    serializer_class = type(name, (ActionRequestSerializer,), {"__doc__": summary, **fields})
    example = {field.name: [field.example] if field.many else field.example for field in act.fields}
    example |= {"why": "the hall was dark"} if act.needs_reason else {}

    class OrganiserActionView(APIView):
        scope = "organise"
        throttle_scope = "enter"

        @extend_schema(
            operation_id=f"leagues_acts_{verb}",
            summary=summary.rstrip("."),
            parameters=[IF_MATCH_HEADER],
            request=serializer_class,
            examples=[OpenApiExample(verb, example, request_only=True)],
            responses={200: ActionPreviewSerializer, 201: ActionResultSerializer, 202: ActionResultSerializer},
        )
        @idempotent()
        def post(self, request: Request, slug: str) -> Response:
            """Take the action, propose it or preview it.

            The status is 201 if the action is taken. If you have a bot in the league, the action is only proposed to a
            second organiser (202). With `preview` the response has the effects of the action (200), and nothing
            changes.
            """
            serializer = serializer_class(data=request.data)
            serializer.is_valid(raise_exception=True)
            arguments = dict(serializer.validated_data)
            why, preview = arguments.pop("why"), arguments.pop("preview")
            if preview:
                return _preview_act(request, slug, verb, arguments)
            return _execute_act(request, slug, verb, arguments, why)

    return type(f"{verb.capitalize()}View", (OrganiserActionView,), {"__doc__": summary})


def _execute_act(request: Request, slug: str, verb: str, arguments: dict[str, Any], why: str) -> Response:
    person, league = signed_in_user(request), get_league_or_404(slug)
    with translate_refusals():
        check_right(person, league, verb, arguments)  # outside of the transaction, so that a refusal is stored
        with transaction.atomic():
            check_unchanged(request, league)
            proposal, lines = act_on_lines(person, league, verb, arguments, why)
    result = {"league": slug, "verb": verb, "told": arguments, "why": why, "by": person.get_username(), "lines": lines}
    code = status.HTTP_202_ACCEPTED if proposal else status.HTTP_201_CREATED
    return Response(ActionResultSerializer({**result, "proposal": proposal.pk if proposal else None}).data, code)


def _preview_act(request: Request, slug: str, verb: str, arguments: dict[str, Any]) -> Response:
    person, league = signed_in_user(request), get_league_or_404(slug)
    with translate_refusals():
        effects = preview_act(person, league, verb, arguments)
    facts = [fact.what for fact in effects.described]
    changes = {name: getattr(effects, name) for name in ("places", "tables", "ratings", "lines")}
    flaw = translate_message(effects.flaw)
    return Response(ActionPreviewSerializer({"facts": facts, **changes, "flaw": flaw}).data)


def check_unchanged(request: Request, league: League) -> None:
    """Lock the league if the request has an `If-Match` header.

    Raises StaleLeagueETagError if the header is neither the current ETag of the league nor ``*``.
    """
    if etag := request.headers.get("If-Match"):
        lock_league(league.pk)
        if remove_content_digest(etag) not in ("*", compute_etag(league)):
            raise StaleLeagueETagError(gettext("the league has changed since; read it again, and decide anew"))
