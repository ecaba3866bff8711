"""REST API of the bots: upload, list, and show versions."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots import queries
from bots.choosing import NotChosen, activate
from bots.idempotency import once
from bots.models import Bot, BotVersion
from bots.outside import NotOutside, register
from bots.room import NoRoom
from bots.scopes import PUBLIC, needs, reader_of, signed_in
from bots.services import take_in
from bots.tokens import BEGUN_BY
from bots.version_queries import NotAnAuthor
from foundation.problems import refused
from ftk_core.kit.archive import BadUpload
from ftk_core.kit.limits import UPLOAD
from ftk_core.kit.names import BOT_NAME, LONGEST_BOT_NAME


class UploadSerializer(serializers.Serializer[Any]):
    """Form of an upload."""

    game = serializers.CharField(max_length=40)
    bot = serializers.RegexField(BOT_NAME, max_length=LONGEST_BOT_NAME, trim_whitespace=False)
    file = serializers.FileField(allow_empty_file=True)


class RemoteSerializer(serializers.Serializer[Any]):
    """Form of a remote bot: its name and its game."""

    game = serializers.CharField(max_length=40)
    bot = serializers.RegexField(BOT_NAME, max_length=LONGEST_BOT_NAME, trim_whitespace=False)


class VersionSerializer(serializers.ModelSerializer[BotVersion]):
    """Public representation of a version."""

    bot = serializers.SlugRelatedField[Bot](slug_field="slug", read_only=True)
    digest = serializers.CharField(source="package_id", read_only=True)

    class Meta:
        model = BotVersion
        fields: tuple[str, ...] = ("id", "bot", "number", "digest", "status", "reason", "uploaded_at")


class OwnVersionSerializer(VersionSerializer):
    """A version with its trial log, for its author."""

    class Meta(VersionSerializer.Meta):
        fields: tuple[str, ...] = (*VersionSerializer.Meta.fields, "trial_log")


class BotSerializer(serializers.ModelSerializer[Bot]):
    """A bot and its versions."""

    versions = VersionSerializer(many=True, read_only=True)

    class Meta:
        model = Bot
        fields = ("slug", "game", "kind", "created_at", "versions")


class UploadView(APIView):
    """Upload of one ``.py`` or ``.zip`` as the next version of a bot."""

    scope = "upload"
    parser_classes = (MultiPartParser,)
    throttle_scope = "upload"

    @extend_schema(request={"multipart/form-data": UploadSerializer}, responses={201: OwnVersionSerializer})
    @once()
    def post(self, request: Request) -> Response:
        """Store the upload and start its trial match."""
        form = UploadSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        token = getattr(request.auth, "start", request.session.get(BEGUN_BY, "") if request.auth is None else "")
        file, owner = form.validated_data["file"], signed_in(request)
        if file.size > UPLOAD.packed_bytes:
            words = {"size": file.size, "most": UPLOAD.packed_bytes}
            detail = gettext("the file has %(size)s bytes, %(most)s are allowed") % words
            return Response({"code": "too_large", "detail": detail}, status.HTTP_413_REQUEST_ENTITY_TOO_LARGE)
        try:
            version = take_in(
                owner, form.validated_data["game"], form.validated_data["bot"], file.name, file.read(), token
            )
        except NoRoom as error:
            code = (
                status.HTTP_429_TOO_MANY_REQUESTS
                if error.code in ("trials_waiting", "uploads")
                else status.HTTP_507_INSUFFICIENT_STORAGE
            )
            after = {"Retry-After": str(error.seconds)} if code == status.HTTP_429_TOO_MANY_REQUESTS else {}
            return Response({"code": error.code, "detail": str(error)}, code, headers=after)
        except BadUpload as error:
            return Response({"code": error.code, "detail": str(error)}, status.HTTP_400_BAD_REQUEST)
        return Response(OwnVersionSerializer(version).data, status.HTTP_201_CREATED)


class RemoteView(APIView):
    """Registration of a bot that plays from its author's machine, over `/seat`."""

    scope = "play"
    throttle_scope = "upload"

    @extend_schema(request=RemoteSerializer, responses={201: VersionSerializer})
    @once()
    def post(self, request: Request) -> Response:
        """Create a remote bot, or return the existing one."""
        form = RemoteSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        try:
            version = register(signed_in(request), form.validated_data["game"], form.validated_data["bot"])
        except NotOutside as error:
            return refused(status.HTTP_400_BAD_REQUEST, error.code, str(error))
        return Response(VersionSerializer(version).data, status.HTTP_201_CREATED)


class VersionViewSet(mixins.RetrieveModelMixin, viewsets.GenericViewSet[BotVersion]):
    """One version: its result for everybody, its trial log for its author."""

    scope = PUBLIC
    queryset = BotVersion.objects.select_related("bot", "package")

    def get_serializer_class(self) -> type[VersionSerializer]:
        """Include the trial log for the author only."""
        if self.detail and self.kwargs.get("pk") and queries.owns(reader_of(self.request), self.kwargs["pk"]):
            return OwnVersionSerializer
        return VersionSerializer


class ActivationSerializer(serializers.Serializer[Any]):
    """Form of an activation: the version that is to play."""

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
    @needs("upload")
    def activate(self, request: Request, slug: str, **_kwargs: Any) -> Response:
        """Activate a version; later versions rest until they are activated themselves."""
        form = ActivationSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        try:
            version = activate(signed_in(request).pk, slug, form.validated_data["version"])
        except BotVersion.DoesNotExist as error:
            raise NotFound(str(error)) from None
        except NotAnAuthor as error:
            raise PermissionDenied(str(error)) from None
        except NotChosen as error:
            return refused(status.HTTP_409_CONFLICT, "not_chosen", str(error))
        return Response(VersionSerializer(version).data)
