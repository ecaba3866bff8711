"""URLs under ``/api/v1/ladders/``."""

from __future__ import annotations

from django.urls import path

from tournaments.continuous_api import ContinuousView
from tournaments.ladder_api import LadderView

urlpatterns = [
    path("<slug:game>/", LadderView.as_view(), name="ladder"),
    path("<slug:game>/continuous/", ContinuousView.as_view(), name="continuous-ladder"),
]
