"""Files for search engines: robots.txt, and sitemaps of the public pages."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib.sitemaps import Sitemap, views
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_page
from django.views.decorators.http import require_safe

from bots.versions import queries as versions_queries
from foundation.query_parameters import query_parameters
from ftk_core.games import list_games
from replays.match_search import select_newest_released
from tournaments.leagues import queries as tournaments_queries

MAX_MATCHES = 5_000
"""Maximum number of matches in the sitemap; search engines find older ones through the pages of bots and leagues."""
CACHE_SECONDS = 3600
CLOSED_TO_CRAWLERS = (
    *("/account/", "/api/", "/challenge/", "/device/", "/invitation/", "/invitations/", "/oembed/", "/password/"),
    *("/play/", "/search/?", "/sign-in/", "/sign-up/", "/staff/", "/templates/", "/leagues/new/"),
    *("/leagues/*/desk/", "/leagues/*/enter/", "/leagues/*/screen/", "/matches/*/clip.webp", "/matches/*/seat/"),
)
"""Paths that are private, accept a form, or are expensive to render."""
MAIN_PAGES = ("home", "watch", "leagues", "series-list", "bots", "write-a-bot", "handbook")
if TYPE_CHECKING:
    Pages = Sitemap[Any]
else:  # Django's own class is not generic
    Pages = Sitemap


class UrlPatternSitemap(Pages):
    """Sitemap of pages that share a URL pattern with one argument."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    def location(self, item: Any) -> str:
        """Return the path of the page for an item of the sitemap, such as a game."""
        return reverse(self.pattern, args=[item])


class MainPageSitemap(Pages):
    """Sitemap of the pages in the site's menu."""

    def items(self) -> list[str]:
        """Return the names of the URL patterns of the pages in the menu."""
        return list(MAIN_PAGES)

    def location(self, item: str) -> str:
        """Return the path of a page. `item` is the name of its URL pattern."""
        return reverse(item)


class GameSitemap(UrlPatternSitemap):
    """Sitemap with one page for each game."""

    def items(self) -> list[str]:
        """Return the names of all games."""
        return list(list_games())


class LeagueSitemap(UrlPatternSitemap):
    """Sitemap of all leagues."""

    def items(self) -> Any:
        """Return a query for the slugs of leagues."""
        return tournaments_queries.select_slugs()


class BotSitemap(UrlPatternSitemap):
    """Sitemap of all bots with an active or retired version."""

    # Bots that represent people are left out.

    def items(self) -> Any:
        """Return a query for the names of bots."""
        return versions_queries.select_slugs()


class MatchSitemap(Pages):
    """Sitemap of the newest matches that everybody may see."""

    def items(self) -> Any:
        """Return a query for (match id, end time) of the newest public matches."""
        return select_newest_released(MAX_MATCHES)

    def location(self, item: tuple[str, datetime]) -> str:
        """Return the path of a match's page."""
        return reverse("match", args=[item[0]])

    def lastmod(self, item: tuple[str, datetime]) -> datetime:
        """Return the end time of a match."""
        # The page of a match does not change after the end.
        return item[1]


SITEMAPS: dict[str, type[Sitemap[Any]] | Sitemap[Any]] = {
    "pages": MainPageSitemap(),
    "games": GameSitemap("game"),
    "leaderboards": GameSitemap("leaderboard"),
    "leagues": LeagueSitemap("league"),
    "bots": BotSitemap("bot"),
    "matches": MatchSitemap(),
}
"""Sitemaps by the name in their URL. Each sitemap is split into pages of up to 50,000 URLs."""


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Return robots.txt: the paths that crawlers must not request, and the URL of the sitemap."""
    closed = "".join(f"Disallow: {path}\n" for path in CLOSED_TO_CRAWLERS)
    sitemap = request.build_absolute_uri(reverse("sitemap"))
    return HttpResponse(f"User-agent: *\n{closed}\nSitemap: {sitemap}\n", content_type="text/plain; charset=utf-8")


@require_safe
def sitemap_index(request: HttpRequest) -> HttpResponse:
    """Return the index of all sitemaps."""
    # 404 for a query string, because the cache would store another copy for each.
    if request.META["QUERY_STRING"]:
        raise Http404(_("this address has no parameters"))
    return _cached_index(request, SITEMAPS, sitemap_url_name="sitemap-section")


@require_safe
@query_parameters("p")
def sitemap(request: HttpRequest, section: str) -> HttpResponse:
    """Return one page of a sitemap, or 404 if it does not exist."""
    # Also 404 for any parameter but `p`, because of the cache.
    if not re.fullmatch(r"(p=[1-9]\d{0,5})?", request.META["QUERY_STRING"]):
        raise Http404(_("a page of a sitemap is a number, such as ?p=2"))
    return _cached_section(request, SITEMAPS, section=section)


_cached_index = cache_page(CACHE_SECONDS)(views.index)
_cached_section = cache_page(CACHE_SECONDS)(views.sitemap)
