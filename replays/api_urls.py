"""The addresses under ``/api/v1/matches/``."""

from __future__ import annotations

from rest_framework.routers import DefaultRouter

from replays.api import MatchViewSet

router = DefaultRouter()
router.register("", MatchViewSet, basename="match")

urlpatterns = router.urls
