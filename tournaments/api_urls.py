"""The addresses under ``/api/tournaments/``."""

from __future__ import annotations

from django.urls import path

from tournaments.api import ExportView, SheetView

urlpatterns = [
    path("<slug:slug>/export/", ExportView.as_view(), name="league-export"),
    path("<slug:slug>/sheets/<str:name>", SheetView.as_view(), name="league-sheet"),
]
