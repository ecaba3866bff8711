"""Texts about a reviewed match: a player's costly mistakes, and the causes of turning points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _, gettext_noop

from foundation.response_language import active_language
from ftk_core.analysis.bot_play_summary import BotMistake
from ftk_core.analysis.win_share_changes import TurningPoint
from ftk_core.i18n import pick_text

SOURCE_NAMES = {
    "deal": gettext_noop("the deal"),
    "chance": gettext_noop("chance"),
    "own": gettext_noop("their own choice"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerMistakeDescription:
    """Texts about a player's mistake: the chosen action, a better one, and the loss."""

    match: str
    """Id of the match."""
    frame: int
    chosen: str
    better: str
    loss: str
    sure: bool
    """True if the whole 95% interval of the loss (decrease of the expected share) is above 0."""


def describe_player_mistakes(mistakes: Iterable[BotMistake]) -> list[PlayerMistakeDescription]:
    """Return one table row for each mistake, in the same order."""
    language = active_language()
    return [
        PlayerMistakeDescription(
            match=mistake.match.rpartition("/")[2],  # the arena's logs have the name of their stream
            frame=mistake.frame,
            chosen=pick_text(mistake.chosen, language),
            better=pick_text(mistake.better, language),
            loss=f"{mistake.loss:.2f}",
            sure=mistake.sure,
        )
        for mistake in mistakes
    ]


def name_cause(point: TurningPoint, names: Sequence[str]) -> str:
    """Name the cause of a turning point; `names` are the players by seat."""
    if point.by in SOURCE_NAMES:
        return _(SOURCE_NAMES[point.by])
    return _("another's choice") if point.of is None else _("a choice of %(name)s") % {"name": names[point.of]}
