"""URLs under ``/api/v1/series/``."""

from __future__ import annotations

from django.urls import path

from tournaments.api.league_series import (
    LeagueSeriesListView,
    LeagueSeriesView,
    SeriesLeagueAdditionView,
    SeriesLeagueRemovalView,
)

urlpatterns = [
    path("", LeagueSeriesListView.as_view(), name="series-list"),
    path("<slug:slug>/", LeagueSeriesView.as_view(), name="series-detail"),
    path("<slug:slug>/leagues/", SeriesLeagueAdditionView.as_view(), name="series-leagues"),
    path("<slug:slug>/leagues/<slug:league>/", SeriesLeagueRemovalView.as_view(), name="series-league"),
]
