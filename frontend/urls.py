"""The addresses of the pages."""

from __future__ import annotations

from django.templatetags.static import static
from django.urls import path
from django.views.generic import RedirectView

from frontend.pages import (
    account,
    bots,
    cards,
    devices,
    embeds,
    feeds,
    games,
    home,
    leaderboards,
    leagues,
    matches,
    search,
    status,
    theatre,
    trials,
    write_a_bot,
)

urlpatterns = [
    path("favicon.ico", RedirectView.as_view(url=static("crown.svg")), name="favicon"),
    path("", home.page, name="home"),
    path("leagues/", leagues.leagues, name="leagues"),
    path("leagues/<slug:slug>/", leagues.league, name="league"),
    path("leagues/<slug:slug>/standings/", leagues.standings, name="league-standings"),
    path("leagues/<slug:slug>/rounds/<int:number>/", leagues.round_, name="league-round"),
    path("leagues/<slug:slug>/cross/", leagues.cross, name="league-cross"),
    path("leagues/<slug:slug>/acts/", leagues.acts, name="league-acts"),
    path("leaderboards/", leaderboards.leaderboards, name="leaderboards"),
    path("leaderboards/<slug:game>/", leaderboards.leaderboard, name="leaderboard"),
    path("bots/", bots.bots, name="bots"),
    path("bots/<slug:slug>/", bots.bot, name="bot"),
    path("matches/<slug:match_id>/", matches.match, name="match"),
    path("matches/<slug:match_id>/card.png", cards.card, name="card"),
    path("embed/<slug:match_id>/", embeds.embed, name="embed"),
    path("oembed/", embeds.oembed, name="oembed"),
    path("write-a-bot/", write_a_bot.page, name="write-a-bot"),
    path("sign-in/", account.sign_in, name="sign-in"),
    path("sign-out/", account.sign_out, name="sign-out"),
    path("account/", account.page, name="account"),
    path("account/tokens/", account.tokens, name="tokens"),
    path("account/sessions/", account.end_session, name="sessions"),
    path("device/", devices.page, name="device"),
    path("search/", search.page, name="search"),
    path("status/", status.page, name="status"),
    path("watch/", theatre.page, name="watch"),
    path("leagues/<slug:slug>/feed.atom", feeds.ResultsFeed(), name="feed"),
    path("leagues/<slug:slug>/rounds.ics", feeds.rounds, name="rounds"),
    path("games/<slug:name>/", games.page, name="game"),
    path("games/<slug:name>/about/", games.about, name="about"),
    path("games/<slug:name>/house/<slug:bot>/", games.sample, name="sample"),
    path("bots/<slug:slug>/versions/<int:number>/", trials.page, name="trial"),
]
