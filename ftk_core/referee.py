"""Referee: one loop that plays a match, resumes it, or reruns it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ftk_core.entries import Chose, Clock, Closed, Excuse, Happened, Opened, read
from ftk_core.facts import Action, Fact, encode
from ftk_core.fold import AnyGame, bare_table, check_options, decoder_of
from ftk_core.game import Result
from ftk_core.log import Log, MemoryLog
from ftk_core.players import Answer, Ask, Hello, NoAnswer, Player, TimeSpent
from ftk_core.rng import Chance, seal_of
from ftk_core.scribe import Diverged, Scribe


def opening(
    game: AnyGame, match: str, names: Sequence[str], seed: bytes, *, options: msgspec.Struct | None = None, **extra: Any
) -> Opened:
    """Build the first entry of a match; `extra` may hold `clock`, `build` and `cage`.

    Raise ValueError if the game does not allow this number of seats or these options.
    """
    usual = game.options()
    check_options(game, len(names), options or usual)
    extra = {"clock": Clock(), "build": "", **extra}
    if options is not None and options != usual:
        extra["options"] = msgspec.Raw(encode(options))
    return Opened(
        0, match=match, game=game.name, version=game.version, players=tuple(names), seal=seal_of(seed), **extra
    )


class Referee:
    """Match in progress: state, history and clocks."""

    def __init__(self, game: AnyGame, opened: Opened, seed: bytes, players: Sequence[Player], scribe: Scribe) -> None:
        self.game, self.opened, self.seed = game, opened, seed
        self.players, self.scribe = players, scribe
        self.chance = Chance(seed)
        self.state: Any = bare_table(game, opened)
        self.history: list[Fact] = []
        self._told = [0] * len(opened.players)
        self._bank_ms = [opened.clock.bank_ms] * len(opened.players)
        self._asked = [0] * len(opened.players)
        self.strays: set[int] = set()
        """Seats that answered differently when a resumed match asked them again."""

    def play(self) -> Result:
        """Play to the end and write every entry; raise Diverged if the log held something else."""
        game, clock = self.game, self.opened.clock
        self.scribe.put(self.opened)
        for seat, player in enumerate(self.players):
            seats = len(self.opened.players)
            player.greet(
                Hello(
                    game=game.name,
                    version=game.version,
                    seat=seat,
                    seats=seats,
                    move_ms=clock.move_ms,
                    bank_ms=clock.bank_ms,
                    match=self.opened.match,
                )
            )
        self._happen(game.deal(self.state, self.chance))
        while seats_due := game.turn(self.state):
            self._round(seats_due)
        result = game.result(self.state)
        self.scribe.put(Closed(self.scribe.seq, result.places, result.scores, self.seed.hex()))
        self.scribe.finished()
        for player in self.players:
            player.over(result.places)
        return result

    def _round(self, seats: tuple[int, ...]) -> None:
        """Collect the choices of the seats from fixed menus, then apply the choices in order."""
        legal = self.game.legal
        menus = [(seat, legal(self.state, seat)) for seat in seats]
        choices = [
            (seat, self._forced(seat, menu[0]) if len(menu) == 1 else self._choice(seat, menu)) for seat, menu in menus
        ]
        for seat, action in choices:
            self._happen(self.game.decide(self.state, seat, action, self.chance))

    def _forced(self, seat: int, action: Action) -> Action:
        """Play a forced choice without asking. If that must stay secret, take as long as a question would."""
        if self.players and self.game.veiled(self.state) and not self.scribe.checking:
            self.players[seat].pretend()
        return action

    def _choice(self, seat: int, menu: Sequence[Action]) -> Action:
        past = self.scribe.remembered_choice(seat)
        answer, excuse, spent = self._ask(seat, menu)
        if past is not None:
            return self._recall(seat, menu, past, answer)
        action = menu[answer]
        over_ms = max(0, -(-spent.charged_us // 1000) - self.opened.clock.move_ms)
        self._bank_ms[seat] = max(0, self._bank_ms[seat] - over_ms)
        chose = Chose(
            self.scribe.seq,
            seat=seat,
            action=msgspec.Raw(encode(action)),
            excuse=excuse,
            charged_us=spent.charged_us,
            bank_ms=self._bank_ms[seat],
            idle_us=spent.idle_us,
            wall_us=spent.wall_us,
            queued_us=spent.queued_us,
        )
        self.scribe.put(chose)
        return action

    def _recall(self, seat: int, menu: Sequence[Action], past: Chose, answer: int) -> Action:
        """Take a choice from the log. A different answer now is noted, not punished."""
        taken = bytes(past.action)
        self._bank_ms[seat] = past.bank_ms
        try:
            action: Action = decoder_of(self.game.actions).decode(taken)
        except msgspec.MsgspecError as error:
            raise Diverged(self.scribe.seq, taken, b"an action of the game") from error
        if encode(action) != taken or action not in menu:
            raise Diverged(self.scribe.seq, taken, b"an action of the menu")
        if self.players and menu[answer] != action and past.excuse is None:
            self.strays.add(seat)
        self.scribe.put(past)
        return action

    def _ask(self, seat: int, menu: Sequence[Action]) -> tuple[int, Excuse | None, TimeSpent]:
        """Return (index, excuse, time spent) of the seat's answer."""
        if not self.players:
            if not self.scribe.checking:
                raise Diverged(self.scribe.seq, b"nothing", f"a choice of seat {seat}".encode())
            return 0, None, TimeSpent()
        # questions are numbered per seat: a common counter would reveal who had a choice
        self._asked[seat] += 1
        ask = Ask(
            self.game,
            self.state,
            seat,
            menu,
            number=self._asked[seat],
            history=self.history,
            since=self._told[seat],
            clock=self.opened.clock,
            bank_ms=self._bank_ms[seat],
        )
        self._told[seat] = len(self.history)
        try:
            answer: Answer = self.players[seat].choose(ask)
        except NoAnswer as silence:
            return 0, silence.excuse, silence.spent
        if not 0 <= answer.index < len(menu):  # a negative index would be valid in Python
            return 0, "nonsense", answer.spent
        return answer.index, None, answer.spent

    def _happen(self, facts: Sequence[Fact]) -> None:
        scribe, apply = self.scribe, self.game.apply
        for fact in facts:
            self.state = apply(self.state, fact)
            self.history.append(fact)
            scribe.put(Happened(scribe.seq, msgspec.Raw(encode(fact))))


