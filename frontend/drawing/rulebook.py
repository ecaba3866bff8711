"""Rules of a game as HTML, converted from the Markdown file RULES.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.token import Token

from ftk_core.games import game_folder
from ftk_core.kit.built_in_bots import list_built_in_bots

SUMMARY_HEADING = "In short"
"""Heading of the section that summarises the rules."""
RULE_NUMBER = re.compile(r"[A-Z]\d+")
NUMBERED_RULES = re.compile(rf"{RULE_NUMBER.pattern}(, {RULE_NUMBER.pattern})*")
"""A rule number such as ``F12``, or several rule numbers separated by commas."""
TABLE_HTML = '<div class="sideways" tabindex="0" role="region" aria-label="Table"><table class="figures">'


@dataclass(frozen=True, slots=True)
class RulebookHtml:
    """Rules of a game as HTML, split into the summary and the other sections."""

    first: str
    """First sentence of the summary as plain text."""
    short: SafeString
    """Summary for all visitors."""
    full: SafeString
    """All sections except the summary: the detailed rules, for authors of bots."""


@dataclass(frozen=True, slots=True)
class SampleBot:
    """A built-in bot with its source code, for the page of a game."""

    name: str
    about: str
    """First line of the bot's docstring."""
    source: str


@cache
def read_rulebook(game: str) -> RulebookHtml:
    """Return the rules of a registered game; all parts are empty if the game has no RULES.md."""
    page = game_folder(game) / "RULES.md"
    tokens = _make_parser().parse(page.read_text()) if page.is_file() else []
    tokens = _lower_headings(tokens)
    _add_anchors(tokens)
    short, full = _split_summary(tokens)
    return RulebookHtml(_read_first_sentence(short), _render_html(short), _render_html(full))


@cache
def list_sample_bots(game: str) -> list[SampleBot]:
    """Return the built-in bots of a game, sorted by name."""
    return [_make_sample_bot(name, path.read_text()) for name, path in list_built_in_bots(game).items()]


def _make_sample_bot(name: str, source: str) -> SampleBot:
    about = ast.get_docstring(ast.parse(source)) or ""
    return SampleBot(name, about.partition("\n")[0], source)


@cache
def _make_parser() -> MarkdownIt:
    """Return a Markdown parser that allows no raw HTML and no images."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    reader.add_render_rule("table_open", lambda *_: TABLE_HTML)
    reader.add_render_rule("table_close", lambda *_: "</table></div>")
    return reader


def _lower_headings(tokens: Sequence[Token]) -> list[Token]:
    """Make each heading of a Markdown document one level lower."""
    # The title (h1) and all inline styles are left out.
    lowered: list[Token] = []
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
            lowered.append(token)
    return lowered


def _add_anchors(tokens: Sequence[Token]) -> None:
    """Change `tokens` so that each numbered rule has an HTML anchor, such as ``rule-F12`` for rule F12."""
    # The anchor is at the first place where the number is in bold or begins a table cell.
    anchored: set[str] = set()
    for before, token in pairwise(tokens):
        starts_row = before.type == "td_open"
        parts = token.children or [] if token.type == "inline" else []
        for around, part in pairwise([Token("", "", 0), *parts]):
            is_number = NUMBERED_RULES.fullmatch(part.content) and (around.type == "strong_open" or starts_row)
            if part.type == "text" and is_number:
                part.type = "html_inline"
                part.content = RULE_NUMBER.sub(lambda found: _make_anchor(found[0], anchored), part.content)


def _make_anchor(rule: str, anchored: set[str]) -> str:
    """Return a rule's number as HTML, with an anchor unless the rule is in `anchored`. Add the rule to `anchored`."""
    if rule in anchored:
        return rule
    anchored.add(rule)
    return f'<span id="rule-{rule}">{rule}</span>'


def _split_summary(tokens: list[Token]) -> tuple[list[Token], list[Token]]:
    """Return the tokens of the summary section, and those of all other sections."""
    starts = [n for n, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h3"]
    for start, stop in zip(starts, [*starts[1:], len(tokens)], strict=True):
        if tokens[start + 1].content == SUMMARY_HEADING:
            return tokens[start + 3 : stop], tokens[:start] + tokens[stop:]
    return [], tokens


def _read_first_sentence(tokens: list[Token]) -> str:
    """Return the first sentence of a Markdown document's first paragraph or list item, without markup."""
    parts = next((token.children or () for token in tokens if token.type == "inline"), ())
    text = "".join(" " if part.type == "softbreak" else part.content for part in parts)
    sentence, stop, _ = text.partition(". ")
    return sentence + stop.strip()


def _render_html(tokens: list[Token]) -> SafeString:
    reader = _make_parser()
    html: str = reader.renderer.render(tokens, reader.options, {})
    return SafeString(html)  # safe: Markdown parsed without HTML
