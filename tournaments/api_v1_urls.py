"""The addresses under ``/api/v1/leagues/``."""

from __future__ import annotations

from django.urls import path

from tournaments.entries_api import EntriesView, EntryView

urlpatterns = [
    path("<slug:slug>/entries/", EntriesView.as_view(), name="league-entries"),
    path("<slug:slug>/entries/<int:number>/", EntryView.as_view(), name="league-entry"),
]
