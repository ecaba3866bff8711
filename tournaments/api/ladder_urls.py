"""URLs under ``/api/v1/ladders/``."""

from __future__ import annotations

from django.urls import path

from tournaments.api.continuous_ladder import ContinuousLadderView
from tournaments.api.ladders import LadderView

urlpatterns = [
    path("<slug:game>/", LadderView.as_view(), name="ladder"),
    path("<slug:game>/continuous/", ContinuousLadderView.as_view(), name="continuous-ladder"),
]
