"""The addresses of the pages."""

from __future__ import annotations

from django.urls import path

from frontend import embeds, views

urlpatterns = [
    path("", views.home, name="home"),
    path("leagues/", views.leagues, name="leagues"),
    path("leagues/<slug:slug>/", views.league, name="league"),
    path("leaderboards/", views.leaderboards, name="leaderboards"),
    path("leaderboards/<slug:game>/", views.leaderboard, name="leaderboard"),
    path("bots/", views.bots, name="bots"),
    path("bots/<slug:slug>/", views.bot, name="bot"),
    path("matches/<slug:match_id>/", views.match, name="match"),
    path("embed/<slug:match_id>/", embeds.embed, name="embed"),
    path("oembed/", embeds.oembed, name="oembed"),
    path("write-a-bot/", views.write_a_bot, name="write-a-bot"),
]
