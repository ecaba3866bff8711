"""REST API for uploading, listing and activating bots."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import mixins, serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots import queries
from bots.api.idempotency import idempotent
from bots.api.token_scope_permissions import PUBLIC, private_reader_id, require_scope, signed_in_user
from bots.models import Bot, BotVersion
from bots.remote_bots import (
    MAX_MODEL_CHARACTERS,
    PROMPT_HASH,
    DeclaredLlm,
    RemoteBotUnavailable,
    register_remote_bot,
)
from bots.services import accept_upload
from bots.upload_checks import UploadQuotaExceeded, read_upload_limits
from bots.versions.activation import BotVersionActivationError, activate_version
from bots.versions.queries import NotAnAuthorError
from foundation.problem_details import refusal_response
from ftk_core.kit.uploads.bot_names import BOT_NAME, MAX_BOT_NAME_CHARACTERS
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from people.login_sessions import SESSION_TOKEN_KEY


class UploadSerializer(serializers.Serializer[Any]):
    """Form of an upload: the bot's name and game, and the file."""

    game = serializers.CharField(max_length=40)
    bot = serializers.RegexField(BOT_NAME, max_length=MAX_BOT_NAME_CHARACTERS, trim_whitespace=False)
    file = serializers.FileField(allow_empty_file=True)


@extend_schema_serializer(component_name="Remote")
class RemoteBotSerializer(serializers.Serializer[Any]):
    """Form of a remote bot: its name, its game, and the language model that plays as the bot, if any."""

    game = serializers.CharField(max_length=40)
    bot = serializers.RegexField(BOT_NAME, max_length=MAX_BOT_NAME_CHARACTERS, trim_whitespace=False)
    model = serializers.CharField(
        max_length=MAX_MODEL_CHARACTERS, default="", allow_blank=True, help_text="Declared by you, and not checked."
    )
    prompt_hash = serializers.RegexField(
        rf"^({PROMPT_HASH})?$", default="", allow_blank=True, help_text="SHA-256 of its prompt, or the beginning of it."
    )


class VersionSerializer(serializers.ModelSerializer[BotVersion]):
    """Public fields of a bot version."""

    bot = serializers.SlugRelatedField[Bot](slug_field="slug", read_only=True)
    digest = serializers.CharField(source="package_id", read_only=True)

    class Meta:
        model = BotVersion
        fields: tuple[str, ...] = ("id", "bot", "number", "digest", "status", "reason", "uploaded_at")


@extend_schema_serializer(component_name="OwnVersion")
class BotVersionForAuthorsSerializer(VersionSerializer):
    """A bot version with the log of its trial match, shown only to the bot's authors."""

    class Meta(VersionSerializer.Meta):
        fields: tuple[str, ...] = (*VersionSerializer.Meta.fields, "trial_log")


class BotSerializer(serializers.ModelSerializer[Bot]):
    """A bot and its versions."""

    versions = VersionSerializer(many=True, read_only=True)

    class Meta:
        model = Bot
        fields = ("slug", "game", "kind", "created_at", "versions")


class BotUploadView(APIView):
    """Upload of one ``.py`` or ``.zip`` file as the next version of a bot."""

    scope = "upload"
    parser_classes = (MultiPartParser,)
    throttle_scope = "upload"

    @extend_schema(request={"multipart/form-data": UploadSerializer}, responses={201: BotVersionForAuthorsSerializer})
    @idempotent()
    def post(self, request: Request) -> Response:
        """Store the upload and start its trial match."""
        form = UploadSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        token = getattr(
            request.auth, "start", request.session.get(SESSION_TOKEN_KEY, "") if request.auth is None else ""
        )
        file, owner = form.validated_data["file"], signed_in_user(request)
        if file.size > (max_bytes := read_upload_limits().max_bytes(file.name)):
            words = {"size": file.size, "most": max_bytes}
            message = gettext("the file has %(size)s bytes, %(most)s are allowed") % words
            refusal = InvalidUploadError("too_large", message)
            return Response({"code": refusal.code, "detail": str(refusal)}, status.HTTP_413_REQUEST_ENTITY_TOO_LARGE)
        try:
            version = accept_upload(
                owner, form.validated_data["game"], form.validated_data["bot"], file.name, file.read(), token
            )
        except UploadQuotaExceeded as error:
            return _quota_response(error)
        except InvalidUploadError as error:
            return Response({"code": error.code, "detail": str(error)}, status.HTTP_400_BAD_REQUEST)
        # the same files again return the version that has them, whose trial may be over
        may_read = private_reader_id(request) is not None
        serializer = BotVersionForAuthorsSerializer if may_read else VersionSerializer
        return Response(serializer(version).data, status.HTTP_201_CREATED)


