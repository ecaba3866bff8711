"""Forks of stored matches: play on from a choice of the match, with the same luck or with hidden parts dealt again.

`ForkWithSameSeed` keeps the seed, and so every random draw: it shows the consequences of another choice.
`ForkWithResampledHiddenState` deals again everything that a viewer did not know, and draws new luck for the rest of the
match. The facts of the log are applied only once; each simulated match starts from the resulting state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import gettext as _
from typing import Any, get_args

import msgspec

from ftk_core.facts import OMNISCIENT, Action, Viewer, secret_fields_of
from ftk_core.game import Seat
from ftk_core.games import game_of, list_games
from ftk_core.log_entries import ChoiceMade, GameFactRecorded, MatchFinished, MatchOpened, read
from ftk_core.logged_decisions import opening_of
from ftk_core.match_fold import AnyGame, decoder_of, fact_in, state_before_deal
from ftk_core.random_streams import MatchRandomness
from ftk_core.unlogged_play import Choose, play_from_state


class MatchForkError(ValueError):
    """Raised if a match cannot be forked as requested. The message gives the reason and the remedy."""


class MatchFork(msgspec.Struct, frozen=True, kw_only=True):
    """Point of a stored match from which it can be played on: a choice, and the state at the beginning of its turn."""

    game: Any
    """Rules of the game."""
    opened: MatchOpened
    entry: int
    """Sequence number of the choice's entry in the log."""
    state: Any
    """Game state at the beginning of the turn."""
    seat: Seat
    menu: tuple[Action, ...]
    chosen: int
    """Index into the menu of the action chosen in the match."""
    given: Mapping[Seat, Action]
    """Seat -> action that it had already chosen in the same turn, unknown to the seat of this choice."""


class ForkWithSameSeed(msgspec.Struct, frozen=True):
    """Fork that keeps the seed of the match, so that all random draws stay the same."""

    fork: MatchFork
    seed: bytes

    def play(self, item: int, choose: Choose) -> Any:
        """Play item number `item` of the menu, let `choose` make all later choices, and return the final state."""
        fork = self.fork
        turn_choices = {**fork.given, fork.seat: fork.menu[item]}
        return play_from_state(fork.game, fork.state, MatchRandomness(self.seed), choose, turn_choices)[0]


class ForkWithResampledHiddenState(msgspec.Struct, frozen=True):
    """Fork that deals again everything that the viewer (a seat or the public) did not know."""

    fork: MatchFork
    viewer: Viewer

    def play(self, item: int, choose: Choose, chance: MatchRandomness) -> Any:
        """Deal again what the viewer does not know, play item number `item` of the menu, and play on to the end.

        `choose` makes all later choices. Return the final state.

        Seats may choose simultaneously. If another seat had already chosen in this turn of the match, a viewer
        who may see everything (`OMNISCIENT`) knew that choice, so it stays. Any other viewer did not know it,
        so `choose` makes it again.
        """
        fork = self.fork
        turn_choices = {**(fork.given if self.viewer == OMNISCIENT else {}), fork.seat: fork.menu[item]}
        state = deal_again(fork.game, fork.state, self.viewer, chance)
        return play_from_state(fork.game, state, chance, choose, turn_choices)[0]


def current_rules_of(opened: MatchOpened) -> AnyGame:
    """Return the rules of a match, given its first log entry. Only matches of the current rules can be played on.

    Raise MatchForkError for another version, and UnknownGameError for unknown rules.
    """
    game = game_of(opened)
    if game is not list_games()[opened.game]:
        newest = list_games()[opened.game].version
        raise MatchForkError(
            _("the match was played by version {version} of {title}: only {newest} is played on").format(
                version=game.version, title=game.title, newest=newest
            )
        )
    return game


