"""Conversion of a league's description from Markdown to HTML."""
# The organiser's text is not trusted: raw HTML is shown as text, images are not loaded, and links lead only to web
# pages and mail addresses.

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

from django.utils.safestring import SafeString
from markdown_it import MarkdownIt

LINK_TARGETS = re.compile(r"https?://|mailto:", re.IGNORECASE)
"""Beginnings of the URLs that a description may link to."""
HEADING_LEVELS_ABOVE = 2
"""Number of heading levels by which headings are lowered, because the page itself uses ``h1`` and ``h2``."""
MAX_CACHED_DESCRIPTIONS = 64


@lru_cache(maxsize=MAX_CACHED_DESCRIPTIONS)
def render_description(markdown: str) -> SafeString:
    r"""Convert a league's description to HTML.

    >>> render_description("# Prizes")
    '<h3>Prizes</h3>\n'
    """
    # Headings start at h3, because the league's page has headings above them.
    parser = _make_parser()
    tokens = parser.parse(markdown)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1:]) + HEADING_LEVELS_ABOVE)}"
    html: str = parser.renderer.render(tokens, parser.options, {})
    return SafeString(html)  # safe: Markdown parsed without HTML


@cache
def _make_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).disable("image")
    parser.validateLink = lambda url: bool(LINK_TARGETS.match(url))  # type: ignore[method-assign]  # as its manual says
    parser.add_render_rule("link_open", _open_link)
    return parser


def _open_link(renderer: Any, tokens: Any, index: int, options: Any, _environment: Any) -> str:
    tokens[index].attrSet("rel", "nofollow ugc noopener")
    return str(renderer.renderToken(tokens, index, options, {}))
