"""REST API for authors to enter their bots in a league and to withdraw them."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.api.idempotency import idempotent
from bots.api.token_scope_permissions import require_scope, scopes_of, signed_in_user
from foundation.query_parameters import query_parameters
from ftk_core.kit.uploads.bot_names import MAX_BOT_NAME_CHARACTERS
from tournaments.api.error_responses import get_league_or_404, translate_refusals
from tournaments.leagues.entry_questions import MAX_QUESTIONS, MAX_TEXT_CHARACTERS
from tournaments.organisers.organiser_action_submission import enter_own, withdraw_entry
from tournaments.organisers.organiser_page_queries import read_answer_sheet

MAX_INTEGER = 2**31 - 1


@extend_schema_serializer(
    examples=[OpenApiExample("newest", {"bot": "careful", "newest": True}, request_only=True)], component_name="Enter"
)
class EnterBotSerializer(serializers.Serializer[Any]):
    """Request body that enters a bot in a league, optionally in a given version.

    Without a version, the newest active version of the bot is entered.
    """

    bot = serializers.SlugField(max_length=MAX_BOT_NAME_CHARACTERS)
    version = serializers.IntegerField(min_value=1, max_value=MAX_INTEGER, required=False, default=None)
    newest = serializers.BooleanField(
        default=False, help_text="Whether it is the newest active version whenever its first round is paired."
    )
    answers = serializers.ListField(
        child=serializers.CharField(max_length=MAX_TEXT_CHARACTERS, allow_blank=True),
        max_length=MAX_QUESTIONS,
        default=list,
        help_text="Answers to the league's questions, in their order.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Reject a request with both `version` (a fixed version) and `newest` (switch to newer versions)."""
        # With `newest`, the bot plays in its newest active version when its first round is paired.
        if attrs["version"] and attrs["newest"]:
            raise serializers.ValidationError(gettext("say a version, or newest, but not both"))
        return attrs


class EntrySerializer(serializers.Serializer[Any]):
    """A newly entered bot in a league, with the first round that it plays."""

    entry = serializers.IntegerField()
    name = serializers.CharField()
    author = serializers.CharField()
    round = serializers.IntegerField(help_text="The first that it plays.")
    points = serializers.CharField(help_text="What it is given for the rounds it missed, an exact fraction.")
    newest = serializers.BooleanField()
    by = serializers.CharField()
    at = serializers.IntegerField(help_text="In seconds since 1970 (UTC).")


class EntryQuestionSerializer(serializers.Serializer[Any]):
    """A question that a league asks authors who enter a bot."""

    text = serializers.CharField()
    needed = serializers.BooleanField(source="required", help_text="True: an author's entry needs an answer.")
    choices = serializers.ListField(child=serializers.CharField(), help_text="Empty: any text answers it.")


@extend_schema_serializer(component_name="AnsweredEntry")
class EntryWithAnswersSerializer(serializers.Serializer[Any]):
    """A bot in a league, with its author's answers to the league's questions."""

    entry = serializers.IntegerField()
    name = serializers.CharField()
    author = serializers.CharField()
    withdrawn = serializers.BooleanField()
    answers = serializers.ListField(child=serializers.CharField(allow_blank=True))


@extend_schema_serializer(component_name="EntryAnswerSheet")
class QuestionnaireAnswersSerializer(serializers.Serializer[Any]):
    """The questions that a league asks authors who enter a bot, and the answers for every bot in the league."""

    questions = EntryQuestionSerializer(many=True)
    entries = EntryWithAnswersSerializer(many=True)


class LeagueEntryListView(APIView):
    """The bots in a league, called entries.

    POST enters a bot. GET lists all bots with their authors' answers to the league's questions; only organisers of the
    league may use GET.
    """

    scope = "enter"
    throttle_scope = "enter"

    @extend_schema(responses={200: QuestionnaireAnswersSerializer})
    @require_scope("organise")
    def get(self, request: Request, slug: str) -> Response:
        """List the bots in a league with their authors' answers to the league's questions.

        Only organisers of the league see the answers.
        """
        league = get_league_or_404(slug)
        with translate_refusals():
            sheet = read_answer_sheet(signed_in_user(request), league)
        return Response(QuestionnaireAnswersSerializer(sheet).data)

    @extend_schema(request=EnterBotSerializer, responses={201: EntrySerializer})
    @idempotent()
    def post(self, request: Request, slug: str) -> Response:
        """Enter one of your bots in a league."""
        serializer = EnterBotSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        entry = serializer.validated_data
        with translate_refusals():
            fact = enter_own(
                *(signed_in_user(request), slug, entry["bot"], entry["version"]),
                newest=entry["newest"],
                answers=entry["answers"],
            )
        return Response(EntrySerializer(fact).data, status.HTTP_201_CREATED)


class LeagueEntryView(APIView):
    """One bot in a league. DELETE withdraws the bot."""

    scope = "enter"
    throttle_scope = "enter"

    @extend_schema(
        parameters=[OpenApiParameter("why", str, description="Why; needed of organisers.")],
        responses={202: None, 204: None},
    )
    @query_parameters("why")
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Withdraw a bot from a league; matches that are already paired are still played.

        Authors withdraw their own bots, organisers any bot. If an organiser with a bot in the league withdraws another
        author's bot, a second organiser must approve the withdrawal; the status is then 202. Organisers need a token
        with the scope `organise` for this.
        """
        with translate_refusals():
            _, proposal = withdraw_entry(
                *(signed_in_user(request), slug, number, request.query_params.get("why", "")),
                organises="organise" in scopes_of(request),
            )
        return Response(status=status.HTTP_202_ACCEPTED if proposal else status.HTTP_204_NO_CONTENT)
