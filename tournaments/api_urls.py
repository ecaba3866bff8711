"""URLs under ``/api/v1/leagues/``."""

from __future__ import annotations

from django.urls import path

from tournaments.acts_api import ProposalsView, ProposalView, doors
from tournaments.api import ExportView, SheetView
from tournaments.entries_api import EntriesView, EntryView
from tournaments.leagues_api import ActsView, LeaguesView, LeagueView, OutlookView, RoundView, StandingsView

urlpatterns = [
    path("", LeaguesView.as_view(), name="leagues-list"),
    path("new/outlook/", OutlookView.as_view(), name="league-outlook"),
    path("<slug:slug>/", LeagueView.as_view(), name="league-detail"),
    path("<slug:slug>/standings/", StandingsView.as_view(), name="league-standings"),
    path("<slug:slug>/rounds/<int:number>/", RoundView.as_view(), name="league-round-detail"),
    path("<slug:slug>/acts/", ActsView.as_view(), name="league-acts-list"),
    *doors(),
    path("<slug:slug>/proposals/", ProposalsView.as_view(), name="league-proposals"),
    path("<slug:slug>/proposals/<int:number>/", ProposalView.as_view(), name="league-proposal"),
    path("<slug:slug>/entries/", EntriesView.as_view(), name="league-entries"),
    path("<slug:slug>/entries/<int:number>/", EntryView.as_view(), name="league-entry"),
    path("<slug:slug>/export/", ExportView.as_view(), name="league-export"),
    path("<slug:slug>/sheets/<str:name>", SheetView.as_view(), name="league-sheet"),
]
