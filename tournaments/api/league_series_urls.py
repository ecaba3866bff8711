"""URLs under ``/api/v1/series/``."""

from __future__ import annotations

from django.urls import path

from tournaments.api.league_series import LeagueSeriesListView, LeagueSeriesView, SeriesLeaguesView, SeriesLeagueView

urlpatterns = [
    path("", LeagueSeriesListView.as_view(), name="series-list"),
    path("<slug:slug>/", LeagueSeriesView.as_view(), name="series-detail"),
    path("<slug:slug>/leagues/", SeriesLeaguesView.as_view(), name="series-leagues"),
    path("<slug:slug>/leagues/<slug:league>/", SeriesLeagueView.as_view(), name="series-league"),
]
