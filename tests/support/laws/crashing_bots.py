"""Built-in bots that play in the process of a test."""

from __future__ import annotations

from ftk_core.kit.match_series.in_process_bots import InProcessBot
from ftk_core.players import NoAnswerError, PlayerAnswer, QuestionToSeat


class CrashingBot(InProcessBot):
    """Bot in this process whose exceptions are missing answers, as if its own process had ended."""

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        try:
            return super().choose(ask)
        except Exception as error:  # the code of a bot may raise anything
            raise NoAnswerError("crash") from error