def seed_in(lines: Sequence[bytes]) -> bytes:
    """Return the seed in the last log entry; raise MatchForkError if the match was abandoned or is unfinished."""
    closed = read(lines[-1])
    if not isinstance(closed, MatchFinished):
        raise MatchForkError(
            _("the match is void or not at its end: its seed is not revealed, without which its luck is unknown")
        )
    return bytes.fromhex(closed.seed)


def has_secrets(game: AnyGame) -> bool:
    """Return whether any fact of the game has a secret field, so that a seat may not know the whole state."""
    return any(map(secret_fields_of, get_args(game.facts)))


def check_viewer_supported(game: AnyGame, viewer: Viewer) -> None:
    """Raise MatchForkError if the game cannot deal again the parts of a state that `viewer` does not know."""
    if viewer != OMNISCIENT and game.resample is None and has_secrets(game):
        raise MatchForkError(
            _("{title} cannot deal again what some eyes do not know: it has no `resample`; take all eyes").format(
                title=game.title
            )
        )


def deal_again(game: AnyGame, state: Any, viewer: Viewer, chance: MatchRandomness) -> Any:
    """Return a state in which everything that the viewer does not know is dealt again.

    Return the unchanged state if the viewer may see everything (`OMNISCIENT`), or if the game has no function
    `resample`.
    """
    if viewer == OMNISCIENT or game.resample is None:
        return state
    return game.resample(state, viewer, chance)


def fork_with_same_luck(lines: Sequence[bytes], entry: int) -> ForkWithSameSeed:
    """Fork a finished match at the choice in log entry number `entry`; random draws stay as in the match.

    Raise MatchForkError if the entry is not a choice, the match is not finished, or the rules are not the current
    version, and UnknownGameError for unknown rules.
    """
    return ForkWithSameSeed(fork_at(lines, entry), seed_in(lines))


def fork_with_new_deal(lines: Sequence[bytes], entry: int, viewer: Viewer) -> ForkWithResampledHiddenState:
    """Fork a match at the choice in log entry number `entry`; the fork deals again what `viewer` did not know.

    Raise MatchForkError if the entry is not a choice, the rules are not the current version, or the game does not
    support a new deal. Raise UnknownGameError for unknown rules.
    """
    fork = fork_at(lines, entry)
    check_viewer_supported(fork.game, viewer)
    return ForkWithResampledHiddenState(fork, viewer)


def fork_at(lines: Sequence[bytes], entry: int) -> MatchFork:
    """Return the choice in log entry number `entry` and the state at the beginning of its turn.

    The state is computed from the facts in the earlier entries. Raise MatchForkError if the entry is missing or not
    a choice, or if the rules are not the current version. Raise UnknownGameError for unknown rules.
    """
    opened = opening_of(lines)
    game = current_rules_of(opened)
    if not 0 <= entry < len(lines):
        raise MatchForkError(
            _("entry {entry}: the log has the entries 0 to {lines}").format(entry=entry, lines=len(lines) - 1)
        )
    choice = read(lines[entry])
    if not isinstance(choice, ChoiceMade):
        raise MatchForkError(
            _("entry {entry} is no choice: nobody was asked there; `ftk story` tells what happened").format(entry=entry)
        )
    state, earlier_choices = state_before_deal(game, opened), dict[Seat, Action]()
    for line in lines[1:entry]:
        before = read(line)
        if isinstance(before, GameFactRecorded):
            state, earlier_choices = game.apply(state, fact_in(game, before)), {}
        elif isinstance(before, ChoiceMade):
            earlier_choices[before.seat] = action_in(game, before)
    menu = tuple(game.legal(state, choice.seat))
    return MatchFork(
        game=game, opened=opened, entry=entry, state=state, seat=choice.seat, menu=menu,
        chosen=menu.index(action_in(game, choice)), given=earlier_choices,
    )  # fmt: skip


def action_in(game: AnyGame, chose: ChoiceMade) -> Action:
    """Decode the action in a choice; raise msgspec.ValidationError if the game does not define it."""
    action: Action = decoder_of(game.actions).decode(chose.action)
    return action
