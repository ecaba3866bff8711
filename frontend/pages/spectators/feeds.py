"""Atom feeds of leagues, bots, games and authors."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext

from bots.queries import BotProfile, read_bot
from bots.versions.queries import RecentBotSummary, list_new_bots
from foundation.branding.arena_brand import read_brand
from foundation.game_titles import games, get_game_title
from frontend.drawing.atom_feeds import XmlSafeAtomFeed
from ftk_core.game import Game
from ftk_core.games import list_games
from replays.queries import MatchOverview
from tournaments.reports import league_lists
from tournaments.reports.league_lists import LeagueFilter
from tournaments.reports.league_match_search import LeagueMatchSearchCriteria, search
from tournaments.summaries.league_and_leaderboard_overviews import LeagueSummary

MAX_RESULTS = 50
if TYPE_CHECKING:
    LeagueBase = Feed[MatchOverview, LeagueSummary]
    BotBase = Feed[MatchOverview, BotProfile]
    GameBase = Feed[LeagueSummary, Game[Any, Any, Any, Any]]
    NewBotsBase = Feed[RecentBotSummary, str]
else:  # Django's own class is not generic
    LeagueBase = BotBase = GameBase = NewBotsBase = Feed


class MatchFeedItems:
    """Mixin for feeds of matches: author, title, description, link and dates of each feed item."""

    def item_author_name(self, _item: object) -> str:
        """Return the name of the site."""
        return read_brand().name

    def item_title(self, item: MatchOverview) -> str:
        """Return a sentence that names the winners of a match."""
        winners = [player.name for player in item.players if player.place == 1]
        return _("%(winners)s won") % {"winners": _(" and ").join(winners)} if winners else _("Nobody won")

    def item_description(self, item: MatchOverview) -> str:
        """Return the rank, name and score of each player as text, the winners first."""
        ranked = sorted(item.players, key=lambda player: player.place or len(item.players))
        return ", ".join(f"{player.place}. {player.name} ({player.score})" for player in ranked)

    def item_link(self, item: MatchOverview) -> str:
        """Return the URL of a match."""
        return reverse("match", args=[item.id])

    def item_pubdate(self, item: MatchOverview) -> datetime | None:
        """Return the time at which a match ended."""
        return item.closed_at

    item_updateddate = item_pubdate


def _describe_league(league: LeagueSummary) -> str:
    """Return a text with a league's game, number of bots and number of rounds."""
    return _("%(game)s, %(bots)s, %(rounds)s") % {
        "game": get_game_title(league.game),
        "bots": ngettext("%(n)s bot", "%(n)s bots", league.entries) % {"n": league.entries},
        "rounds": ngettext("%(n)s round", "%(n)s rounds", league.rounds) % {"n": league.rounds},
    }


class ResultsFeed(MatchFeedItems, LeagueBase):
    """Atom feed with the latest results of a league."""

    feed_type = XmlSafeAtomFeed

    def get_object(self, request: HttpRequest, *_args: Any, slug: str, **_kwargs: Any) -> LeagueSummary:
        """Return the league with this slug; raises League.DoesNotExist, which Django answers with 404."""
        del request
        return league_lists.read_card(slug)

    def title(self, league: LeagueSummary) -> str:
        """Return the title of the feed, with the league's name."""
        return _("%(name)s: results") % {"name": league.name}

    def subtitle(self, league: LeagueSummary) -> str:
        """Return a text with the league's game, number of bots and number of rounds."""
        return _describe_league(league)

    def link(self, league: LeagueSummary) -> str:
        """Return the URL of the league's page."""
        return reverse("league", args=[league.slug])

    def items(self, league: LeagueSummary) -> list[MatchOverview]:
        """Return the latest finished matches of the league, newest first."""
        return search(LeagueMatchSearchCriteria(league=league.slug), size=MAX_RESULTS).matches


