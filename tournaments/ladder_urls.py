"""The addresses under ``/api/v1/ladders/``."""

from __future__ import annotations

from django.urls import path

from tournaments.ladder_api import LadderView

urlpatterns = [path("<slug:game>/", LadderView.as_view(), name="ladder")]
