"""URLs under ``/api/v1/challenges/``."""

from __future__ import annotations

from django.urls import path

from tournaments.api.challenges import ChallengeListView, ChallengeView

urlpatterns = [
    path("", ChallengeListView.as_view(), name="challenges"),
    path("<int:number>/", ChallengeView.as_view(), name="challenge-detail"),
]
