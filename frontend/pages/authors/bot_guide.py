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

from bots.queries import AuthorBotListItem, list_own_bots
from bots.worker_sandbox_report_queries import count_engine_workers, list_languages, list_libraries
from foundation.game_titles import games
from ftk_core.games import list_games
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.kit.commands.new_bot import TEMPLATE_LANGUAGES

EXAMPLE_BOTS = frozenset({"random", "greedy"})
"""Built-in bots that the example commands name as opponents."""


def choose_example_game() -> str:
    """Return the first game with matches of four players and with all `EXAMPLE_BOTS`."""
    # The example commands play a match of four bots. Without such a game, the first of all games is returned.
    fitting = (
        name
        for name, game in list_games().items()
        if 4 in game.seats and list_built_in_bots(name).keys() >= EXAMPLE_BOTS
    )
    return next(fitting, next(iter(list_games())))


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorNextStep:
    """Next step of an author, such as uploading a first bot."""

    say: str
    command: str = ""
    """Shell command for the step; empty if it needs none."""
    where: str = ""
    """URL of a page for the step; empty for none."""
    link: str = ""
    """Text of the link to that page."""


def page(request: HttpRequest) -> HttpResponse:
    """Explain to authors the steps to write, test and upload a bot."""
    site = f"{request.scheme}://{request.get_host()}"
    context = {
        "games": games(),
        "example": choose_example_game(),
        "site": site,
        "kit": find_kit_url(),
        "handbook": Path(settings.HANDBOOK).is_dir(),
        "step": find_next_step(request.user, site),
        "languages": list_languages(),
        "engine": count_engine_workers(),
        "libraries": list_libraries(),
        "begun": TEMPLATE_LANGUAGES,
    }
    return render(request, "frontend/write_a_bot.html", context)


def find_kit_url() -> str:
    """Return the URL of the Python package with the tools for authors; empty if it was not built."""
    wheel = next(iter(Path(settings.HANDBOOK, "kit").glob("*.whl")), None)
    return reverse("handbook-page", args=[f"kit/{wheel.name}"]) if wheel else ""


def find_next_step(reader: User | AnonymousUser, site: str) -> AuthorNextStep:
    """Return the next step of a person who wants to play with a bot."""
    if not isinstance(reader, User):
        return AuthorNextStep(
            say=_("You are not signed in: a bot belongs to somebody."),
            where=reverse("account_login"),
            link=_("Sign in"),
        )
    bots = list_own_bots(reader.pk)
    if not bots:
        begin = f"ftk new my-bot --game {choose_example_game()}"
        return AuthorNextStep(
            say=_("You have no bot here yet, %(name)s. Install the kit, then begin one:") % {"name": reader.username},
            command=begin,
        )
    return _find_next_step_of(bots[0], site)


def _find_next_step_of(newest: AuthorBotListItem, site: str) -> AuthorNextStep:
    name = _("%(bot)s version %(number)s") % {"bot": newest.slug, "number": newest.number}
    report = reverse("trial", args=[newest.slug, newest.number])
    if newest.status == "refused":
        send = f"ftk upload {newest.game} ./{newest.slug} --bot {newest.slug} --server {site}"
        return AuthorNextStep(
            say=_("%(name)s was refused: %(why)s. Fix it and upload the next version.")
            % {"name": name, "why": newest.reason},
            command=send, where=report, link=_("Its trial report"),
        )  # fmt: skip
    if newest.status == "trial":
        return AuthorNextStep(
            say=_("%(name)s is about to play its trial match.") % {"name": name}, where=report, link=_("How it goes")
        )
    if newest.status in ("resting", "retired"):
        return AuthorNextStep(
            say=_("%(name)s does not play. Activate a version of the bot, or upload the next one.") % {"name": name},
            where=reverse("bot", args=[newest.slug]), link=_("Its versions"),
        )  # fmt: skip
    return AuthorNextStep(
        say=_("%(name)s may play. Enter it in a league.") % {"name": name},
        where=reverse("leagues"),
        link=_("The leagues"),
    )
