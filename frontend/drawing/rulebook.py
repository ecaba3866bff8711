"""A game's rules as a page: its RULES.md, made into HTML that holds nothing but what Markdown can say."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.token import Token

import ftk_core.games
from ftk_core.kit.house import house_bots

SHORT = "In short"
"""The heading of the section that a visitor reads first."""
TABLE = '<div class="sideways" tabindex="0" role="region" aria-label="Table"><table class="figures">'


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rules in two parts."""

    short: SafeString
    """What every visitor is told."""
    full: SafeString
    """All of it, for those who write a bot or doubt a ruling."""


@dataclass(frozen=True, slots=True)
class HouseBot:
    """A bot of the house, as a sample."""

    name: str
    about: str
    """The first line of its docstring."""
    source: str


@cache
def rulebook(game: str) -> Rulebook:
    """Return the rules of a game on the shelf; empty where it has no RULES.md."""
    page = files(ftk_core.games) / game / "RULES.md"
    tokens = _markdown().parse(page.read_text()) if page.is_file() else []
    tokens = _below(tokens)
    short, full = _parted(tokens)
    return Rulebook(_html(short), _html(full))


@cache
def house(game: str) -> list[HouseBot]:
    """Return the bots of the house of a game, by name."""
    return [_house_bot(name, path.read_text()) for name, path in house_bots(game).items()]


def _house_bot(name: str, source: str) -> HouseBot:
    about = ast.get_docstring(ast.parse(source)) or ""
    return HouseBot(name, about.partition("\n")[0], source)


@cache
def _markdown() -> MarkdownIt:
    """Return the reader: no HTML of its own, no pictures from elsewhere."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    reader.add_render_rule("table_open", lambda *_: TABLE)
    reader.add_render_rule("table_close", lambda *_: "</table></div>")
    return reader


def _below(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens without the title, every heading one lower and no cell with a style of its own."""
    kept: list[Token] = []
    titled = False
    for token in tokens:
        if token.type == "heading_open" and token.tag == "h1":
            titled = True
        elif token.type == "heading_close" and token.tag == "h1":
            titled = False
        elif not titled:
            if token.tag[:1] == "h" and token.tag[1:].isdigit():
                token.tag = f"h{int(token.tag[1:]) + 1}"
            token.attrs.pop("style", None)
            kept.append(token)
    return kept


def _parted(tokens: list[Token]) -> tuple[list[Token], list[Token]]:
    """Return the section that says it in short, without its heading, and the rest; all is rest where there is none."""
    starts = [n for n, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h3"]
    for start, stop in zip(starts, [*starts[1:], len(tokens)], strict=True):
        if tokens[start + 1].content == SHORT:
            return tokens[start + 3 : stop], tokens[:start] + tokens[stop:]
    return [], tokens


def _html(tokens: list[Token]) -> SafeString:
    reader = _markdown()
    made: str = reader.renderer.render(tokens, reader.options, {})
    return SafeString(made)  # safe: Markdown that was read without HTML
