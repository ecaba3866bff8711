"""Template filters that format numbers, values and words."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, Protocol

from django import template
from django.contrib.auth.models import User
from django.forms import BoundField, Form
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from foundation.tongues import ASKED
from foundation.tongues import spoken as spoken_now
from frontend.drawing.charts import Spark, spark
from ftk_core.kit.tokens import hidden
from notices.wishes import count_unread
from tournaments.bounds import OUTSIDE
from tournaments.league_words import WORTHS

register = template.Library()

MEDALS = {1: "first", 2: "second", 3: "third"}
GAME_WORDS = {"waiting": _("about to begin"), "playing": _("live"), "closed": _("ended"), "void": _("void")}
LEAGUE_WORDS = {"open": _("open for entries"), "running": _("running"), "closed": _("ended")}
EXCUSE_WORDS = {"timeout": _("No answer in time"), "crash": _("Crashed"), "nonsense": _("Nonsense")}
BOT_WORDS = {
    "trial": _("on trial"),
    "active": _("active"),
    "refused": _("refused"),
    "retired": _("retired"),
    "resting": _("resting"),
    "empty": _("no version yet"),
}
ROWS_SAY = (
    # deliveries, challenges, stages
    *(gettext_noop("waiting"), gettext_noop("arrived"), gettext_noop("playing"), gettext_noop("to come")),
    # roles, kinds of bots, invitations
    *(gettext_noop("author"), gettext_noop("organiser"), gettext_noop("remote"), gettext_noop("by hand")),
    *(gettext_noop("used"), gettext_noop("expired"), gettext_noop("open")),
    # sources of luck
    *(gettext_noop("bot"), gettext_noop("seat"), gettext_noop("deal")),
)
"""Texts that database rows contain, listed here so that `spoken` can translate them."""


class Named(Protocol):
    """Anything with a name."""

    name: str


@register.filter
def names_json(players: list[Named]) -> str:
    """Return the names of players as JSON for ``<ftk-replay>``."""
    return json.dumps([player.name for player in players])


@register.filter
def by_place(seats: list[object]) -> list[object]:
    """Return seats from the best place down; those without one keep their order at the end."""
    return sorted(seats, key=lambda seat: getattr(seat, "place", None) or 99)


@register.filter
def medal(place: int | None) -> str:
    """Return the CSS class of a place with a medal."""
    return MEDALS.get(place or 0, "")


@register.filter
def status_word(status: str) -> str:
    """Return the label of a status."""
    return str({**GAME_WORDS, **LEAGUE_WORDS, **BOT_WORDS}.get(status, status))


@register.filter
def worth_word(worth: str) -> str:
    """Return the label of a scoring rule."""
    return spoken(WORTHS.get(worth, worth))


@register.filter
def is_to_come(moment: datetime) -> bool:
    """Return True for a time in the future."""
    return moment > timezone.now()


@register.filter
def season_title(season: str) -> str:
    """Return the title of a season; the one without a label never ends."""
    return season_label(season) if season in OUTSIDE else gettext("Season %(season)s") % {"season": season}


@register.filter
def season_label(season: str) -> str:
    """Return the name of a ladder in a list of a bot's ladders."""
    return spoken(OUTSIDE.get(season, season))


@register.filter
def short_digest(digest: str) -> str:
    """Return the beginning of a digest."""
    return digest[:12]


@register.filter
def title_of(name: str, games: list[tuple[str, str]]) -> str:
    """Return the title of a game, or its name if it is no longer registered."""
    return dict(games).get(name, name)


@register.filter
def pairs(names: list[str], cells: list[list[str]]) -> list[tuple[str, list[str]]]:
    """Return each name with its line of cells."""
    return list(zip(names, cells, strict=True))


@register.filter
def words(text: str) -> list[str]:
    """Return the words of a text."""
    return text.split()


@register.filter
def field(form: Form, name: str) -> BoundField:
    """Return a field of a form by its name."""
    return form[name]


@register.filter
def sparkline(values: list[float]) -> Spark | None:
    """Return the sparkline of some numbers."""
    return spark(values)


@register.filter
def excuse_word(excuse: str) -> str:
    """Return the label of an excuse."""
    return str(EXCUSE_WORDS.get(excuse, excuse))


@register.filter
def tenth(percent: str) -> int:
    """Return a percentage in tenths, for a CSS class."""
    return round(float(percent) / 10)


@register.simple_tag(takes_context=True)
def unread(context: dict[str, Any]) -> int:
    """Return the number of unread notices of the reader; 0 for a visitor."""
    reader = getattr(context.get("request"), "user", None)
    return count_unread(reader) if isinstance(reader, User) else 0


@register.simple_tag
def in_tongue(request: HttpRequest, name: str) -> str:
    """Return the link to the same page in a language, with its query but never with a token."""
    query = request.GET.copy()
    query[ASKED] = name
    address = f"?{query.urlencode()}"
    return address if hidden(address) == address else f"?{ASKED}={name}"


@register.simple_tag
def tongue() -> str:
    """Return the language of the page, as for the attribute `lang`."""
    return spoken_now()


@register.filter
def spoken(said: object) -> str:
    """Translate a text from a table without gettext; one not in the catalogue stays."""
    text = str(said)
    return gettext(text.replace("%", "%%")).replace("%%", "%") if text else ""
