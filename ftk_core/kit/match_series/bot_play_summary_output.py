"""Output of `ftk review` for a folder of logs: a summary of a bot's losses, and its worst choices."""

from __future__ import annotations

import os
from collections.abc import Sequence
from gettext import gettext as _

from rich.table import Table

from ftk_core.analysis.bot_play_summary import PHASES, BotPlaySummary, ChoiceGroupAccuracy
from ftk_core.i18n import pick_text
from ftk_core.kit.i18n.locale import choose_language
from ftk_core.kit.terminal_output import out


def print_coaching(report: BotPlaySummary) -> None:
    """Print the summary of a bot's reviewed matches of one game."""
    summary = _("{bot} in {matches} matches of {game}: share {share}, of it by luck {luck} ± {margin}")
    out.print(
        summary.format(
            bot=report.bot, matches=report.matches, game=report.game, share=f"{report.share:.2f}",
            luck=f"{report.luck:+.2f}", margin="?" if report.luck_margin is None else f"{report.luck_margin:.2f}",
        ),
    )  # fmt: skip
    language = choose_language(os.environ).tag
    _print_groups(_("part of the match"), report.phases)
    _print_groups(_("kind of choice"), report.kinds)
    for mistake in report.mistakes:
        message = _("{match}, frame {frame}: “{chosen}” lost {loss}. Better: “{better}”.")
        line = message.format(
            match=mistake.match, frame=mistake.frame, chosen=pick_text(mistake.chosen, language),
            loss=f"{mistake.loss:.2f}", better=pick_text(mistake.better, language),
        )  # fmt: skip
        out.print(line if mistake.sure else mark_unsure(line))


def mark_unsure(line: str) -> str:
    """Append the sentence "Not sure." to a line of a review."""
    # For lines that the review's simulated matches neither confirm nor refute.
    return _("{line} Not sure.").format(line=line)


def _print_groups(title: str, groups: Sequence[ChoiceGroupAccuracy]) -> None:
    grid = Table(title, _("choices"), _("cost a match"), _("accuracy"))
    for group in groups:
        accuracy = "-" if group.accuracy is None else f"{group.accuracy:.0%}"
        if group.accuracy is not None and not group.sure:
            accuracy = _("{accuracy}, not sure").format(accuracy=accuracy)
        name = _(group.name) if group.name in PHASES else group.name
        grid.add_row(name, str(group.choices), f"{group.cost:.3f}", accuracy)
    out.print(grid)
