"""The addresses under ``/api/tournaments/``."""

from __future__ import annotations

from django.urls import path

from tournaments.api import ExportView

urlpatterns = [
    path("<slug:slug>/export/", ExportView.as_view(), name="league-export"),
]
