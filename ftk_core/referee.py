"""Referee of a match, which asks the players, applies the rules and writes the log."""
# The same loop plays matches, resumes them after a crash, and reruns them for audits
# (`ftk_core.analysis.match_log_rerun_check`).

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _
from typing import Any

import msgspec

from ftk_core.facts import Action, Fact, encode
from ftk_core.game import MatchResult
from ftk_core.hash_chained_log import HashChainedLog, InMemoryLog
from ftk_core.log_entries import ChoiceMade, Excuse, GameFactRecorded, MatchFinished, MatchOpened, TimeControl
from ftk_core.log_writer import LogDivergedError, LogWriter
from ftk_core.match_state_from_log import AnyGame, check_options, decoder_of, state_before_deal
from ftk_core.players import DecisionTime, HelloMessage, NoAnswerError, Player, PlayerAnswer, QuestionToSeat
from ftk_core.random_streams import MatchRandomness, seal_of

PRETENDED_NUMBERS_FROM = 1_000_000
"""Number above which the numbers of pretended questions begin. Real questions are numbered from 1.

A pretended question needs no answer. It only makes a seat with one legal action wait as long as a seat with a choice,
so that the other seats do not notice the difference.
"""


def build_opening(
    game: AnyGame, match: str, names: Sequence[str], seed: bytes, *, options: msgspec.Struct | None = None, **extra: Any
) -> MatchOpened:
    """Build the first log entry of a match.

    `extra` may set `clock` (time limits), `build` (software version) and `cage` (sandbox backend). Raises ValueError
    for a number of players or options that the game does not allow.
    """
    usual = game.options()
    check_options(game, len(names), options or usual)
    extra = {"clock": TimeControl(), "build": "", **extra}
    if options is not None and options != usual:
        extra["options"] = msgspec.Raw(encode(options))
    return MatchOpened(
        0, match=match, game=game.name, version=game.version, players=tuple(names), seal=seal_of(seed), **extra
    )


