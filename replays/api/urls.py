"""URL patterns under ``/api/v1/matches/``."""

from __future__ import annotations

from django.urls import include, path
from rest_framework.routers import DefaultRouter

from replays.api.human_seats import FriendlyMatchRequestView, HumanSeatView
from replays.api.matches import MatchViewSet
from replays.api.reviews import ReviewView

router = DefaultRouter()
router.register("", MatchViewSet, basename="match")

urlpatterns = [
    path("friendly/", FriendlyMatchRequestView.as_view(), name="friendly"),
    path("<slug:match_id>/seats/<int:number>/", HumanSeatView.as_view(), name="seat"),
    path("<slug:match_id>/review/", ReviewView.as_view(), name="review"),
    path("", include(router.urls)),
]