def _quota_response(error: UploadQuotaExceeded) -> Response:
    is_temporary = error.code in ("trials_waiting", "uploads")
    code = status.HTTP_429_TOO_MANY_REQUESTS if is_temporary else status.HTTP_507_INSUFFICIENT_STORAGE
    after = {"Retry-After": str(error.seconds)} if is_temporary else {}
    return Response({"code": error.code, "detail": str(error)}, code, headers=after)


class RemoteBotRegistrationView(APIView):
    """Registration of a remote bot, which plays from its author's machine over the WebSocket `/seat`."""

    scope = "play"
    throttle_scope = "upload"

    @extend_schema(request=RemoteBotSerializer, responses={201: VersionSerializer})
    @idempotent()
    def post(self, request: Request) -> Response:
        """Create a remote bot if it does not exist, and return its newest version."""
        form = RemoteBotSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        fields = form.validated_data
        label = DeclaredLlm(fields["model"], fields["prompt_hash"])
        try:
            version = register_remote_bot(
                signed_in_user(request),
                fields["game"],
                fields["bot"],
                label if label != DeclaredLlm() else None,
            )
        except UploadQuotaExceeded as error:
            return _quota_response(error)
        except RemoteBotUnavailable as error:
            return refusal_response(status.HTTP_400_BAD_REQUEST, error.code, str(error))
        return Response(VersionSerializer(version).data, status.HTTP_201_CREATED)


class BotVersionViewSet(mixins.RetrieveModelMixin, viewsets.GenericViewSet[BotVersion]):
    """One bot version, with the result of its trial match. Only the bot's authors see the log of that match."""

    scope = PUBLIC
    queryset = BotVersion.objects.select_related("bot", "package")

    def get_serializer_class(self) -> type[VersionSerializer]:
        """Return the serializer that includes the trial log if the user is an author, else the public serializer."""
        if (
            self.detail
            and self.kwargs.get("pk")
            and queries.is_author_of_version(private_reader_id(self.request), self.kwargs["pk"])
        ):
            return BotVersionForAuthorsSerializer
        return VersionSerializer


class ActivationSerializer(serializers.Serializer[Any]):
    """Form of an activation: the number of the version that is to play."""

    version = serializers.IntegerField(min_value=1)


class BotViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Bot]):
    """The bots and their versions."""

    scope = PUBLIC
    queryset = Bot.objects.prefetch_related("versions__package")
    ordering = ("slug",)
    serializer_class = BotSerializer
    lookup_field = "slug"
    filterset_fields = ("game",)

    @extend_schema(request=ActivationSerializer, responses={200: VersionSerializer}, extensions={"x-once": False})
    @action(detail=True, methods=["post"])
    @require_scope("upload")
    def activate(self, request: Request, slug: str, **_kwargs: Any) -> Response:
        """Activate a version, so that the bot plays with it. Newer active versions get the status `resting`."""
        form = ActivationSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        try:
            version = activate_version(signed_in_user(request).pk, slug, form.validated_data["version"])
        except BotVersion.DoesNotExist as error:
            raise NotFound(str(error)) from None
        except NotAnAuthorError as error:
            raise PermissionDenied(str(error)) from None
        except BotVersionActivationError as error:
            return refusal_response(status.HTTP_409_CONFLICT, "not_chosen", str(error))
        return Response(VersionSerializer(version).data)
