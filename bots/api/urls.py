"""URL patterns under ``/api/v1/bots/``."""

from __future__ import annotations

from django.urls import include, path
from rest_framework.routers import DefaultRouter

from bots.api.bots import BotUploadView, BotVersionViewSet, BotViewSet, RemoteBotRegistrationView

router = DefaultRouter(use_regex_path=True)
router.register("versions", BotVersionViewSet, basename="version")
router.register("", BotViewSet, basename="bot")

urlpatterns = [
    path("remote/", RemoteBotRegistrationView.as_view(), name="bot-remote"),
    path("uploads/", BotUploadView.as_view(), name="bot-upload"),
    path("", include(router.urls)),
]
