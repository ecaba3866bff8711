"""Template filters and tags for numbers, names, times and translated texts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any, Protocol

from django import template
from django.contrib.auth.models import User
from django.forms import BoundField, Form
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _, gettext_noop, override, pgettext

from foundation.game_titles import get_game_title, translate_game_text
from foundation.message_translation import translate_message, with_full_stop
from foundation.response_language import LANGUAGE_PARAMETER, active_language as get_language_code
from frontend.drawing.svg_charts import Sparkline, make_sparkline
from ftk_core.i18n import ENGLISH, Language, list_languages
from ftk_core.kit.client.api_token_format import redact_tokens
from notices.follow_subscriptions import is_followed
from notices.notice_preferences import count_unread
from tournaments.league_limits import LADDER_TITLES
from tournaments.summaries.league_terms import WORTH_NAMES

register = template.Library()
register.filter("game_title", get_game_title)
register.filter("game_text", translate_game_text)

MEDAL_CLASSES = {1: "first", 2: "second", 3: "third"}
GAME_STATUS_LABELS = {"waiting": _("about to begin"), "playing": _("live"), "closed": _("ended"), "void": _("void")}
GAME_STATUS_LABELS |= {"adjourned": _("waits for a person")}
LEAGUE_STATUS_LABELS = {
    "open": _("open for entries"),
    "running": _("running"),
    "closed": _("ended"),
    "cancelled": _("cancelled"),
}
EXCUSE_LABELS = {"timeout": _("No answer in time"), "crash": _("Crashed"), "nonsense": _("Nonsense")}
BOT_STATUS_LABELS = {
    "trial": _("on trial"),
    "active": _("active"),
    "refused": _("refused"),
    "retired": _("retired"),
    "resting": _("resting"),
    "empty": _("no version yet"),
}
TEXTS_IN_ROWS = (
    # deliveries, challenges, stages
    *(gettext_noop("waiting"), gettext_noop("arrived"), gettext_noop("playing"), gettext_noop("to come")),
    # roles, kinds of bots, invitations
    *(gettext_noop("author"), gettext_noop("organiser"), gettext_noop("remote"), gettext_noop("by hand")),
    *(gettext_noop("used"), gettext_noop("expired"), gettext_noop("open")),
    # sources of luck
    *(gettext_noop("bot"), gettext_noop("seat"), gettext_noop("deal")),
)
"""Texts that are stored in the database; this list puts them into the translation catalogue for `translate_text`."""


class NamedPlayer(Protocol):
    """Protocol for objects with a `name`."""

    name: str


@register.filter
def names_json(players: list[NamedPlayer]) -> str:
    """Return the names of players as a JSON list for the HTML element ``<ftk-replay>``."""
    return json.dumps([player.name for player in players])


@register.filter
def time_element(at: datetime) -> SafeString:
    """Return a time as a ``<time>`` element, which a script of the site shows in the time zone of the reader."""
    return format_html('<time datetime="{}">{}</time>', at.isoformat(), date_format(at, "DATETIME_FORMAT"))


@register.filter
def isolate(names: str | Sequence[str]) -> SafeString:
    """Return names as HTML, each in a ``<bdi>`` element."""
    # For names inside sentences, because a name may be written from right to left; not in attributes or titles.
    each = [names] if isinstance(names, str) else names
    return format_html_join(", ", "<bdi>{}</bdi>", ((name,) for name in each))


@register.filter
def by_place(seats: list[object]) -> list[object]:
    """Sort the seats of a match by final rank; seats without a rank come last."""
    return sorted(seats, key=lambda seat: getattr(seat, "place", None) or 99)


@register.filter
def medal(place: int | None) -> str:
    """Return the CSS class for the medal of a rank from 1 to 3; empty for other ranks."""
    return MEDAL_CLASSES.get(place or 0, "")


@register.filter
def status_word(status: str) -> str:
    """Return the label for the status of a match, league or bot."""
    return str({**GAME_STATUS_LABELS, **LEAGUE_STATUS_LABELS, **BOT_STATUS_LABELS}.get(status, status))


@register.filter
def worth_word(worth: str) -> str:
    """Return the translated name of a scoring rule. `worth` is the identifier of the rule, such as ``wins``."""
    return translate_text(WORTH_NAMES.get(worth, worth))


@register.filter
def is_to_come(moment: datetime) -> bool:
    """Return True if the time is in the future."""
    return moment > timezone.now()


@register.filter
def season_title(season: str) -> str:
    """Return the title of a leaderboard, such as "Season 2026" or "All time"."""
    return season_label(season) if season in LADDER_TITLES else gettext("Season %(season)s") % {"season": season}


@register.filter
def season_label(season: str) -> str:
    """Return the short label of a leaderboard, such as "2026" or "All time"."""
    return translate_text(LADDER_TITLES.get(season, season))


@register.filter
def short_digest(digest: str) -> str:
    """Return the first 12 characters of a hash."""
    return digest[:12]


@register.filter
def title_of(name: str, games: list[tuple[str, str]]) -> str:
    """Return the title of a game, or its name if it is not registered any more."""
    return dict(games).get(name, name)


@register.filter
def pairs(names: list[str], cells: list[list[str]]) -> list[tuple[str, list[str]]]:
    """Return (row name, cells) for each row of a table."""
    return list(zip(names, cells, strict=True))


@register.filter
def words(text: str) -> list[str]:
    """Return the words of a text, split at white space."""
    return text.split()


@register.filter
def field(form: Form, name: str) -> BoundField:
    """Return the bound field `name` of a form."""
    return form[name]


@register.filter
def sparkline(values: list[float]) -> Sparkline | None:
    """Return the sparkline for a list of numbers; None for fewer than two numbers."""
    return make_sparkline(values)


@register.filter
def excuse_word(excuse: str) -> str:
    """Return the label for the reason why a bot gave no valid answer."""
    return str(EXCUSE_LABELS.get(excuse, excuse))


@register.filter
def tenth(percent: str) -> int:
    """Convert a percentage to a whole number from 0 to 10, for a CSS class."""
    return round(float(percent) / 10)


@register.simple_tag(takes_context=True)
def unread(context: dict[str, Any]) -> int:
    """Return the number of unread notifications of the signed-in user; 0 for an anonymous visitor."""
    reader = getattr(context.get("request"), "user", None)
    return count_unread(reader) if isinstance(reader, User) else 0


@register.inclusion_tag("frontend/parts/follow.html", takes_context=True)
def follow_button(context: dict[str, Any], kind: str, name: str, title: str = "") -> dict[str, Any]:
    """Show a button to follow a bot, author, league or game."""
    # A visitor who is not signed in gets a link to sign in. `title` is the name that people read, by default `name`.
    request = context["request"]
    person = request.user if isinstance(request.user, User) else None
    followed = person is not None and is_followed(person, kind, name)
    return {
        "request": request,
        "kind": kind,
        "name": name,
        "title": title or name,
        "person": person,
        "followed": followed,
    }


@register.simple_tag
def language_url(request: HttpRequest, name: str) -> str:
    """Return the URL of the current page in another language."""
    # Without the page's query if it contains an API token.
    query = request.GET.copy()
    query[LANGUAGE_PARAMETER] = name
    address = f"?{query.urlencode()}"
    return address if redact_tokens(address) == address else f"?{LANGUAGE_PARAMETER}={name}"


@register.filter
@cache
def switch_texts(language: Language) -> tuple[str, str]:
    """Return the tooltip and the screen reader label of a link to another language."""
    # A text without a translation into that language is replaced by the name of the language.
    with override(language.code):
        tooltip = pgettext("a link to this page in the language of this catalogue", "Read in English")
        label = pgettext("the same for screen readers, which begins with the text of the link", "EN: read in English")
    if language.tag == ENGLISH:
        return tooltip, label
    return (
        language.name if tooltip == "Read in English" else tooltip,
        f"{language.short}: {language.name}" if label == "EN: read in English" else label,
    )


@register.simple_tag
def page_language() -> str:
    """Return the language of the page for the HTML attribute `lang`."""
    return get_language_code()


register.simple_tag(list_languages)
register.filter(translate_message)
register.filter(with_full_stop)


@register.filter
def translate_text(said: object) -> str:
    """Translate a text into the active language, if it has a translation."""
    text = str(said)
    return gettext(text.replace("%", "%%")).replace("%%", "%") if text else ""
