"""Table rows of a player's costly mistakes, each with a better choice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from foundation.response_language import active_language
from ftk_core.analysis.bot_play_summary import BotMistake
from ftk_core.i18n import pick_text


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerMistakeDescription:
    """Texts about a player's mistake: the chosen action, a better one, and the loss."""

    match: str
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
            match=mistake.match,
            frame=mistake.frame,
            chosen=pick_text(mistake.chosen, language),
            better=pick_text(mistake.better, language),
            loss=f"{mistake.loss:.2f}",
            sure=mistake.sure,
        )
        for mistake in mistakes
    ]
