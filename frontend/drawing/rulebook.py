"""Rules of a game as a page: its RULES.md as HTML without raw HTML."""

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
"""Heading of the summary section."""
TABLE = '<div class="sideways" tabindex="0" role="region" aria-label="Table"><table class="figures">'


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rules in two parts."""

    short: SafeString
    """Summary for every visitor."""
    full: SafeString
    """The remaining text, for authors of bots and for doubtful rulings."""


@dataclass(frozen=True, slots=True)
class HouseBot:
    """A built-in bot, as a sample."""

    name: str
    about: str
    """First line of its docstring."""
    source: str


@cache
def rulebook(game: str) -> Rulebook:
    """Return the rules of a registered game; empty without a RULES.md."""
    page = files(ftk_core.games) / game / "RULES.md"
    tokens = _markdown().parse(page.read_text()) if page.is_file() else []
    tokens = _below(tokens)
    short, full = _parted(tokens)
    return Rulebook(_html(short), _html(full))


@cache
def house(game: str) -> list[HouseBot]:
    """Return the built-in bots of a game, by name."""
    return [_house_bot(name, path.read_text()) for name, path in house_bots(game).items()]


def _house_bot(name: str, source: str) -> HouseBot:
    about = ast.get_docstring(ast.parse(source)) or ""
    return HouseBot(name, about.partition("\n")[0], source)


@cache
def _markdown() -> MarkdownIt:
    """Return the Markdown parser: no raw HTML, no images."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    reader.add_render_rule("table_open", lambda *_: TABLE)
    reader.add_render_rule("table_close", lambda *_: "</table></div>")
    return reader


def _below(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens without the title, with headings one level lower and cells without styles."""
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
    """Return the summary section without its heading, and the rest; without a summary, all is the rest."""
    starts = [n for n, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h3"]
    for start, stop in zip(starts, [*starts[1:], len(tokens)], strict=True):
        if tokens[start + 1].content == SHORT:
            return tokens[start + 3 : stop], tokens[:start] + tokens[stop:]
    return [], tokens


def _html(tokens: list[Token]) -> SafeString:
    reader = _markdown()
    made: str = reader.renderer.render(tokens, reader.options, {})
    return SafeString(made)  # safe: Markdown parsed without HTML