class _Auditor(Referee):
    """Referee without players that reruns a log: each state is folded from the facts in the log."""

    def _happen(self, facts: Sequence[Fact]) -> None:
        scribe, apply, typed = self.scribe, self.game.apply, decoder_of(self.game.facts).decode
        for fact in facts:
            text = encode(fact)
            scribe.put(Happened(scribe.seq, msgspec.Raw(text)))  # the log's own bytes; raises Diverged if they differ
            self.state = apply(self.state, typed(text))


def play(
    game: AnyGame,
    players: Sequence[Player],
    seed: bytes,
    *,
    match: str = "match",
    log: Log | None = None,
    **extra: Any,
) -> Result:
    """Play one match and return its result; `extra` goes into the opening entry.

    >>> from ftk_core.games import shelf
    >>> from ftk_core.log import lines_of
    >>> from ftk_core.players import RandomPlayer
    >>> from ftk_core.rng import seed_of
    >>> for rules in shelf().values():
    ...     players = [RandomPlayer(seed_of("example", seat)) for seat in range(rules.seats.start)]
    ...     log = MemoryLog()
    ...     result = play(rules, players, seed_of("example"), log=log)
    ...     assert min(result.places) == 1
    ...     assert rerun(rules, list(lines_of(log))) == result
    """
    opened = opening(game, match, [player.name for player in players], seed, **extra)
    return Referee(game, opened, seed, players, Scribe(log if log is not None else MemoryLog())).play()


def rerun(game: AnyGame, lines: Sequence[bytes]) -> Result:
    """Replay the choices of a finished log, compare byte for byte, and return the result of its facts.

    This checks two things at once: the facts fold to a state, and in that state the rules require exactly the next
    lines of the log. Raise Diverged with the first entry that does not follow from the seed and the choices.
    """
    if not lines:
        raise Diverged(0, b"nothing", b"an opening")
    first, last = read(lines[0]), read(lines[-1])
    if not isinstance(first, Opened) or not isinstance(last, Closed):
        raise Diverged(len(lines) - 1, lines[-1], b"a match that was opened and closed")
    seed = bytes.fromhex(last.seed)
    if seal_of(seed) != first.seal:
        raise Diverged(0, lines[0], f"the seal {seal_of(seed)} of the revealed seed".encode())
    if (first.game, first.version) != (game.name, game.version):
        raise Diverged(0, lines[0], f"{game.name} version {game.version}".encode())
    return _Auditor(game, first, seed, (), Scribe(MemoryLog(), lines)).play()
