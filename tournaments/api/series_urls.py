"""URLs under ``/api/v1/series/``."""

from __future__ import annotations

from django.urls import path

from tournaments.api.series import SeriesLeaguesView, SeriesLeagueView, SeriesListView, SeriesView

urlpatterns = [
    path("", SeriesListView.as_view(), name="series-list"),
    path("<slug:slug>/", SeriesView.as_view(), name="series-detail"),
    path("<slug:slug>/leagues/", SeriesLeaguesView.as_view(), name="series-leagues"),
    path("<slug:slug>/leagues/<slug:league>/", SeriesLeagueView.as_view(), name="series-league"),
]
