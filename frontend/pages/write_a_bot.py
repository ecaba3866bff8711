"""Page that explains how to write, test and upload a bot."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from bots.queries import list_own_bots
from bots.worker_queries import list_languages
from foundation.games import games
from ftk_core.games import shelf
from ftk_core.kit.beginning import BEGUN
from ftk_core.kit.house import house_bots

EXAMPLE_BOTS = frozenset({"random", "greedy"})
"""Opponents in the example commands."""


def example() -> str:
    """Return a game for the example commands: with four seats, and built-in bots of those names."""
    fitting = (name for name, game in shelf().items() if 4 in game.seats and house_bots(name).keys() >= EXAMPLE_BOTS)
    return next(fitting, next(iter(shelf())))


@dataclass(frozen=True, slots=True, kw_only=True)
class NextStep:
    """The reader's next step."""

    say: str
    command: str = ""
    """Command line, if the step needs one."""
    where: str = ""
    """URL of the step, or of an explanation; empty for none."""
    link: str = ""
    """Text of the link."""


def page(request: HttpRequest) -> HttpResponse:
    """Explain how to write, test and upload a bot, with this arena's URL and the reader's next step."""
    site = f"{request.scheme}://{request.get_host()}"
    context = {
        "games": games(),
        "example": example(),
        "site": site,
        "kit": kit(),
        "handbook": Path(settings.HANDBOOK).is_dir(),
        "step": next_step(request.user, site),
        "languages": list_languages(),
        "begun": BEGUN,
    }
    return render(request, "frontend/write_a_bot.html", context)


def kit() -> str:
    """Return the URL of the kit's wheel on this arena; empty if it was not built."""
    wheel = next(iter(Path(settings.HANDBOOK, "kit").glob("*.whl")), None)
    return reverse("handbook-page", args=[f"kit/{wheel.name}"]) if wheel else ""


def next_step(reader: User | AnonymousUser, site: str) -> NextStep:
    """Return a person's next step: the pending step of their newest version, or how to get one."""
    if not isinstance(reader, User):
        return NextStep(
            say=_("You are not signed in: a bot belongs to somebody."),
            where=reverse("account_login"),
            link=_("Sign in"),
        )
    bots = list_own_bots(reader.pk)
    if not bots:
        begin = f"ftk new my-bot --game {example()}"
        return NextStep(
            say=_("You have no bot here yet, %(name)s. Install the kit, then begin one:") % {"name": reader.username},
            command=begin,
        )
    newest = bots[0]
    name, report = (
        _("%(bot)s version %(number)s") % {"bot": newest.slug, "number": newest.number},
        reverse("trial", args=[newest.slug, newest.number]),
    )
    if newest.status == "refused":
        send = f"ftk upload {newest.game} ./{newest.slug} --bot {newest.slug} --server {site}"
        return NextStep(
            say=_("%(name)s was refused: %(why)s. Mend it and send the next one.")
            % {"name": name, "why": newest.reason},
            command=send, where=report, link=_("Its trial report"),
        )  # fmt: skip
    if newest.status == "trial":
        return NextStep(
            say=_("%(name)s is about to play its trial match.") % {"name": name}, where=report, link=_("How it goes")
        )
    return NextStep(
        say=_("%(name)s may play. Enter it in a league.") % {"name": name},
        where=reverse("leagues"),
        link=_("The leagues"),
    )