class Referee:
    """Referee of one match, with its game state, its events and the players' clocks."""

    def __init__(
        self, game: AnyGame, opened: MatchOpened, seed: bytes, players: Sequence[Player], entry_writer: LogWriter
    ) -> None:
        self.game, self.opened, self.seed = game, opened, seed
        self.players, self.entry_writer = players, entry_writer
        self.chance = MatchRandomness(seed)
        self.state: Any = state_before_deal(game, opened)
        self.history: list[Fact] = []
        self._told = [0] * len(opened.players)
        self._bank_ms = [opened.clock.bank_ms] * len(opened.players)
        self._asked = [0] * len(opened.players)
        self._pretended = [0] * len(opened.players)
        self.diverged_seats: set[int] = set()
        """Seats that answered a question differently from the log when a match was resumed."""

    def play(self) -> MatchResult:
        """Play the match to its end and write its log.

        Raises LogDivergedError if the log already holds a different entry.
        """
        game = self.game
        self.entry_writer.put(self.opened)
        for seat, player in enumerate(self.players):
            player.greet(HelloMessage.of(self.opened, seat))
        self._record_facts(game.deal(self.state, self.chance))
        while seats_due := game.turn(self.state):
            self._round(seats_due)
        result = game.result(self.state)
        self.entry_writer.put(MatchFinished(self.entry_writer.seq, result.places, result.scores, self.seed.hex()))
        self.entry_writer.finished()
        for player in self.players:
            player.over(result.places)
        return result

    def _round(self, seats: tuple[int, ...]) -> None:
        """Ask all seats that must choose for their choices, then apply the choices in seat order."""
        legal = self.game.legal
        menus = [(seat, legal(self.state, seat)) for seat in seats]
        choices = [
            (seat, self._take_only_action(seat, menu) if len(menu) == 1 else self._choice(seat, menu))
            for seat, menu in menus
        ]
        for seat, action in choices:
            self._record_facts(self.game.decide(self.state, seat, action, self.chance))

    def _take_only_action(self, seat: int, menu: Sequence[Action]) -> Action:
        """Return the only action of a menu without asking the player."""
        # It waits as long as a question takes if opponents must not notice that the player has no choice.
        if self.players and self.game.veiled(self.state):
            self._pretended[seat] += 1
            if not self.entry_writer.checking:
                self.players[seat].wait_as_if_asked(
                    self._question(seat, menu, PRETENDED_NUMBERS_FROM + self._pretended[seat])
                )
        return menu[0]

    def _choice(self, seat: int, menu: Sequence[Action]) -> Action:
        past = self.entry_writer.logged_choice_of(seat)
        answer, excuse, spent = self._ask(seat, menu)
        if past is not None:
            return self._replay_choice(seat, menu, past, answer)
        action = menu[answer]
        self._bank_ms[seat] = self.opened.clock.charge(self._bank_ms[seat], spent.charged_us)
        chose = ChoiceMade(
            self.entry_writer.seq,
            seat=seat,
            action=msgspec.Raw(encode(action)),
            excuse=excuse,
            charged_us=spent.charged_us,
            bank_ms=self._bank_ms[seat],
            idle_us=spent.idle_us,
            wall_us=spent.wall_us,
            queued_us=spent.queued_us,
        )
        self.entry_writer.put(chose)
        return action

    def _replay_choice(self, seat: int, menu: Sequence[Action], past: ChoiceMade, answer: int) -> Action:
        """Return the player's choice from the log. Raises LogDivergedError if it is not on the menu."""
        # A player that now answers differently is added to `diverged_seats`.
        action_json = bytes(past.action)
        self._bank_ms[seat] = past.bank_ms
        try:
            action: Action = decoder_of(self.game.actions).decode(action_json)
        except msgspec.MsgspecError as error:
            raise LogDivergedError(self.entry_writer.seq, action_json, b"an action of the game") from error
        if encode(action) != action_json or action not in menu:
            raise LogDivergedError(self.entry_writer.seq, action_json, b"an action of the menu")
        if past.excuse is not None and action != menu[0]:
            raise LogDivergedError(self.entry_writer.seq, action_json, b"the first action of the menu")
        if self.players and menu[answer] != action and past.excuse is None:
            self.diverged_seats.add(seat)
        self.entry_writer.put(past)
        return action

    def _ask(self, seat: int, menu: Sequence[Action]) -> tuple[int, Excuse | None, DecisionTime]:
        """Ask a player to choose. Return (menu index, excuse, time used).

        The excuse is None for a valid answer. Otherwise it gives the reason, and the index is 0.
        """
        # A rerun has no players: the log must hold the choice, or LogDivergedError is raised.
        if not self.players:
            if not self.entry_writer.checking:
                raise LogDivergedError(
                    self.entry_writer.seq, b"nothing", _("a choice of seat {seat}").format(seat=seat).encode()
                )
            return 0, None, DecisionTime()
        # questions are numbered per seat: a common counter would reveal who had a choice
        self._asked[seat] += 1
        ask = self._question(seat, menu, self._asked[seat])
        self._told[seat] = len(self.history)
        try:
            answer: PlayerAnswer = self.players[seat].choose(ask)
        except NoAnswerError as silence:
            return 0, silence.excuse, silence.spent
        if not 0 <= answer.index < len(menu):  # a negative index would be valid in Python
            return 0, "nonsense", answer.spent
        return answer.index, None, answer.spent

    def _question(self, seat: int, menu: Sequence[Action], number: int) -> QuestionToSeat:
        return QuestionToSeat(
            self.game,
            self.state,
            seat,
            menu,
            number=number,
            history=self.history,
            since=self._told[seat],
            clock=self.opened.clock,
            bank_ms=self._bank_ms[seat],
        )

    def _record_facts(self, facts: Sequence[Fact]) -> None:
        entry_writer, apply = self.entry_writer, self.game.apply
        for fact in facts:
            self.state = apply(self.state, fact)
            self.history.append(fact)
            entry_writer.put(GameFactRecorded(entry_writer.seq, msgspec.Raw(encode(fact))))


def play(
    game: AnyGame,
    players: Sequence[Player],
    seed: bytes,
    *,
    match: str = "match",
    log: HashChainedLog | None = None,
    **extra: Any,
) -> MatchResult:
    """Play one match and return its result.

    `match` is its name in the log. Without `log`, the entries stay in memory. `extra` holds arguments of
    `build_opening`.

    >>> from ftk_core.games import list_games
    >>> from ftk_core.hash_chained_log import lines_of
    >>> from ftk_core.players import RandomPlayer
    >>> from ftk_core.analysis.match_log_rerun_check import rerun
    >>> from ftk_core.random_streams import seed_of
    >>> for rules in list_games().values():
    ...     players = [RandomPlayer(seed_of("example", seat)) for seat in range(rules.seats.start)]
    ...     log = InMemoryLog()
    ...     result = play(rules, players, seed_of("example"), log=log)
    ...     assert min(result.places) == 1
    ...     assert rerun(rules, list(lines_of(log))) == result
    """
    opened = build_opening(game, match, [player.name for player in players], seed, **extra)
    return Referee(game, opened, seed, players, LogWriter(log if log is not None else InMemoryLog())).play()
