"""URLs under ``/api/v1/leagues/``."""

from __future__ import annotations

from django.urls import path

from tournaments.api.entries import LeagueEntryListView, LeagueEntryView
from tournaments.api.exports import LeagueDataFileView, LeagueExportView
from tournaments.api.league_logo import LeagueLogoView
from tournaments.api.leagues import (
    LeagueForecastView,
    LeagueListView,
    LeagueOrganiserActionsView,
    LeagueSettingsView,
    LeagueTemplatesView,
    LeagueView,
    RoundView,
    StandingsView,
)
from tournaments.api.organiser_action_proposals import ActionProposalDecisionView, ActionProposalListView
from tournaments.api.organiser_actions import make_act_urls
from tournaments.api.predictions import LeagueBestPredictorsView, LeaguePredictionsView, PredictionLeaderboardView

urlpatterns = [
    path("", LeagueListView.as_view(), name="leagues-list"),
    path("predictions/best/", PredictionLeaderboardView.as_view(), name="guessers"),
    path("new/outlook/", LeagueForecastView.as_view(), name="league-outlook"),
    path("new/templates/", LeagueTemplatesView.as_view(), name="league-templates"),
    path("<slug:slug>/", LeagueView.as_view(), name="league-detail"),
    path("<slug:slug>/terms/", LeagueSettingsView.as_view(), name="league-terms"),
    path("<slug:slug>/standings/", StandingsView.as_view(), name="league-standings"),
    path("<slug:slug>/rounds/<int:number>/", RoundView.as_view(), name="league-round-detail"),
    path("<slug:slug>/acts/", LeagueOrganiserActionsView.as_view(), name="league-acts-list"),
    *make_act_urls(),
    path("<slug:slug>/proposals/", ActionProposalListView.as_view(), name="league-proposals"),
    path("<slug:slug>/proposals/<int:number>/", ActionProposalDecisionView.as_view(), name="league-proposal"),
    path("<slug:slug>/entries/", LeagueEntryListView.as_view(), name="league-entries"),
    path("<slug:slug>/entries/<int:number>/", LeagueEntryView.as_view(), name="league-entry"),
    path("<slug:slug>/logo/", LeagueLogoView.as_view(), name="league-logo-api"),
    path("<slug:slug>/predictions/", LeaguePredictionsView.as_view(), name="league-predictions-api"),
    path("<slug:slug>/predictions/best/", LeagueBestPredictorsView.as_view(), name="league-guessers"),
    path("<slug:slug>/export/", LeagueExportView.as_view(), name="league-export"),
    path("<slug:slug>/sheets/<str:name>", LeagueDataFileView.as_view(), name="league-sheet"),
]