class BotFeed(MatchFeedItems, BotBase):
    """Atom feed with the latest results of a bot."""

    feed_type = XmlSafeAtomFeed

    def get_object(self, request: HttpRequest, *_args: Any, slug: str, **_kwargs: Any) -> BotProfile:
        """Return the bot with this slug; raises Bot.DoesNotExist, which Django answers with 404."""
        del request
        return read_bot(slug)

    def title(self, bot: BotProfile) -> str:
        """Return the title of the feed, with the bot's name."""
        return _("%(name)s: results") % {"name": bot.name}

    def link(self, bot: BotProfile) -> str:
        """Return the URL of the bot's page."""
        return reverse("bot", args=[bot.slug])

    def items(self, bot: BotProfile) -> list[MatchOverview]:
        """Return the latest finished matches of the bot, newest first."""
        return search(LeagueMatchSearchCriteria(bot=bot.slug), size=MAX_RESULTS).matches


class GameFeed(GameBase):
    """Atom feed with the latest leagues of a game."""

    feed_type = XmlSafeAtomFeed

    def get_object(self, request: HttpRequest, *_args: Any, name: str, **_kwargs: Any) -> Game[Any, Any, Any, Any]:
        """Return the game with this name; raises Http404 for an unknown game."""
        del request
        if name not in list_games():
            raise Http404(_("There is no game %(name)r.") % {"name": name[:40]})
        return list_games()[name]

    def title(self, rules: Game[Any, Any, Any, Any]) -> str:
        """Return the title of the feed, with the game's title."""
        return _("%(game)s: leagues") % {"game": get_game_title(rules.name)}

    def link(self, rules: Game[Any, Any, Any, Any]) -> str:
        """Return the URL of the game's page."""
        return reverse("game", args=[rules.name])

    def items(self, rules: Game[Any, Any, Any, Any]) -> list[LeagueSummary]:
        """Return the latest leagues of the game, newest first."""
        return league_lists.list_leagues_from("", MAX_RESULTS, wanted=LeagueFilter(game=rules.name)).cards

    def item_title(self, item: LeagueSummary) -> str:
        """Return the name of a league."""
        return item.name

    def item_description(self, item: LeagueSummary) -> str:
        """Return a text with a league's game, number of bots and number of rounds."""
        return _describe_league(item)

    def item_link(self, item: LeagueSummary) -> str:
        """Return the URL of a league."""
        return reverse("league", args=[item.slug])

    def item_pubdate(self, item: LeagueSummary) -> datetime:
        """Return the time at which a league was announced."""
        return item.announced_at

    item_updateddate = item_pubdate

    def item_author_name(self, _item: LeagueSummary) -> str:
        """Return the name of the arena."""
        return read_brand().name


class NewBotsFeed(NewBotsBase):
    """Atom feed with the latest new bots; the query parameter ``author`` limits it to one author's bots."""

    feed_type = XmlSafeAtomFeed
    words = ("author",)
    """Names of the query parameters that this feed accepts; `foundation.query_parameters` refuses all others."""

    def get_object(self, request: HttpRequest, *_args: Any, **_kwargs: Any) -> str:
        """Return the name of the author whose bots are listed; empty for all authors."""
        return request.GET.get("author", "")

    def title(self, author: str) -> str:
        """Return the title of the feed."""
        return _("New bots of %(author)s") % {"author": author} if author else _("New bots")

    def link(self, author: str) -> str:
        """Return the URL of the list of bots."""
        return f"{reverse('bots')}?{urlencode({'author': author})}" if author else reverse("bots")

    def feed_url(self, author: str) -> str:
        """Return the URL of the feed itself."""
        return f"{reverse('bots-feed')}?{urlencode({'author': author})}" if author else reverse("bots-feed")

    def items(self, author: str) -> list[RecentBotSummary]:
        """Return the latest new bots, newest first."""
        return list_new_bots(author, MAX_RESULTS)

    def item_title(self, item: RecentBotSummary) -> str:
        """Return a sentence that names the author and the bot."""
        return _("%(author)s has a new bot: %(bot)s.") % {"author": item.author, "bot": item.name}

    def item_description(self, item: RecentBotSummary) -> str:
        """Return the title of the bot's game."""
        return dict(games()).get(item.game, item.game)

    def item_link(self, item: RecentBotSummary) -> str:
        """Return the URL of a bot."""
        return reverse("bot", args=[item.name])

    def item_pubdate(self, item: RecentBotSummary) -> datetime:
        """Return the upload time of the bot's first active or retired version."""
        return item.at

    item_updateddate = item_pubdate

    def item_author_name(self, item: RecentBotSummary) -> str:
        """Return the name of the bot's author."""
        return item.author
