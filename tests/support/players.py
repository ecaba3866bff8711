"""Players for tests."""

from __future__ import annotations

from collections.abc import Iterable

from ftk_core.facts import Action
from ftk_core.players import NoAnswerError, PlayerAnswer, QuestionToSeat, StatelessPlayer


class ScriptedPlayer(StatelessPlayer):
    """Player that plays a given list of actions, and then stops answering."""

    def __init__(self, actions: Iterable[Action], name: str = "scripted") -> None:
        super().__init__(name)
        self._actions = iter(actions)

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        """Answer with the next action of the list.

        Raises NoAnswerError if the list is exhausted or the action is not on the menu.
        """
        action = next(self._actions, None)
        if action is None:
            raise NoAnswerError("timeout", "the script is at its end")
        if action not in ask.menu:
            raise NoAnswerError("nonsense", f"{action} is not on the menu")
        return PlayerAnswer(ask.menu.index(action))
